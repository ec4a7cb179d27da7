/** Reads LevelDB's numbers (seven bits a byte, the lowest first) and texts, one after the other. */
export class Numbers {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  next(): number {
    let value = 0;
    for (let scale = 1; !this.isAtEnd; scale *= 128) {
      const byte = this.bytes[this.at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  }

  /** A text has its length before it. */
  skipText(): void {
    const length = this.next();
    this.at += length;
  }
}
