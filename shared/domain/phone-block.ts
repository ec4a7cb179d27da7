import type { PhoneFilter } from './phone-number.ts';

/**
 * A phone block is a run of slots of 7 bytes, one phone number each, 0 = no contact; trailing empty
 * slots may be cut. A slot holds, big-endian, twice the number `1<digits>` plus 1 for a leading `+`:
 * the 1 keeps leading zeros, and 15 digits stay below 2^52, exact in a double.
 */
export type PhoneBlock = Uint8Array;

const slotBytes = 7;
const highWord = 2 ** 32;

const pack = (phoneNumber: string): number => {
  const plus = phoneNumber.startsWith('+');
  return Number(`1${plus ? phoneNumber.slice(1) : phoneNumber}`) * 2 + (plus ? 1 : 0);
};

const packedAt = (block: PhoneBlock, at: number): number => {
  const high = (block[at]! << 16) | (block[at + 1]! << 8) | block[at + 2]!;
  const low =
    ((block[at + 3]! << 24) | (block[at + 4]! << 16) | (block[at + 5]! << 8) | block[at + 6]!) >>> 0;
  return high * highWord + low;
};

const writePacked = (block: Uint8Array, slot: number, packed: number) => {
  const view = new DataView(block.buffer, block.byteOffset);
  const high = Math.floor(packed / highWord);
  view.setUint8(slot * slotBytes, high >>> 16);
  view.setUint16(slot * slotBytes + 1, high & 0xffff);
  view.setUint32(slot * slotBytes + 3, packed % highWord);
};

const slotCount = (block: PhoneBlock) => Math.floor(block.length / slotBytes);

const isLive = (block: PhoneBlock, slot: number) => packedAt(block, slot * slotBytes) !== 0;

const trimmed = (block: Uint8Array): PhoneBlock => {
  let slots = slotCount(block);
  while (slots > 0 && !isLive(block, slots - 1)) slots--;
  return block.slice(0, slots * slotBytes);
};

const withPacked = (block: PhoneBlock, slot: number, packed: number): PhoneBlock => {
  const copy = new Uint8Array(Math.max(block.length, (slot + 1) * slotBytes));
  copy.set(block);
  writePacked(copy, slot, packed);
  return trimmed(copy);
};

export const emptyBlock: PhoneBlock = new Uint8Array(0);

export const withPhone = (block: PhoneBlock, slot: number, phoneNumber: string): PhoneBlock =>
  withPacked(block, slot, pack(phoneNumber));

export const withoutPhone = (block: PhoneBlock, slot: number): PhoneBlock => withPacked(block, slot, 0);

/** A block from the phone number of each slot, `undefined` = no contact. */
export const blockOfPhones = (phoneNumbers: readonly (string | undefined)[]): PhoneBlock => {
  const block = new Uint8Array(phoneNumbers.length * slotBytes);
  phoneNumbers.forEach((phoneNumber, slot) => {
    if (phoneNumber !== undefined) writePacked(block, slot, pack(phoneNumber));
  });
  return trimmed(block);
};

export const phoneAt = (block: PhoneBlock, slot: number): string | undefined => {
  if (slot >= slotCount(block)) return undefined;
  const packed = packedAt(block, slot * slotBytes);
  if (packed === 0) return undefined;
  return `${packed % 2 === 1 ? '+' : ''}${String(Math.floor(packed / 2)).slice(1)}`;
};

/** Slots that hold a contact, in order. */
export const liveSlots = (block: PhoneBlock): number[] =>
  Array.from({ length: slotCount(block) }, (_, slot) => slot).filter((slot) => isLive(block, slot));

/** The four decimal digits of every number below 10,000, one byte each: turning digits into strings
 * instead makes a search of a million contacts four times slower. */
const fourDigits = new Uint32Array(
  Uint8Array.from({ length: 40_000 }, (_, at) => Math.floor((at >> 2) / 10 ** (3 - (at & 3))) % 10).buffer,
);
const groups = new Uint32Array(4);
const digitsOf = new Uint8Array(groups.buffer);

/** Leaves the 16 digits of `1<digits>`, zero-padded, in `digitsOf`; answers where the phone's begin. */
const spreadDigits = (prefixed: number): number => {
  const upper = Math.floor(prefixed / 1e8);
  const lower = prefixed - upper * 1e8;
  const first = Math.floor(upper / 1e4);
  const third = Math.floor(lower / 1e4);
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

/** Slots whose phone number contains what the filter asks for, in order. */
export const matchingSlots = (block: PhoneBlock, { plus, digits }: PhoneFilter): number[] => {
  const wanted = Uint8Array.from(digits, Number);
  const lastStart = digitsOf.length - wanted.length;
  const found: number[] = [];
  for (let slot = 0, at = 0; at + slotBytes <= block.length; slot++, at += slotBytes) {
    const packed = packedAt(block, at);
    if (packed === 0 || (plus && packed % 2 === 0)) continue;
    const start = spreadDigits(Math.floor(packed / 2));
    if (foundBetween(start, plus ? Math.min(start, lastStart) : lastStart, wanted)) found.push(slot);
  }
  return found;
};
