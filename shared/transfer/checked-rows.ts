import type { Numbering, SpellPhone } from '../domain/contacts/phone-number.ts';
import type { ImportOptions, ImportRows, RejectedRow } from '../domain/imports/contact-import.ts';
import {
  type ContactFileOptions,
  type ContactRow,
  type ContactTable,
  openContactFile,
  previewContactFile,
} from '../files/index.ts';
import { type CellPlace, ContactSieve, shorten } from './checked-contacts.ts';

/** The rows of a contact file after the check: valid rows, and rejected ones. */
export type CheckedRows = ImportRows & {
  rejected: RejectedRow[];
  /** The titles and the cells of each line as they stood in the file, to give rejected rows back. */
  titles: readonly string[];
  cellsOf: ReadonlyMap<number, readonly string[]>;
  /** Adds the place in the file to a row that the data source rejected. */
  locate: (rejected: RejectedRow) => RejectedRow;
};

const phoneOf = ({ values }: ContactRow) => values.find(([name]) => name === 'phoneNumber')?.[1] ?? '';

/** Excel's longest. */
const sheetNameCharacters = 31;

/** Where a person finds the field of a row in the file. */
const placeOf = ({ sheet, columns }: ContactTable, line: number, field: string): CellPlace => {
  const titled = columns.find((column) => column.field === field)?.column;
  const column = titled ?? /^column ([A-Z]{1,3})$/.exec(field)?.[1];
  return {
    ...(column === undefined ? {} : { cell: `${column}${line}` }),
    ...(sheet === '' ? {} : { sheet: shorten(sheet, sheetNameCharacters) }),
  };
};

/** The message of a rejected row with its place, for a file that has no other columns for it. */
export const placedMessage = ({ message, cell, sheet }: RejectedRow): string => {
  if (cell === undefined) return message;
  return `${message} (cell ${cell}${sheet === undefined ? '' : ` of the sheet "${sheet}"`})`;
};

/** The part of the options that says how to read the file. */
export const fileOptionsOf = ({ mapping, sheet, headerRow }: ImportOptions): ContactFileOptions => ({
  ...(mapping === undefined ? {} : { mapping: new Map(mapping) }),
  ...(sheet === undefined ? {} : { sheet }),
  ...(headerRow === undefined ? {} : { headerRow }),
});

/** @throws ServiceError invalid, tooLarge when the file as a whole cannot be imported */
export const checkContactFile = async (
  file: Uint8Array,
  options: ImportOptions = {},
  form?: SpellPhone,
): Promise<CheckedRows> => {
  const table = await openContactFile(file, fileOptionsOf(options));
  const sieve = new ContactSieve(form);
  const cellsOf = new Map<number, readonly string[]>();
  for await (const row of table.rows) {
    const { line, values, cells } = row;
    cellsOf.set(line, cells);
    sieve.take({
      line,
      phone: phoneOf(row),
      fields: Object.fromEntries(values),
      placeOf: (field) => placeOf(table, line, field),
    });
  }
  // Without titles of its own, a file of rejected rows says where the phone numbers are.
  const isUntitledPhone = (field: string) => table.headerRow === 0 && field === 'phoneNumber';
  const titles = table.columns.map(({ title, field }) => (isUntitledPhone(field) ? field : title));
  const locate = (row: RejectedRow) => {
    const field = row.code === 'DUPLICATE' ? 'phoneNumber' : '';
    return { ...row, ...placeOf(table, row.row, field) };
  };
  const fieldOrder = table.columns.map(({ field }) => field).filter((field) => field !== '');
  const { rows, rejected } = sieve;
  return { importCount: cellsOf.size, rows, fieldOrder, rejected, titles, cellsOf, locate };
};

/** What a check of every row found, without a data source. Rejected rows are counted by code. */
export type FileCheck = {
  successCount: number;
  failCount: number;
  rejected: Partial<Record<RejectedRow['code'], number>>;
  /** Different phone numbers: with + or 00, without, and not valid in the country or as an international number. */
  internationalCount: number;
  nationalCount: number;
  doubtfulCount: number;
};

const checkFile = async (file: Uint8Array, options: ImportOptions, plan: Numbering): Promise<FileCheck> => {
  const written = new Set<string>();
  const { rows, rejected } = await checkContactFile(file, options, (number) => {
    written.add(number);
    return plan.spell(number);
  });
  const byCode: FileCheck['rejected'] = {};
  for (const { code } of rejected) byCode[code] = (byCode[code] ?? 0) + 1;
  const numbers = [...written];
  const internationalCount = numbers.filter((number) => /^(?:\+|00)/.test(number)).length;
  return {
    successCount: rows.length,
    failCount: rejected.length,
    rejected: byCode,
    internationalCount,
    nationalCount: numbers.length - internationalCount,
    doubtfulCount: numbers.filter((number) => !plan.isValid(number)).length,
  };
};

/**
 * How a file would be read. With `dryRun`, phone numbers under no known title are found by their content, and every row
 * is checked; without a column of phone numbers there is no check. @throws ServiceError invalid, tooLarge
 */
export const previewFile = async (
  file: Uint8Array,
  options: ImportOptions,
  plan: () => Promise<Numbering>,
) => {
  const { dryRun = false, ...reading } = options;
  const preview = await previewContactFile(file, { ...fileOptionsOf(reading), byContent: dryRun });
  const phone = preview.columns.find(({ field }) => field === 'phoneNumber');
  if (!dryRun || phone === undefined) return preview;
  const { sheet, headerRow } = preview;
  const title: [string, string] = [phone.title || `column ${phone.column}`, 'phoneNumber'];
  const mapping = [...(reading.mapping ?? []).filter(([name]) => name !== title[0]), title];
  const place = sheet === '' ? { headerRow } : { headerRow, sheet };
  return { ...preview, check: await checkFile(file, { ...reading, ...place, mapping }, await plan()) };
};
