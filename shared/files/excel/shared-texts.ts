import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tooLarge } from '../limits.ts';

/** Texts of parts up to this size stay in memory. */
const memoryBytes = 8 * 1024 * 1024;
/** Larger ones go to a temporary file. A function has room for 512 MB. */
const mostFileBytes = 400 * 1024 * 1024;
const writtenAtOnce = 1024 * 1024;
/** Blocks of the file that are kept, each in the slot of its number. */
const blockBytes = 16 * 1024;
const keptBlocks = 256;

/** A file without a name, which is gone when the process ends. */
const openTemporary = (): number => {
  const name = path.join(os.tmpdir(), `outbound-texts-${randomUUID()}`);
  const file = openSync(name, 'wx+', 0o600);
  unlinkSync(name);
  return file;
};

/** Bytes that are written one after another and then read from any offset. */
class SpooledBytes {
  readonly #file = openTemporary();
  readonly #kept: { number: number; bytes: Buffer }[] = [];
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #written = 0;

  append(bytes: Buffer): void {
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
    if (this.#unwrittenBytes >= writtenAtOnce) this.flush();
  }

  flush(): void {
    if (this.#written + this.#unwrittenBytes > mostFileBytes)
      throw tooLarge(`its texts take more than ${mostFileBytes / 1024 / 1024} MB`);
    const bytes = Buffer.concat(this.#unwritten);
    for (let at = 0; at < bytes.length; )
      at += writeSync(this.#file, bytes, at, bytes.length - at, this.#written + at);
    this.#written += bytes.length;
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
  }

  read(start: number, end: number): Buffer {
    const pieces: Buffer[] = [];
    for (let at = start; at < end; ) {
      const number = Math.floor(at / blockBytes);
      const from = at - number * blockBytes;
      const piece = this.#block(number).subarray(from, from + end - at);
      if (piece.length === 0) throw new Error('the texts of a workbook were lost');
      pieces.push(piece);
      at += piece.length;
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  #block(number: number): Buffer {
    const slot = number % keptBlocks;
    const kept = this.#kept[slot];
    if (kept?.number === number) return kept.bytes;
    const bytes =
      kept?.bytes.buffer.byteLength === blockBytes
        ? Buffer.from(kept.bytes.buffer)
        : Buffer.allocUnsafeSlow(blockBytes);
    const length = readSync(this.#file, bytes, 0, blockBytes, number * blockBytes);
    const block = { number, bytes: bytes.subarray(0, length) };
    this.#kept[slot] = block;
    return block.bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The same for bytes that fit in memory. */
class BytesInMemory {
  readonly #bytes: Buffer;
  #length = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  append(bytes: Buffer): void {
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  flush(): void {}

  read(start: number, end: number): Buffer {
    return this.#bytes.subarray(start, end);
  }

  close(): void {}
}

/** A megabyte at most. Texts that many cells share, such as a city or a yes, come early. */
const maxKnown = 4096;
const shortBytes = 256;

/**
 * The texts that cells share, by their number. A workbook may hold millions of them, so only their offsets are in memory.
 * Cells mostly refer to them in order, so blocks of the file that were read once are found again.
 */
export class SharedTexts {
  readonly #bytes: SpooledBytes | BytesInMemory;
  readonly #known = new Map<number, string>();
  #ends = new Uint32Array(1024);
  #length = 0;
  count = 0;

  /** `size`: of the part, which is never smaller than its texts. */
  constructor(size: number) {
    this.#bytes = size > memoryBytes ? new SpooledBytes() : new BytesInMemory(size);
  }

  add(text: string): void {
    const bytes = Buffer.from(text);
    this.#bytes.append(bytes);
    this.#length += bytes.length;
    if (this.count === this.#ends.length) {
      const ends = new Uint32Array(this.#ends.length * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.count++] = this.#length;
  }

  /** All texts have been added. */
  end(): void {
    this.#bytes.flush();
  }

  get(index: number): string | undefined {
    if (index < 0 || index >= this.count) return undefined;
    const known = this.#known.get(index);
    if (known !== undefined) return known;
    const [start, end] = [index === 0 ? 0 : this.#ends[index - 1]!, this.#ends[index]!];
    const text = this.#bytes.read(start, end).toString();
    if (this.#known.size < maxKnown && end - start <= shortBytes) this.#known.set(index, text);
    return text;
  }

  close(): void {
    this.#bytes.close();
  }
}
