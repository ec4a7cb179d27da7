import { readSentContact } from '../domain/contacts/contact.ts';
import { asCleaned, normalisePhone, type SpellPhone } from '../domain/contacts/phone-number.ts';
import { ServiceError } from '../domain/errors.ts';
import type { ImportRow, RejectedRow } from '../domain/imports/contact-import.ts';

/**
 * Enough of a text to recognise it. An answer of a function has at most 6 MB. It must hold 10,000 rejected rows,
 * as JSON within JSON: a character takes four bytes there, and a control character would take seven.
 */
export const shorten = (text: string, characters: number) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, characters)
    .toWellFormed();
const phoneCharacters = 40;
const fieldCharacters = 40;

/** Where a person finds the wrong value in the file. */
export type CellRef = Pick<RejectedRow, 'cell' | 'sheet'>;

/** A contact as it was sent, in a row of a file or of a batch. */
export type SentContact = {
  line: number;
  /** The phone number as it was sent; empty if there is none. */
  phone: string;
  fields: object;
  /** `field`: the field that is wrong. */
  cellOf: (field: string) => CellRef;
};

const checkContact = (
  { line, phone, fields, cellOf }: SentContact,
  spell: SpellPhone = asCleaned,
): Omit<ImportRow, 'line'> | RejectedRow => {
  const number = normalisePhone(phone);
  const phoneNumber = number === undefined ? shorten(phone, phoneCharacters) : spell(number);
  if (phone.trim() === '') {
    const message = 'the row has no phone number';
    return { row: line, phoneNumber, code: 'MISSING_PHONE', message, ...cellOf('phoneNumber') };
  }
  try {
    return readSentContact(fields, spell);
  } catch (error) {
    const [wrong] = error instanceof ServiceError ? error.errors : [];
    if (wrong === undefined) throw error;
    const code = wrong.field === 'phoneNumber' ? 'INVALID_PHONE' : 'INVALID_FIELD';
    const message = `${shorten(wrong.field, fieldCharacters)}: ${wrong.message}`;
    return { row: line, phoneNumber, code, message, ...cellOf(wrong.field) };
  }
};

/** A phone number as a whole number that no other phone number has: 15 digits and the mark fit into a double. */
const numberOf = (phoneNumber: string): number =>
  Number(phoneNumber.startsWith('+') ? `2${phoneNumber.slice(1)}` : `1${phoneNumber}`);

/** Other numbers in each process: no file can be made whose numbers all fall into one slot. */
const [low, high] = [0, 0].map(() => Math.floor(Math.random() * 2 ** 31) * 2 + 1) as [number, number];

const hashOf = (number: number): number => {
  const mixed = Math.imul(number | 0, low) ^ Math.imul(Math.floor(number / 2 ** 32), high);
  const again = Math.imul(mixed ^ (mixed >>> 16), low);
  return (again ^ (again >>> 15)) >>> 0;
};

const pageCount = 256;
const firstSlots = 16;

/** Phone numbers with their lines, at most four fifths full. A number is searched from the slot that it falls into. */
class PhonePage {
  #numbers = new Float64Array(firstSlots);
  #lines = new Uint32Array(firstSlots);
  #count = 0;

  /** As that of `SeenPhones`. */
  firstLine(number: number, hash: number, line: number): number | undefined {
    const slot = this.#slotOf(number, hash);
    if (this.#numbers[slot] === number) return this.#lines[slot];
    this.#put(slot, number, line);
    if (++this.#count * 5 > this.#numbers.length * 4) this.#grow();
    return undefined;
  }

  /** Where the number is, or the free slot for it. */
  #slotOf(number: number, hash: number): number {
    const size = this.#numbers.length;
    let slot = Math.floor(hash / pageCount) % size;
    while (this.#numbers[slot] !== 0 && this.#numbers[slot] !== number) slot = (slot + 1) % size;
    return slot;
  }

  #put(slot: number, number: number, line: number): void {
    this.#numbers[slot] = number;
    this.#lines[slot] = line;
  }

  #grow(): void {
    const [numbers, lines] = [this.#numbers, this.#lines];
    const size = Math.ceil(numbers.length * 1.25);
    this.#numbers = new Float64Array(size);
    this.#lines = new Uint32Array(size);
    numbers.forEach((number, at) => {
      if (number !== 0) this.#put(this.#slotOf(number, hashOf(number)), number, lines[at]!);
    });
  }
}

/**
 * The first line of each phone number of a file. A million numbers take 17 MB, in pages that grow one after another: no more
 * than a page is in memory twice.
 */
class SeenPhones {
  readonly #pages: PhonePage[] = [];

  /** The line of the first row with this phone number; `undefined` if this is the first, which is remembered. */
  firstLine(phoneNumber: string, line: number): number | undefined {
    const number = numberOf(phoneNumber);
    const hash = hashOf(number);
    const page = hash % pageCount;
    this.#pages[page] ??= new PhonePage();
    return this.#pages[page].firstLine(number, hash, line);
  }
}

/** Tells contacts that may be imported from the others. Of contacts with one number the first is imported. */
export class ContactSieve {
  readonly #spell: SpellPhone | undefined;
  readonly #seen = new SeenPhones();

  constructor(spell?: SpellPhone) {
    this.#spell = spell;
  }

  check(sent: SentContact): ImportRow | RejectedRow {
    const checked = checkContact(sent, this.#spell);
    if ('code' in checked) return checked;
    const { line, cellOf } = sent;
    const { phoneNumber } = checked;
    const first = this.#seen.firstLine(phoneNumber, line);
    if (first === undefined) return { line, ...checked };
    const message = `row ${first} has the same phone number`;
    const reason = { code: 'DUPLICATE_IN_FILE', message, firstRow: first } as const;
    return { row: line, phoneNumber, ...reason, ...cellOf('phoneNumber') };
  }
}

/** Rows that were told apart, in their order. */
export class SievedRows {
  readonly rows: ImportRow[] = [];
  readonly rejected: RejectedRow[] = [];

  add(row: ImportRow | RejectedRow): void {
    if ('code' in row) this.rejected.push(row);
    else this.rows.push(row);
  }
}
