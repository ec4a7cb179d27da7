import { invalid } from '../domain/errors.ts';
import { type ContactColumn, type Mapping, untitledFieldOf } from './contact-columns.ts';
import { type FileSource, sourceOf } from './file-source.ts';
import { type ContactFileOptions, findHeader } from './header-row.ts';
import { badFile, type FileLimits, maxRows, tooLarge, usualLimits } from './limits.ts';
import { openWorkbook } from './open-workbook.ts';
import { dropApostrophe } from './phone-column.ts';
import { columnName, type FileKind, type FileRow } from './workbook.ts';

export type { ContactFileOptions };

/**
 * One contact of a file: its fields as name and text, without empty cells. Pairs, not an object: a title may be
 * `__proto__`. `cells` is the row as it is in the file; a rejected row is given back so.
 */
export type ContactRow = { line: number; values: [name: string, value: string][]; cells: string[] };

export type ContactTable = {
  kind: FileKind;
  /** The visible sheets. A CSV file has none, and its `sheet` is `''`. */
  sheets: string[];
  sheet: string;
  /** 0: the sheet has no titles, and its columns are named by their letters. */
  headerRow: number;
  /** The columns of the title row. Rows may have text without a title to the right of them. */
  columns: ContactColumn[];
  /** Can be read once, and is to be read or returned. Throws 'invalid', or 'tooLarge' after the last row that is allowed. */
  rows: AsyncGenerator<ContactRow>;
};

/** Opens a contact file and finds its titles. @throws ServiceError invalid, tooLarge */
export const openContactFile = async (
  file: Uint8Array | FileSource,
  options: ContactFileOptions = {},
  limits: FileLimits = usualLimits,
): Promise<ContactTable> => {
  const { mapping = new Map() } = options;
  const source = file instanceof Uint8Array ? sourceOf(file) : file;
  const { kind, sheets, isSmall = false, close } = await openWorkbook(source, mapping, limits);
  try {
    const { sheet, headerRow, columns, rows } = await findHeader(sheets, options);
    checkMapping(columns, mapping);
    const most = isSmall ? Math.min(maxRows, limits.rows) : limits.rows;
    const contacts = contactRows(rows, columns, mapping, kind === 'csv' && !isOwnExport(columns), most);
    return {
      kind,
      sheets: sheets.filter(({ name, hidden }) => name !== '' && !hidden).map(({ name }) => name),
      sheet,
      headerRow,
      columns,
      rows: close ? closing(contacts, close) : contacts,
    };
  } catch (error) {
    close?.();
    throw error;
  }
};

async function* closing<T>(rows: AsyncGenerator<T>, close: () => void): AsyncGenerator<T> {
  try {
    yield* rows;
  } finally {
    close();
  }
}

const checkMapping = (columns: readonly ContactColumn[], mapping: Mapping): void => {
  const known = new Set(columns.map(({ title }) => title));
  for (const title of mapping.keys()) {
    if (known.has(title) || /^column [A-Z]{1,3}$/.test(title)) continue;
    const titles = [...known].filter((text) => text !== '').join('", "');
    throw invalid('mapping', `there is no title "${title}"; the titles are "${titles}"`);
  }
};

/** What a spreadsheet writes into a CSV file for a cell that holds an error. */
const errorText = /^#(?:N\/A|DIV\/0!|NAME\?|NULL!|NUM!|REF!|VALUE!)$/;

/** Our own exports, of a data source or a task, hold no errors: there such a text is the text of a field. */
const isOwnExport = (columns: readonly ContactColumn[]) => {
  const has = (own: string) => columns.some(({ title }) => title === own);
  return has('phoneNumber') && has('callCount') && (has('createTime') || has('contactId'));
};

/** Names the setting, which a person who may change it does not know from the file. */
const tooManyRows = (most: number) =>
  `it has more than ${most} rows; split it, or raise IMPORT_MAX_ROWS, which applies to uploaded and dropped files`;

async function* contactRows(
  rows: AsyncIterable<FileRow>,
  columns: readonly ContactColumn[],
  mapping: Mapping,
  mayHoldErrors: boolean,
  most: number,
): AsyncGenerator<ContactRow> {
  const fields = columns.map(({ field }) => field);
  let count = 0;
  for await (const { line, cells } of rows) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (++count > most) throw tooLarge(tooManyRows(most));
    const values: [string, string][] = [];
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at]!;
      const isTitled = at < columns.length && columns[at]!.title !== '';
      if (isTitled ? cell === '' : cell.trim() === '') continue;
      if (mayHoldErrors && errorText.test(cell)) continue;
      fields[at] ??= fieldBeyond(at, columns, mapping);
      const field = fields[at]!;
      if (field !== '') values.push([field, field === 'phoneNumber' ? dropApostrophe(cell) : cell]);
    }
    yield { line, values, cells };
  }
}

/** The field of a column to the right of the titles. */
const fieldBeyond = (at: number, columns: readonly ContactColumn[], mapping: Mapping): string => {
  const field = untitledFieldOf(at, mapping);
  const taken = columns.find((column) => field !== '' && column.field === field);
  if (taken === undefined) return field;
  throw badFile(
    `columns ${taken.column} and ${columnName(at)} both go to the field "${field}"; give the latter a title`,
    'REPEATED_TITLE',
  );
};

export type ContactPreview = Omit<ContactTable, 'rows' | 'columns'> & {
  rowCount: number;
  columns: (ContactColumn & { samples: string[] })[];
};

const maxSamples = 3;
/** Enough to recognise what the column holds. */
const maxSampleCharacters = 100;

/**
 * How a file would be read, with the first few texts of each column. Also previews a `headerRow` without a phone title,
 * so that a person can map its columns. @throws ServiceError invalid, tooLarge
 */
export const previewContactFile = async (
  file: Uint8Array,
  options: ContactFileOptions = {},
): Promise<ContactPreview> => {
  const { rows, columns: titled, ...table } = await openContactFile(file, { ...options, anyTitles: true });
  const columns: ContactPreview['columns'] = titled.map((column) => ({ ...column, samples: [] }));
  let rowCount = 0;
  for await (const { cells } of rows) {
    rowCount++;
    for (const [at, cell] of cells.entries()) {
      if (cell.trim() === '') continue;
      while (columns.length <= at) columns.push(untitledColumn(columns.length, options.mapping));
      const { samples } = columns[at]!;
      if (samples.length < maxSamples) samples.push(cell.slice(0, maxSampleCharacters).toWellFormed());
    }
  }
  const isTitled = ({ title }: ContactColumn) => title !== '' && table.headerRow > 0;
  const shown = columns.filter((column) => isTitled(column) || column.samples.length > 0);
  return { ...table, rowCount, columns: shown };
};

const untitledColumn = (at: number, mapping: Mapping = new Map()) => ({
  column: columnName(at),
  title: '',
  field: untitledFieldOf(at, mapping),
  samples: [],
});
