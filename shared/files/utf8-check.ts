import { isUtf8 } from 'node:buffer';

/** The number of bytes at the end of a text that begin a character without ending it. */
const unendedBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
};

/** Whether chunks together are UTF-8. A character may lie across two chunks. */
export class Utf8Check {
  #rest = Buffer.alloc(0);

  takes(chunk: Buffer): boolean {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const end = bytes.length - unendedBytes(bytes);
    this.#rest = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  }

  isEnded(): boolean {
    return this.#rest.length === 0;
  }
}
