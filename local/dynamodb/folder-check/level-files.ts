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

  /** The length of a text is before it. */
  skipText(): void {
    const length = this.next();
    this.at += length;
  }
}

const castagnoli = 0x82f63b78;
/**
 * The effect of a byte on the checksum, at a distance of 0 to 7 bytes, so that eight bytes are
 * taken in one step.
 */
const tables = [Uint32Array.from({ length: 256 }, (_, byte) => shifted(byte, 8))];
for (let distance = 1; distance < 8; distance++) {
  tables.push(tables[distance - 1]!.map((crc) => tables[0]![crc & 0xff]! ^ (crc >>> 8)));
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
  ...[Uint32Array, Uint32Array, Uint32Array, Uint32Array],
];

function shifted(crc: number, bits: number): number {
  return bits === 0 ? crc : shifted(crc & 1 ? (crc >>> 1) ^ castagnoli : crc >>> 1, bits - 1);
}

/** CRC-32C as LevelDB stores it: rotated and shifted, for checksums of checksums. */
export const maskedChecksum = (bytes: Uint8Array): number => {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^
      t6[(crc >>> 8) & 0xff]! ^
      t5[(crc >>> 16) & 0xff]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = t0[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
};

/**
 * LevelDB opens a folder whose write-ahead log is damaged or missing, and drops what it cannot read
 * without an error. So the log is checked first. The manifest is such a log too.
 *
 * Its format: blocks of 32 KB. A record has a checksum (4 bytes), a length (2), a type (1) and its
 * payload, and fills no more than the rest of its block.
 */
const blockBytes = 32 * 1024;
const headerBytes = 7;
/** A record that does not fit its block is written in pieces: the first, further ones, the last. */
const wholeType = 1;
const firstType = 2;
const lastType = 4;

type LogRecord = { type: number; payload: Buffer; end: number };

/** The record that begins at `at`. @returns undefined if there is no valid record */
const recordAt = (log: Buffer, at: number): LogRecord | undefined => {
  const blockEnd = Math.min(log.length, (Math.floor(at / blockBytes) + 1) * blockBytes);
  if (at + headerBytes > blockEnd) return undefined;
  const end = at + headerBytes + log.readUInt16LE(at + 4);
  const type = log[at + 6]!;
  if (end > blockEnd || type === 0 || type > lastType) return undefined;
  if (maskedChecksum(log.subarray(at + 6, end)) !== log.readUInt32LE(at)) return undefined;
  return { type, payload: log.subarray(at + headerBytes, end), end };
};

/** The records up to the end, or to the first position without a valid one. */
const recordsOf = (log: Buffer) => {
  const records: LogRecord[] = [];
  let at = 0;
  while (at < log.length) {
    const left = blockBytes - (at % blockBytes);
    const record = left < headerBytes ? undefined : recordAt(log, at);
    if (record === undefined && left >= headerBytes) break;
    if (record !== undefined) records.push(record);
    at = record?.end ?? at + left;
  }
  return { records, end: Math.min(at, log.length) };
};

/**
 * A write that a crash of the machine cut off is the last of the log. After damage, valid records
 * follow.
 */
export const isDamagedLog = (log: Buffer): boolean => {
  const { end } = recordsOf(log);
  for (let at = end + 1; at < log.length; at++) if (recordAt(log, at) !== undefined) return true;
  // A log that was cut off ends within its last block with the beginning of a record. A whole
  // record there is damaged.
  return end + headerBytes <= log.length && end + headerBytes + log.readUInt16LE(end + 4) <= log.length;
};

/** The payloads, record by record, up to the first position without a valid record. */
export const writtenIn = (log: Buffer): Buffer[] => {
  const written: Buffer[] = [];
  let pieces: Buffer[] = [];
  for (const { type, payload } of recordsOf(log).records) {
    if (type === wholeType || type === firstType) pieces = [];
    pieces.push(payload);
    if (type === wholeType || type === lastType) written.push(Buffer.concat(pieces));
  }
  return written;
};

/** The files of a LevelDB: table files by number, with sizes, and the first log with data. */
export type Manifest = { tables: Map<number, number>; logNumber: number | undefined };

const tag = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  pointer: 5,
  deleted: 6,
  added: 7,
  previousLog: 9,
};

/** Applies one edit, a list of tags with numbers and texts. Stops at an unknown tag. */
const apply = (edit: Buffer, manifest: Manifest): void => {
  const numbers = new Numbers(edit);
  while (!numbers.isAtEnd) {
    switch (numbers.next()) {
      case tag.comparator:
        numbers.skipText();
        break;
      case tag.logNumber:
        manifest.logNumber = numbers.next();
        break;
      case tag.nextFile:
      case tag.lastSequence:
      case tag.previousLog:
        numbers.next();
        break;
      case tag.pointer:
        numbers.next();
        numbers.skipText();
        break;
      case tag.deleted:
        numbers.next();
        manifest.tables.delete(numbers.next());
        break;
      case tag.added: {
        numbers.next();
        const number = numbers.next();
        manifest.tables.set(number, numbers.next());
        // The first and the last key.
        numbers.skipText();
        numbers.skipText();
        break;
      }
      default:
        return;
    }
  }
};

/** @param edits the records of the manifest's file, in order */
export const manifestOf = (edits: readonly Buffer[]): Manifest => {
  const manifest: Manifest = { tables: new Map(), logNumber: undefined };
  for (const edit of edits) apply(edit, manifest);
  return manifest;
};

/**
 * LevelDB reads its table files without their checksums, so that a changed bit can hide rows. So a
 * whole file is checked.
 *
 * Its format: blocks, each followed by a type (1 byte: plain or Snappy) and a checksum (4). The
 * ranges of the blocks are in an index block, whose own range is in the last 48 bytes.
 */
const footerBytes = 48;
const checksumBytes = 4;
const magic = Buffer.from('57fb808b247547db', 'hex');
const snappy = 1;

type BlockRange = { offset: number; size: number };

const nextRange = (numbers: Numbers): BlockRange => ({ offset: numbers.next(), size: numbers.next() });

/** Each step is a literal, or a copy of bytes that were written before, with its length. */
const unpacked = (packed: Buffer): Buffer => {
  const numbers = new Numbers(packed);
  const bytes = Buffer.alloc(numbers.next());
  let { at } = numbers;
  let end = 0;
  const number = (size: number) => {
    at += size;
    return packed.readUIntLE(at - size, size);
  };
  while (at < packed.length) {
    const first = number(1);
    const kind = first & 3;
    if (kind === 0) {
      const short = first >>> 2;
      const length = 1 + (short < 60 ? short : number(short - 59));
      end += packed.copy(bytes, end, at, at + length);
      at += length;
      continue;
    }
    const length = kind === 1 ? 4 + ((first >>> 2) & 7) : 1 + (first >>> 2);
    const distance = kind === 1 ? ((first >>> 5) << 8) + number(1) : number(kind === 2 ? 2 : 4);
    // Copies may overlap the bytes that they write.
    for (let i = 0; i < length; i++, end++) bytes[end] = bytes[end - distance]!;
  }
  return bytes;
};

/** The block of a range, with its type. @returns undefined if its checksum is wrong */
const blockAt = (file: Buffer, { offset, size }: BlockRange): Buffer | undefined => {
  const end = offset + size + 1;
  if (end + checksumBytes > file.length) return undefined;
  const block = file.subarray(offset, end);
  return maskedChecksum(block) === file.readUInt32LE(end) ? block : undefined;
};

/**
 * The ranges in a list of entries. An entry has a shared and an own part of a key, then a range.
 * Restart points end the list.
 */
const rangesIn = (block: Buffer): BlockRange[] => {
  const content = block.subarray(0, -1);
  const index = block.at(-1) === snappy ? unpacked(content) : content;
  const restarts = index.readUInt32LE(index.length - 4);
  const entries = new Numbers(index.subarray(0, index.length - 4 * (restarts + 1)));
  const ranges: BlockRange[] = [];
  while (!entries.isAtEnd) {
    entries.next();
    const keyBytes = entries.next();
    entries.next();
    entries.at += keyBytes;
    ranges.push(nextRange(entries));
  }
  return ranges;
};

/** Whether every block of a table file has the right checksum. */
export const isWholeTable = (file: Buffer): boolean => {
  if (file.length < footerBytes || !file.subarray(-magic.length).equals(magic)) return false;
  const footer = new Numbers(file.subarray(-footerBytes));
  // The list of other blocks, such as the filter of keys, and the index of the rows.
  const lists = [nextRange(footer), nextRange(footer)];
  return lists.every((list) => {
    const ranges = blockAt(file, list);
    return ranges !== undefined && rangesIn(ranges).every((range) => blockAt(file, range) !== undefined);
  });
};
