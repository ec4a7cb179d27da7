import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tooLarge } from '../workbook.ts';

/** Texts of parts up to this size stay in memory. */
const memoryBytes = 8 * 1024 * 1024;
/** Larger texts go to a temporary file. A function has room for 512 MB. */
const mostFileBytes = 400 * 1024 * 1024;
const writtenAtOnce = 1024 * 1024;
/** Blocks of the file that stay in memory, each in the slot of its number. */
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
  readonly #unwritten = Buffer.allocUnsafe(writtenAtOnce);
  #unwrittenBytes = 0;
  #written = 0;

  append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(this.#unwritten, this.#unwrittenBytes, at);
      at += copied;
      this.#unwrittenBytes += copied;
      if (this.#unwrittenBytes === writtenAtOnce) this.flush();
    }
  }

  flush(): void {
    if (this.#written + this.#unwrittenBytes > mostFileBytes)
      throw tooLarge(`its texts take more than ${mostFileBytes / 1024 / 1024} MB`);
    const bytes = this.#unwritten.subarray(0, this.#unwrittenBytes);
    for (let at = 0; at < bytes.length; )
      at += writeSync(this.#file, bytes, at, bytes.length - at, this.#written + at);
    this.#written += bytes.length;
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

/** At most a megabyte. Texts that many cells share, such as a city or a yes, come early. */
const maxKnown = 4096;
const shortBytes = 256;
/**
 * Only the offset of every 64th text is in memory. A workbook of a million rows may have tens of
 * millions of texts.
 */
const stride = 64;
/** A length of 28 bits is more than any text of a part may have. */
const lengthBytes = 4;

/**
 * A length before its text: seven bits a byte, the lowest first. The highest bit says that another
 * byte follows.
 */
const lengthOf = (bytes: Buffer): Buffer => {
  const coded: number[] = [];
  let rest = bytes.length;
  for (; rest >= 0x80; rest >>>= 7) coded.push((rest & 0x7f) | 0x80);
  return Buffer.from([...coded, rest]);
};

/**
 * The texts that cells share, by their number, one after another with their lengths. Cells mostly
 * refer to them in order, so the next text usually follows the one before, and is in a block of the
 * file that was read already.
 */
export class SharedTexts {
  readonly #bytes: SpooledBytes | BytesInMemory;
  readonly #known = new Map<number, string>();
  readonly #offsets: number[] = [];
  #length = 0;
  /** Where the text with this number begins. */
  #next = { index: 0, offset: 0 };
  count = 0;

  /** `size`: bytes of the part, which is never smaller than its texts with their lengths. */
  constructor(size: number) {
    this.#bytes = size > memoryBytes ? new SpooledBytes() : new BytesInMemory(size);
  }

  add(text: string): void {
    const bytes = Buffer.from(text);
    if (this.count % stride === 0) this.#offsets.push(this.#length);
    for (const written of [lengthOf(bytes), bytes]) {
      this.#bytes.append(written);
      this.#length += written.length;
    }
    this.count++;
  }

  /** Called when all texts were added. */
  end(): void {
    this.#bytes.flush();
  }

  get(index: number): string | undefined {
    if (index < 0 || index >= this.count) return undefined;
    const known = this.#known.get(index);
    if (known !== undefined) return known;
    const { start, end } = this.#find(index);
    this.#next = { index: index + 1, offset: end };
    const text = this.#bytes.read(start, end).toString();
    if (this.#known.size < maxKnown && end - start <= shortBytes) this.#known.set(index, text);
    return text;
  }

  #find(index: number): { start: number; end: number } {
    const first = Math.floor(index / stride);
    const isBehind = this.#next.index <= index && this.#next.index > first * stride;
    let { index: at, offset } = isBehind
      ? this.#next
      : { index: first * stride, offset: this.#offsets[first]! };
    for (; at < index; at++) offset = this.#textAt(offset).end;
    return this.#textAt(offset);
  }

  #textAt(offset: number): { start: number; end: number } {
    const bytes = this.#bytes.read(offset, Math.min(offset + lengthBytes, this.#length));
    let length = 0;
    let at = 0;
    do length |= (bytes[at]! & 0x7f) << (7 * at);
    while (bytes[at++]! >= 0x80);
    return { start: offset + at, end: offset + at + length };
  }

  close(): void {
    this.#bytes.close();
  }
}
