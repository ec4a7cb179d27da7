import { readSentContact } from '../contacts/rules/contact.ts';
import {
  asCleaned,
  digitsOf,
  fewestDigits,
  normalisePhone,
  type SpellPhone,
} from '../contacts/rules/phone-number.ts';
import type { FileLimits, FileSource } from '../files/workbook.ts';
import { invalid, ServiceError } from '../platform/rules/errors.ts';
import { maxRows } from '../platform/rules/files.ts';
import {
  type ContactFileOptions,
  type ContactRow,
  type ContactTable,
  openContactFile,
} from './contact-table.ts';
import type { ImportOptions, ImportRow, RejectedRow } from './rules/contact-import.ts';

/**
 * The rows of a contact file, or of a batch of contacts, sorted into those that may be imported and
 * those that are rejected. They come in parts, each of which fits into memory.
 */

/**
 * Enough of a text to recognise it. The answer of a function has at most 6 MB, and must hold 10,000
 * rejected rows as JSON within JSON. There a character takes up to four bytes, and a control
 * character would take seven.
 */
const shorten = (text: string, characters: number) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, characters)
    .toWellFormed();
const phoneCharacters = 40;
const fieldCharacters = 40;

/** Where the wrong value is in the file. */
type CellRef = Pick<RejectedRow, 'cell' | 'sheet'>;

/** A contact as it was sent, in a row of a file or of a batch. */
type SentContact = {
  line: number;
  /** The phone number as it was sent; empty if there is none. */
  phone: string;
  fields: object;
  /** `field`: the field that is wrong. */
  cellOf: (field: string) => CellRef;
};

/** How the numbers of a file are read. */
type NumberRules = {
  /** Rows whose number, as it is written, has fewer digits are rejected. */
  minDigits?: number | undefined;
  spell?: SpellPhone | undefined;
};

const checkContact = (
  { line, phone, fields, cellOf }: SentContact,
  { minDigits = fewestDigits, spell = asCleaned }: NumberRules,
): Omit<ImportRow, 'line'> | RejectedRow => {
  const number = normalisePhone(phone);
  const phoneNumber = number === undefined ? shorten(phone, phoneCharacters) : spell(number);
  if (phone.trim() === '') {
    const message = 'the row has no phone number';
    return { row: line, phoneNumber, code: 'MISSING_PHONE', message, ...cellOf('phoneNumber') };
  }
  if (number !== undefined && digitsOf(number) < minDigits) {
    const message = `phoneNumber: shorter than ${minDigits} digits`;
    return { row: line, phoneNumber, code: 'INVALID_PHONE', message, ...cellOf('phoneNumber') };
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

/**
 * Separates contacts that may be imported from the others. Of several contacts with the same
 * number, the first one is imported.
 */
class ContactSieve {
  readonly #rules: NumberRules;
  /** The line of the first row with each phone number. */
  readonly #firstLines = new Map<string, number>();

  constructor(rules: NumberRules) {
    this.#rules = rules;
  }

  check(sent: SentContact): ImportRow | RejectedRow {
    const checked = checkContact(sent, this.#rules);
    if ('code' in checked) return checked;
    const { line, cellOf } = sent;
    const { phoneNumber } = checked;
    const first = this.#firstLines.get(phoneNumber);
    if (first === undefined) {
      this.#firstLines.set(phoneNumber, line);
      return { line, ...checked };
    }
    const message = `row ${first} has the same phone number`;
    const reason = { code: 'DUPLICATE_IN_FILE', message, firstRow: first } as const;
    return { row: line, phoneNumber, ...reason, ...cellOf('phoneNumber') };
  }
}

/** What all parts of a file have in common. */
export type FileHead = {
  titles: string[];
  fieldOrder: string[];
  /** The column of the phone numbers, for rows that the data source rejects. */
  phone: string | undefined;
  sheet: string;
};

/** The checked rows of a part of a file. */
export type CheckedPart = {
  importCount: number;
  rows: ImportRow[];
  rejected: RejectedRow[];
  /** Each line as it is in the file, for the file of rejected rows. */
  cells: [line: number, cells: readonly string[]][];
};

/** A file that is in memory as a whole. */
export type CheckedFile = { head: FileHead; parts: CheckedPart[] };

const joinedOf = (parts: readonly CheckedPart[]): CheckedPart => ({
  importCount: parts.reduce((sum, { importCount }) => sum + importCount, 0),
  rows: parts.flatMap(({ rows }) => rows),
  rejected: parts.flatMap(({ rejected }) => rejected),
  cells: parts.flatMap(({ cells }) => cells),
});

const noRows = (): CheckedPart => ({ importCount: 0, rows: [], rejected: [], cells: [] });

const addRow = (
  part: CheckedPart,
  line: number,
  cells: readonly string[],
  row: ImportRow | RejectedRow,
): void => {
  part.importCount++;
  part.cells.push([line, cells]);
  if ('code' in row) part.rejected.push(row);
  else part.rows.push(row);
};

export const phoneOf = ({ values }: ContactRow) => values.find(([name]) => name === 'phoneNumber')?.[1] ?? '';

/** The maximum of Excel. */
const sheetNameCharacters = 31;

/** Where the field of a row is in the file. */
export const cellOf = ({ sheet, columns }: ContactTable, line: number, field: string): CellRef => {
  const titled = columns.find((column) => column.field === field)?.column;
  const column = titled ?? /^column ([A-Z]{1,3})$/.exec(field)?.[1];
  return {
    ...(column === undefined ? {} : { cell: `${column}${line}` }),
    ...(sheet === '' ? {} : { sheet: shorten(sheet, sheetNameCharacters) }),
  };
};

/** The part of the options that says how to read the file. */
export const fileOptionsOf = ({ mapping, sheet, headerRow }: ImportOptions): ContactFileOptions => ({
  ...(mapping === undefined ? {} : { mapping: new Map(mapping) }),
  ...(sheet === undefined ? {} : { sheet }),
  ...(headerRow === undefined ? {} : { headerRow }),
});

const headOf = ({ columns, headerRow, sheet }: ContactTable): FileHead => {
  // In a file without titles, a file of rejected rows must say which column has the phone numbers.
  const isUntitledPhone = (field: string) => headerRow === 0 && field === 'phoneNumber';
  return {
    titles: columns.map(({ title, field }) => (isUntitledPhone(field) ? field : title)),
    fieldOrder: columns.map(({ field }) => field).filter((field) => field !== ''),
    phone: columns.find(({ field }) => field === 'phoneNumber')?.column,
    sheet: shorten(sheet, sheetNameCharacters),
  };
};

/** Adds sheet and cell to a row that the data source rejected. */
export const locateIn =
  ({ phone, sheet }: FileHead) =>
  (rejected: RejectedRow): RejectedRow => ({
    ...rejected,
    ...(rejected.code === 'DUPLICATE' && phone !== undefined ? { cell: `${phone}${rejected.row}` } : {}),
    ...(sheet === '' ? {} : { sheet }),
  });

/**
 * The maximum of rows and characters of a part, so that a part of any file fits in memory. A file
 * with at most `whole` rows has one part, unless its text is longer than such a part may be.
 */
export const partLimits = { rows: 1024, characters: 2 * 1024 * 1024, whole: maxRows };

const lengthOf = (cells: readonly string[]) => cells.reduce((sum, cell) => sum + cell.length, 0);

async function* shortParts(table: ContactTable, rules: NumberRules): AsyncGenerator<CheckedPart> {
  const sieve = new ContactSieve(rules);
  let part: CheckedPart = noRows();
  let characters = 0;
  for await (const row of table.rows) {
    const { line, values, cells } = row;
    const length = lengthOf(cells);
    const isFull = part.importCount === partLimits.rows || characters + length > partLimits.characters;
    if (isFull && part.importCount > 0) {
      yield part;
      [part, characters] = [noRows(), 0];
    }
    characters += length;
    const sent = { line, phone: phoneOf(row), fields: Object.fromEntries(values) };
    addRow(part, line, cells, sieve.check({ ...sent, cellOf: (field) => cellOf(table, line, field) }));
  }
  yield part;
}

/** Joins a small file into one part. A part of a large file is released after its use. */
async function* joinedIfSmall(parts: AsyncGenerator<CheckedPart>): AsyncGenerator<CheckedPart> {
  const first: CheckedPart[] = [];
  const mostParts = Math.ceil(partLimits.whole / partLimits.rows);
  for (let rows = 0; rows <= partLimits.whole && first.length <= mostParts; ) {
    const { done, value } = await parts.next();
    if (done) {
      yield joinedOf(first);
      return;
    }
    first.push(value);
    rows += value.importCount;
  }
  for (let next = first.shift(); next !== undefined; next = first.shift()) yield next;
  yield* parts;
}

/**
 * The rows of a file in parts: at least one, and the last may be empty.
 * @throws ServiceError invalid, tooLarge
 */
export const checkedParts = async (
  file: Uint8Array | FileSource,
  options: ImportOptions = {},
  spell?: SpellPhone,
  limits?: FileLimits,
): Promise<{ head: FileHead; parts: AsyncGenerator<CheckedPart> }> => {
  const table = await openContactFile(file, fileOptionsOf(options), limits);
  return {
    head: headOf(table),
    parts: joinedIfSmall(shortParts(table, { minDigits: options.minDigits, spell })),
  };
};

/** The rows of a file that comes with a request. @throws ServiceError invalid, tooLarge */
export const checkContactFile = async (
  file: Uint8Array,
  options?: ImportOptions,
  spell?: SpellPhone,
): Promise<CheckedFile> => {
  const { head, parts } = await checkedParts(file, options, spell);
  const all: CheckedPart[] = [];
  for await (const part of parts) all.push(part);
  return { head, parts: all };
};

/** The contacts of a request body, each as it was sent. */
type ContactBatch = { contacts: readonly object[] };

const shownText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The names of all fields of a batch. */
export const fieldNamesIn = (contacts: readonly object[]): string[] => [
  ...new Set(contacts.flatMap((contact) => Object.keys(contact).map((name) => name.trim()))),
];

/**
 * The contacts of a batch as rows, numbered from 1. They have no cells, because the number tells
 * where a contact is.
 */
export const checkContactBatch = ({ contacts }: ContactBatch, spell?: SpellPhone): CheckedFile => {
  const sieve = new ContactSieve({ spell });
  const titles = [...new Set(['phoneNumber', ...contacts.flatMap((contact) => Object.keys(contact))])];
  const part = noRows();
  contacts.forEach((fields, at) => {
    const values = new Map(Object.entries(fields));
    const sent = { line: at + 1, phone: shownText(values.get('phoneNumber')), fields, cellOf: () => ({}) };
    const cells = titles.map((title) => shownText(values.get(title)));
    addRow(part, at + 1, cells, sieve.check(sent));
  });
  return { head: { titles, fieldOrder: [], phone: undefined, sheet: '' }, parts: [part] };
};

/** The same from the stored body of a request to 0.4. @throws ServiceError invalid */
export const checkStoredBatch = (body: Uint8Array, spell?: SpellPhone): CheckedFile => {
  try {
    return checkContactBatch(JSON.parse(new TextDecoder().decode(body)) as ContactBatch, spell);
  } catch {
    throw invalid('file', 'is not a batch of contacts', 'BAD_FILE');
  }
};
