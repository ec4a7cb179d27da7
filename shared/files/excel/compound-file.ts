import { refused } from '../limits.ts';

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
const LAST_SECTOR = 0xfffffffa;
const HEADER_FAT_SECTORS = 109;

export type CompoundEntry = { name: string; isStream: boolean; start: number; size: number };

const damaged = () => refused('the workbook is damaged: its sectors cannot be followed');

/** The streams of an OLE2 compound file. */
export class CompoundFile {
  readonly entries: CompoundEntry[];
  readonly #file: Buffer;
  readonly #sectorBytes: number;
  readonly #fat: number[];
  readonly #miniFat: number[];
  readonly #miniStream: Buffer;
  readonly #miniCutoff: number;

  constructor(file: Buffer) {
    if (file.length < HEADER_BYTES) throw damaged();
    const shift = file.readUInt16LE(30);
    if ((shift !== 9 && shift !== 12) || file.readUInt16LE(32) !== 6) throw damaged();
    this.#file = file;
    this.#sectorBytes = 1 << shift;
    this.#fat = numbers(Buffer.concat(this.#fatSectors().map((sector) => this.#sector(sector))));
    this.entries = entriesOf(this.#chain(file.readUInt32LE(48)));
    this.#miniFat = numbers(this.#chain(file.readUInt32LE(60)));
    this.#miniCutoff = file.readUInt32LE(56);
    const root = this.entries[0];
    this.#miniStream = root ? this.#chain(root.start) : Buffer.alloc(0);
  }

  read({ start, size }: CompoundEntry): Buffer {
    if (size > this.#file.length) throw damaged();
    const stream = size < this.#miniCutoff ? this.#miniChain(start) : this.#chain(start);
    if (stream.length < size) throw damaged();
    return stream.subarray(0, size);
  }

  #sector(index: number): Buffer {
    const start = (index + 1) * this.#sectorBytes;
    if (start >= this.#file.length) throw damaged();
    return this.#file.subarray(start, start + this.#sectorBytes);
  }

  /** The sectors of the allocation table: 109 in the header, the others listed in a chain of their own. */
  #fatSectors(): number[] {
    const sectors = numbers(this.#file.subarray(76, 76 + HEADER_FAT_SECTORS * 4));
    let next = this.#file.readUInt32LE(68);
    for (const seen = new Set<number>(); next < LAST_SECTOR; ) {
      if (seen.has(next)) throw damaged();
      seen.add(next);
      const listed = numbers(this.#sector(next));
      next = listed.pop() ?? LAST_SECTOR;
      sectors.push(...listed);
    }
    if (sectors.length * this.#sectorBytes > this.#file.length + HEADER_FAT_SECTORS * this.#sectorBytes)
      throw damaged();
    return sectors.filter((sector) => sector < LAST_SECTOR);
  }

  #chain(start: number): Buffer {
    return follow(start, this.#fat, this.#file.length, (sector) => this.#sector(sector));
  }

  #miniChain(start: number): Buffer {
    return follow(start, this.#miniFat, this.#miniStream.length, (sector) => {
      const at = sector * MINI_SECTOR_BYTES;
      return this.#miniStream.subarray(at, at + MINI_SECTOR_BYTES);
    });
  }
}

/** The sectors of a chain, one after the other; a chain longer than the file runs in circles. */
function follow(start: number, table: number[], limit: number, sectorAt: (sector: number) => Buffer): Buffer {
  const sectors: Buffer[] = [];
  let bytes = 0;
  for (let sector = start; sector < LAST_SECTOR; sector = table[sector] ?? LAST_SECTOR) {
    const content = sectorAt(sector);
    bytes += content.length;
    if (bytes > limit || content.length === 0) throw damaged();
    sectors.push(content);
  }
  return Buffer.concat(sectors);
}

function numbers(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(at * 4));
}

function entriesOf(directory: Buffer): CompoundEntry[] {
  const entries: CompoundEntry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(Math.max(directory.readUInt16LE(at + 64) - 2, 0), 62);
    entries.push({
      name: directory.toString('utf16le', at, at + nameBytes),
      isStream: directory[at + 66] === 2,
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}
