import { type NewContact, readNewContact } from '../domain/contacts/contact.ts';
import { asCleaned, normalisePhone, type PhoneForm } from '../domain/contacts/phone-number.ts';
import { ServiceError } from '../domain/errors.ts';
import type { ImportOptions, ImportRow } from '../domain/imports/contact-import.ts';
import type { FailedRow } from '../domain/imports/failed-row.ts';
import {
  type ContactFileOptions,
  type ContactRow,
  type ContactTable,
  openContactFile,
} from '../files/contact-table.ts';

/**
 * A contact file, read and checked: the rows worth trying, and those that are not. `titles` and `cellsOf`
 * are the file as it stood, to give rows back that were not imported.
 */
export type CheckedFile = {
  importCount: number;
  rows: ImportRow[];
  failed: FailedRow[];
  titles: readonly string[];
  cellsOf: ReadonlyMap<number, readonly string[]>;
};

const phoneOf = ({ values }: ContactRow) => values.find(([name]) => name === 'phoneNumber')?.[1] ?? '';

/**
 * Enough to recognise it. Keeps what is said of 10,000 rows below the 6 MB that a function can answer, where it is
 * JSON within JSON: a character takes four bytes there, a control character would take seven.
 */
const brief = (text: string, characters: number) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, characters)
    .toWellFormed();
const phoneCharacters = 40;
const fieldCharacters = 40;
/** Excel's longest. */
const sheetNameCharacters = 31;

/** In the form phone numbers are returned in, if it is one. */
const shownPhone = (text: string, form: PhoneForm = asCleaned) => {
  const number = normalisePhone(text);
  return number === undefined ? brief(text, phoneCharacters) : form(number);
};

type Failure = Pick<FailedRow, 'code' | 'message'>;
const failure = (row: ContactRow, form: PhoneForm | undefined, why: Failure): FailedRow => ({
  row: row.line,
  phoneNumber: shownPhone(phoneOf(row), form),
  ...why,
});

/** Where a person finds the field: ` (cell B7 of the sheet "One")`; nothing where it is no single cell's fault. */
const placeOf = ({ sheet, columns }: ContactTable, { line }: ContactRow, field: string): string => {
  const titled = columns.find((column) => column.field === field)?.column;
  const column = titled ?? /^column ([A-Z]{1,3})$/.exec(field)?.[1];
  if (column === undefined) return '';
  const of = sheet === '' ? '' : ` of the sheet "${brief(sheet, sheetNameCharacters)}"`;
  return ` (cell ${column}${line}${of})`;
};

const checked = (
  table: ContactTable,
  row: ContactRow,
  form: PhoneForm | undefined,
): NewContact | FailedRow => {
  const place = (field: string) => placeOf(table, row, field);
  if (phoneOf(row).trim() === '') {
    const message = `the row has no phone number${place('phoneNumber')}`;
    return failure(row, form, { code: 'MISSING_PHONE', message });
  }
  try {
    return readNewContact(Object.fromEntries(row.values), form);
  } catch (error) {
    const [wrong] = error instanceof ServiceError ? error.errors : [];
    if (wrong === undefined) throw error;
    const code = wrong.field === 'phoneNumber' ? 'INVALID_PHONE' : 'INVALID_FIELD';
    const message = `${brief(wrong.field, fieldCharacters)}: ${wrong.message}${place(wrong.field)}`;
    return failure(row, form, { code, message });
  }
};

/** How the file is to be read, of all that a client may wish for its import. */
export const fileOptionsOf = ({ mapping, sheet, headerRow }: ImportOptions): ContactFileOptions => ({
  ...(mapping === undefined ? {} : { mapping: new Map(mapping) }),
  ...(sheet === undefined ? {} : { sheet }),
  ...(headerRow === undefined ? {} : { headerRow }),
});

/** @throws ServiceError invalid, tooLarge when the file as a whole cannot be imported */
export const checkContactFile = async (
  file: Uint8Array,
  options: ImportOptions = {},
  form?: PhoneForm,
): Promise<CheckedFile> => {
  const table = await openContactFile(file, fileOptionsOf(options));
  const rows: ImportRow[] = [];
  const failed: FailedRow[] = [];
  const cellsOf = new Map<number, readonly string[]>();
  const lines = new Map<string, number>();
  for await (const row of table.rows) {
    cellsOf.set(row.line, row.cells);
    const result = checked(table, row, form);
    if ('code' in result) {
      failed.push(result);
      continue;
    }
    const first = lines.get(result.phoneNumber);
    if (first === undefined) {
      lines.set(result.phoneNumber, row.line);
      rows.push({ line: row.line, ...result });
    } else {
      const message = `row ${first} has the same phone number`;
      failed.push(failure(row, form, { code: 'DUPLICATE_IN_FILE', message }));
    }
  }
  const titles = table.columns.map(({ title }) => title);
  return { importCount: cellsOf.size, rows, failed, titles, cellsOf };
};
