import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keyRange } from '../platform/table/expressions.ts';
import { groupedBy } from '../platform/table/groups.ts';
import { keys, pageOf } from '../platform/table/keys.ts';
import type { Directory } from './directory.ts';
import { bytesOfItem } from './directory-page.ts';
import type { PhoneFilter } from './rules/phone-number.ts';

/**
 * A phone block is a run of slots with one phone number each; trailing empty slots are cut.
 *
 * A phone number is packed as the number `1<digits>`, doubled, plus 1 for a leading `+`. The 1
 * keeps leading zeros. 15 digits stay below 2^53, so a double is exact.
 *
 * The block begins with the width of a slot in bytes and the lowest packed number. A slot holds its
 * number minus the lowest, plus one; 0 = no contact. So numbers of one country take 5 bytes instead
 * of 7, and a search pays for the bytes that it reads.
 */
type PhoneBlock = Uint8Array;

const baseBytes = 7;
const headerBytes = 1 + baseBytes;

/** How a block packs a phone number: `1<digits>`, doubled, plus 1 for a leading `+`. */
export const packPhone = (phoneNumber: string): number => {
  const plus = phoneNumber.startsWith('+');
  return Number(`1${plus ? phoneNumber.slice(1) : phoneNumber}`) * 2 + (plus ? 1 : 0);
};

/** Big-endian. */
const numberAt = (block: PhoneBlock, at: number, bytes: number): number => {
  let value = 0;
  for (let i = at; i < at + bytes; i++) value = value * 256 + block[i]!;
  return value;
};

const writeNumber = (block: Uint8Array, at: number, bytes: number, value: number) => {
  let rest = value;
  for (let i = at + bytes - 1; i >= at; i--) {
    block[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
};

const bytesFor = (value: number): number => (value < 256 ? 1 : 1 + bytesFor(Math.floor(value / 256)));

const widthOf = (block: PhoneBlock) => block[0] ?? 1;
const slotCount = (block: PhoneBlock) =>
  block.length === 0 ? 0 : (block.length - headerBytes) / widthOf(block);

/** The packed number of each slot, 0 = no contact. */
export const packedPhones = (block: PhoneBlock): Float64Array => {
  const packed = new Float64Array(slotCount(block));
  const width = widthOf(block);
  const below = numberAt(block, 1, baseBytes) - 1;
  for (let slot = 0, at = headerBytes; slot < packed.length; slot++, at += width) {
    const offset = numberAt(block, at, width);
    if (offset !== 0) packed[slot] = below + offset;
  }
  return packed;
};

export const emptyBlock: PhoneBlock = new Uint8Array(0);

const blockOf = (packed: readonly number[]): PhoneBlock => {
  const live = packed.filter((number) => number !== 0);
  if (live.length === 0) return emptyBlock;
  const base = Math.min(...live);
  const width = bytesFor(Math.max(...live) - base + 1);
  const slots = packed.findLastIndex((number) => number !== 0) + 1;
  const block = new Uint8Array(headerBytes + slots * width);
  block[0] = width;
  writeNumber(block, 1, baseBytes, base);
  for (let slot = 0; slot < slots; slot++) {
    const number = packed[slot]!;
    if (number !== 0) writeNumber(block, headerBytes + slot * width, width, number - base + 1);
  }
  return block;
};

const withPacked = (block: PhoneBlock, slot: number, number: number): PhoneBlock => {
  const packed = [...packedPhones(block)];
  while (packed.length <= slot) packed.push(0);
  packed[slot] = number;
  return blockOf(packed);
};

export const withPhone = (block: PhoneBlock, slot: number, phoneNumber: string): PhoneBlock =>
  withPacked(block, slot, packPhone(phoneNumber));

export const withoutPhone = (block: PhoneBlock, slot: number): PhoneBlock => withPacked(block, slot, 0);

/** A block from the phone number of each slot, `undefined` = no contact. */
export const blockOfPhones = (phoneNumbers: readonly (string | undefined)[]): PhoneBlock =>
  blockOf(phoneNumbers.map((phoneNumber) => (phoneNumber === undefined ? 0 : packPhone(phoneNumber))));

export const unpackPhone = (packed: number): string =>
  `${packed % 2 === 1 ? '+' : ''}${String(Math.floor(packed / 2)).slice(1)}`;

/** The phone number of each slot, `undefined` = no contact. */
export const phonesOf = (block: PhoneBlock): (string | undefined)[] =>
  Array.from(packedPhones(block), (packed) => (packed === 0 ? undefined : unpackPhone(packed)));

/** The slots that hold a contact, in order. */
export const liveSlots = (block: PhoneBlock): number[] =>
  [...packedPhones(block)].flatMap((number, slot) => (number === 0 ? [] : slot));

/**
 * The four decimal digits of every number below 10,000, one byte each. With strings of digits a
 * search of a million contacts would take four times as long.
 */
const fourDigits = new Uint32Array(
  Uint8Array.from({ length: 40_000 }, (_, at) => Math.floor((at >> 2) / 10 ** (3 - (at & 3))) % 10).buffer,
);
const groups = new Uint32Array(4);
const digitsOf = new Uint8Array(groups.buffer);

/**
 * Writes the 16 digits of `1<digits>`, zero-padded, into `digitsOf`.
 * @returns where the phone number begins
 */
const spreadDigits = (prefixed: number): number => {
  // `| 0` keeps the arithmetic in 32-bit integers.
  const upper = (prefixed / 1e8) | 0;
  const lower = (prefixed - upper * 1e8) | 0;
  const first = (upper / 1e4) | 0;
  const third = (lower / 1e4) | 0;
  groups[0] = fourDigits[first]!;
  groups[1] = fourDigits[upper - first * 1e4]!;
  groups[2] = fourDigits[third]!;
  groups[3] = fourDigits[lower - third * 1e4]!;
  let start = 0;
  while (digitsOf[start] === 0) start++;
  return start + 1;
};

const foundBetween = (first: number, last: number, wanted: Uint8Array): boolean => {
  next: for (let at = first; at <= last; at++) {
    for (let i = 0; i < wanted.length; i++) if (digitsOf[at + i] !== wanted[i]) continue next;
    return true;
  }
  return false;
};

/** The slots whose phone number contains the digits of the filter, in order. */
export const matchingSlots = (block: PhoneBlock, { plus, digits }: PhoneFilter): number[] => {
  const wanted = Uint8Array.from(digits, Number);
  const lastStart = digitsOf.length - wanted.length;
  const found: number[] = [];
  const numbers = packedPhones(block);
  for (let slot = 0; slot < numbers.length; slot++) {
    const packed = numbers[slot]!;
    if (packed === 0 || (plus && packed % 2 === 0)) continue;
    const start = spreadDigits(Math.floor(packed / 2));
    if (foundBetween(start, plus ? Math.min(start, lastStart) : lastStart, wanted)) found.push(slot);
  }
  return found;
};

const queriesAtOnce = 16;

/** The blocks of one directory page. */
const readPage = (database: Database, dataSourceId: string, first: number, last: number) =>
  database.queryAll(
    keyRange(
      keys.blockPartition(dataSourceId, pageOf(first)),
      keys.block(dataSourceId, first).sk,
      keys.block(dataSourceId, last).sk,
    ),
  );

/** The phone blocks of all contacts, in order, without those of an unfinished import. */
export const readPhoneBlocks = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
): Promise<{ block: number; phones: PhoneBlock }[]> => {
  const byPage = groupedBy(directory.blocks, pageOf);
  const read = await concurrently(byPage, queriesAtOnce, (blocks) =>
    readPage(database, dataSourceId, blocks[0]!, blocks.at(-1)!),
  );
  return read
    .flat()
    .map((item) => ({ block: Number(item.sk), phones: bytesOfItem(item).bytes }))
    .filter(({ block }) => directory.holds(block));
};
