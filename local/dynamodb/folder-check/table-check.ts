import { maskedChecksum } from './checksum.ts';
import { Numbers } from './numbers.ts';

/**
 * LevelDB reads its table files without their checksums, so that a changed bit can hide rows. This checks a whole file. Its
 * format: blocks, each followed by a type (1 byte: plain or Snappy) and a checksum (4); the ranges of the blocks are in an
 * index block, whose own range is in the last 48 bytes.
 */
const footerBytes = 48;
const checksumBytes = 4;
const magic = Buffer.from('57fb808b247547db', 'hex');
const snappy = 1;

type BlockRange = { offset: number; size: number };

const nextRange = (numbers: Numbers): BlockRange => ({ offset: numbers.next(), size: numbers.next() });

/** A literal or a copy of what was written before, each with its length. */
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
    // Copies may overlap what they write.
    for (let i = 0; i < length; i++, end++) bytes[end] = bytes[end - distance]!;
  }
  return bytes;
};

/** The block of a range, with its type; `undefined` where the checksum is another. */
const blockAt = (file: Buffer, { offset, size }: BlockRange): Buffer | undefined => {
  const end = offset + size + 1;
  if (end + checksumBytes > file.length) return undefined;
  const block = file.subarray(offset, end);
  return maskedChecksum(block) === file.readUInt32LE(end) ? block : undefined;
};

/** The ranges in a list: entries of a shared and an own part of a key, then a range. Restart points end the list. */
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

/** Whether every block of a table file has its checksum. */
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
