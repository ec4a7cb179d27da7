import { damaged } from './biff-records.ts';

const WIDE = 0x01;
const PHONETIC = 0x04;
const RICH = 0x08;

/** Reads strings of a BIFF8 record that may run over into the records that continue it. */
export class BiffStrings {
  readonly #pieces: Buffer[];
  #piece = 0;
  #at = 0;

  constructor(pieces: Buffer[], start: number) {
    this.#pieces = pieces;
    this.#at = start;
  }

  /** Whether another string can follow. */
  get more(): boolean {
    return this.#piece < this.#pieces.length - 1 || this.#at < this.#data.length;
  }

  /** A string with its length in front, one byte or two, its formatting skipped. */
  next(lengthBytes: 1 | 2 = 2): string {
    const length = this.#number(lengthBytes);
    const flags = this.#number(1);
    const runs = flags & RICH ? this.#number(2) : 0;
    const phonetic = flags & PHONETIC ? this.#number(4) : 0;
    const text = this.#characters(length, (flags & WIDE) !== 0);
    this.#skip(runs * 4 + phonetic);
    return text;
  }

  /** Each continuing record says anew whether its characters take one byte or two. */
  #characters(length: number, startsWide: boolean): string {
    let text = '';
    let wide = startsWide;
    while (text.length < length) {
      if (this.#at >= this.#data.length) {
        this.#nextPiece();
        wide = (this.#number(1) & WIDE) !== 0;
      }
      const bytes = Math.min((length - text.length) * (wide ? 2 : 1), this.#data.length - this.#at);
      if (wide && bytes < 2) throw damaged();
      text += this.#data.toString(wide ? 'utf16le' : 'latin1', this.#at, this.#at + bytes);
      this.#at += wide ? bytes & ~1 : bytes;
    }
    return text;
  }

  #number(bytes: 1 | 2 | 4): number {
    if (this.#at >= this.#data.length) this.#nextPiece();
    if (this.#at + bytes > this.#data.length) throw damaged();
    this.#at += bytes;
    return this.#data.readUIntLE(this.#at - bytes, bytes);
  }

  #skip(bytes: number): void {
    let left = bytes;
    while (left > this.#data.length - this.#at) {
      left -= this.#data.length - this.#at;
      this.#nextPiece();
    }
    this.#at += left;
  }

  get #data(): Buffer {
    return this.#pieces[this.#piece]!;
  }

  #nextPiece(): void {
    if (++this.#piece >= this.#pieces.length) throw damaged();
    this.#at = 0;
  }
}
