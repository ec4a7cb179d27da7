import { readSentContact } from '../domain/contacts/contact.ts';
import { asCleaned, normalisePhone, type SpellPhone } from '../domain/contacts/phone-number.ts';
import { ServiceError } from '../domain/errors.ts';
import type { ImportRow, RejectedRow } from '../domain/imports/contact-import.ts';
import { SeenPhones } from './seen-phones.ts';

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
