import type { SpellPhone } from '../domain/contacts/phone-number.ts';
import type { ImportOptions, ImportRows, RejectedRow } from '../domain/imports/contact-import.ts';
import { maxRows } from '../domain/imports/import-options.ts';
import {
  type ContactFileOptions,
  type ContactRow,
  type ContactTable,
  type FileLimits,
  type FileSource,
  openContactFile,
} from '../files/index.ts';
import { type CellRef, ContactSieve, SievedRows, shorten } from './checked-contacts.ts';

/** The rows of a contact file after the check: valid rows, and rejected ones. */
export type CheckedRows = ImportRows & {
  rejected: RejectedRow[];
  /** The titles and the cells of each line as they stood in the file, to give rejected rows back. */
  titles: readonly string[];
  cellsOf: ReadonlyMap<number, readonly string[]>;
  /** Adds sheet and cell to a row that the data source rejected. */
  locate: (rejected: RejectedRow) => RejectedRow;
};

const phoneOf = ({ values }: ContactRow) => values.find(([name]) => name === 'phoneNumber')?.[1] ?? '';

/** Excel's longest. */
const sheetNameCharacters = 31;

/** Where a person finds the field of a row in the file. */
const cellOf = ({ sheet, columns }: ContactTable, line: number, field: string): CellRef => {
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

/** What all parts of a file have in common. */
export type FileHead = {
  titles: string[];
  fieldOrder: string[];
  /** Where the phone numbers are, for rows that the data source rejects. */
  phone: string | undefined;
  sheet: string;
};

const headOf = ({ columns, headerRow, sheet }: ContactTable): FileHead => {
  // Without titles of its own, a file of rejected rows says where the phone numbers are.
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
 * The rows of a part, and the text that they may hold: a part fits in memory, whatever its file. A file with no more rows than
 * `whole` is imported without parts.
 */
export const partLimits = { rows: 1024, characters: 2 * 1024 * 1024, whole: maxRows };

/** The rows of a file, cut into parts. The last part may be empty. @throws ServiceError invalid, tooLarge */
export const checkedParts = async (
  file: Uint8Array | FileSource,
  options: ImportOptions = {},
  spell?: SpellPhone,
  limits?: FileLimits,
): Promise<{ head: FileHead; parts: AsyncGenerator<CheckedRows> }> => {
  const table = await openContactFile(file, fileOptionsOf(options), limits);
  const head = headOf(table);
  return { head, parts: partsOf(table, head, spell) };
};

async function* partsOf(
  table: ContactTable,
  head: FileHead,
  spell?: SpellPhone,
): AsyncGenerator<CheckedRows> {
  const sieve = new ContactSieve(spell);
  const { titles, fieldOrder } = head;
  const common = { titles, fieldOrder, locate: locateIn(head) };
  let sieved = new SievedRows();
  let cellsOf = new Map<number, readonly string[]>();
  let characters = 0;
  for await (const row of table.rows) {
    const { line, values, cells } = row;
    const length = cells.reduce((sum, cell) => sum + cell.length, 0);
    if (
      cellsOf.size === partLimits.rows ||
      (cellsOf.size > 0 && characters + length > partLimits.characters)
    ) {
      yield { ...common, importCount: cellsOf.size, ...sieved, cellsOf };
      [sieved, cellsOf, characters] = [new SievedRows(), new Map(), 0];
    }
    characters += length;
    cellsOf.set(line, cells);
    const sent = { line, phone: phoneOf(row), fields: Object.fromEntries(values) };
    sieved.add(sieve.check({ ...sent, cellOf: (field) => cellOf(table, line, field) }));
  }
  yield { ...common, importCount: cellsOf.size, ...sieved, cellsOf };
}

/** The rows of all parts of a file together. */
export const wholeOf = (parts: readonly CheckedRows[]): CheckedRows => {
  const cellsOf = new Map(parts.flatMap((part) => [...part.cellsOf]));
  return {
    ...parts[0]!,
    importCount: cellsOf.size,
    rows: parts.flatMap(({ rows }) => rows),
    rejected: parts.flatMap(({ rejected }) => rejected),
    cellsOf,
  };
};

/** The rows of a file that comes with a request. @throws ServiceError invalid, tooLarge when it cannot be imported as a whole */
export const checkContactFile = async (
  file: Uint8Array,
  options?: ImportOptions,
  spell?: SpellPhone,
): Promise<CheckedRows> => {
  const { parts } = await checkedParts(file, options, spell);
  const all: CheckedRows[] = [];
  for await (const part of parts) all.push(part);
  return wholeOf(all);
};

/** Rows of a contact file with the titles above them, in their own columns and order. */
export type RejectedFile = { titles: readonly string[]; batches: AsyncIterable<string[][]> };

/** A rejected row as it stood in the file, and why it was rejected. */
export type RejectedCells = readonly [cells: readonly string[], message: string];

/** Behind the file's own columns. An import ignores this title, so that the file can be imported again. */
const errorTitle = 'importError';

/** The message of a rejected row with its sheet and cell, for a file that has no other columns for it. */
const locatedMessage = ({ message, cell, sheet }: RejectedRow): string => {
  if (cell === undefined) return message;
  return `${message} (cell ${cell}${sheet === undefined ? '' : ` of the sheet "${sheet}"`})`;
};

/** A duplicate number is not a wrong cell: only its reason is written. */
const errorOf = (row: RejectedRow) =>
  row.code === 'DUPLICATE' || row.code === 'DUPLICATE_IN_FILE' ? row.message : locatedMessage(row);

export const rejectedCells = (
  { cellsOf }: Pick<CheckedRows, 'cellsOf'>,
  rejected: readonly RejectedRow[],
): RejectedCells[] => rejected.map((row) => [cellsOf.get(row.row) ?? [], errorOf(row)]);

/** The cells of the widest row. */
export const widthOf = (rows: readonly RejectedCells[]) =>
  rows.reduce((widest, [cells]) => Math.max(widest, cells.length), 0);

/** How the rows are written. Reasons of an earlier import that are still in the file are dropped. */
export const rejectedColumns = (titles: readonly string[], width: number) => {
  const columns = Array.from({ length: Math.max(width, titles.length) }, (_, at) => at).filter(
    (at) => titles[at] !== errorTitle,
  );
  const own = (cells: readonly string[]) => columns.map((at) => cells[at] ?? '');
  return {
    titles: [...own(titles), errorTitle],
    rowOf: ([cells, message]: RejectedCells) => [...own(cells), message],
  };
};
