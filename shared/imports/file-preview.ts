import { digitsOf, type Numbering, normalisePhone } from '../contacts/rules/phone-number.ts';
import { columnName } from '../files/workbook.ts';
import { cellOf, checkContactFile, fileOptionsOf, phoneOf } from './checked-rows.ts';
import { type ContactColumn, type Mapping, untitledFieldOf } from './contact-columns.ts';
import {
  type ContactFileOptions,
  type ContactRow,
  type ContactTable,
  openContactFile,
} from './contact-table.ts';
import { countByCode, type ImportOptions } from './rules/contact-import.ts';

type ContactPreview = Omit<ContactTable, 'rows' | 'columns'> & {
  rowCount: number;
  columns: (ContactColumn & { samples: string[] })[];
  shortNumbers: ShortNumbers;
};

/** Numbers with too few digits for people, such as totals. `count` is over all rows. */
type ShortNumbers = { count: number; examples: { cell: string; phoneNumber: string }[] };

/** Hardly any country has shorter numbers. */
const usualDigits = 7;
const shortExamples = 5;

const maxSamples = 3;
/** Enough to recognise the content of a column. */
const maxSampleCharacters = 100;

/**
 * How a file would be read, with the first few texts of each column. Also previews a `headerRow`
 * without a phone title, so that a person can map its columns.
 * @throws ServiceError invalid, tooLarge
 */
const previewContactFile = async (
  file: Uint8Array,
  options: ContactFileOptions = {},
): Promise<ContactPreview> => {
  const opened = await openContactFile(file, { ...options, anyTitles: true });
  const { rows, columns: titled, ...table } = opened;
  const shortNumbers: ShortNumbers = { count: 0, examples: [] };
  const columns: ContactPreview['columns'] = titled.map((column) => ({ ...column, samples: [] }));
  let rowCount = 0;
  for await (const row of rows) {
    rowCount++;
    noteShort(shortNumbers, opened, row);
    for (const [at, cell] of row.cells.entries()) {
      if (cell.trim() === '') continue;
      while (columns.length <= at) columns.push(untitledColumn(columns.length, options.mapping));
      const { samples } = columns[at]!;
      if (samples.length < maxSamples) samples.push(cell.slice(0, maxSampleCharacters).toWellFormed());
    }
  }
  const isTitled = ({ title }: ContactColumn) => title !== '' && table.headerRow > 0;
  const shown = columns.filter((column) => isTitled(column) || column.samples.length > 0);
  return { ...table, rowCount, columns: shown, shortNumbers };
};

const noteShort = (shortNumbers: ShortNumbers, table: ContactTable, row: ContactRow): void => {
  const phoneNumber = normalisePhone(phoneOf(row));
  if (phoneNumber === undefined || digitsOf(phoneNumber) >= usualDigits) return;
  shortNumbers.count++;
  if (shortNumbers.examples.length === shortExamples) return;
  const { cell = '' } = cellOf(table, row.line, 'phoneNumber');
  shortNumbers.examples.push({ cell, phoneNumber });
};

const untitledColumn = (at: number, mapping: Mapping = new Map()) => ({
  column: columnName(at),
  title: '',
  field: untitledFieldOf(at, mapping),
  samples: [],
});

/**
 * Checks every row, without a data source. Rejected rows are counted by code. Different phone
 * numbers are counted by how they are written: with + or 00, without, and valid neither in the
 * country nor internationally.
 */
const checkFile = async (file: Uint8Array, options: ImportOptions, numbering: Numbering) => {
  const written = new Set<string>();
  const { parts } = await checkContactFile(file, options, (number) => {
    written.add(number);
    return numbering.spell(number);
  });
  const rejected = parts.flatMap((part) => part.rejected);
  const numbers = [...written];
  const internationalCount = numbers.filter((number) => /^(?:\+|00)/.test(number)).length;
  return {
    successCount: parts.reduce((sum, { rows }) => sum + rows.length, 0),
    failCount: rejected.length,
    rejected: countByCode(rejected),
    internationalCount,
    nationalCount: numbers.length - internationalCount,
    doubtfulCount: numbers.filter((number) => !numbering.isValid(number)).length,
  };
};

/**
 * How a file would be read. With `dryRun`, phone numbers under no known title are found by their
 * content, and every row is checked. Without a column of phone numbers there is no check.
 * @throws ServiceError invalid, tooLarge
 */
export const previewFile = async (
  file: Uint8Array,
  options: ImportOptions,
  numbering: () => Promise<Numbering>,
) => {
  const { dryRun = false, ...reading } = options;
  const preview = await previewContactFile(file, { ...fileOptionsOf(reading), byContent: dryRun });
  const phone = preview.columns.find(({ field }) => field === 'phoneNumber');
  if (!dryRun || phone === undefined) return preview;
  const { sheet, headerRow } = preview;
  const title: [string, string] = [phone.title || `column ${phone.column}`, 'phoneNumber'];
  const mapping = [...(reading.mapping ?? []), title];
  const header = sheet === '' ? { headerRow } : { headerRow, sheet };
  return { ...preview, check: await checkFile(file, { ...reading, ...header, mapping }, await numbering()) };
};
