import { openWorkbook } from '../files/open-workbook.ts';
import {
  badFile,
  columnName,
  type FileKind,
  type FileLimits,
  type FileRow,
  type FileSource,
  type Rows,
  type Sheet,
  shorten,
  sourceOf,
  tooLarge,
  usualLimits,
} from '../files/workbook.ts';
import { invalid } from '../platform/rules/errors.ts';
import { maxRows } from '../platform/rules/files.ts';
import {
  type ContactColumn,
  columnsOf,
  dropApostrophe,
  findPhoneColumn,
  hasPhoneTitle,
  letteredColumns,
  looksLikePhone,
  type Mapping,
  titleOfLetter,
  untitledFieldOf,
} from './contact-columns.ts';

/**
 * One contact of a file: its fields as name and text, without empty cells. Pairs instead of an
 * object, because a title may be `__proto__`. `cells` is the row as it is in the file, for the file
 * of rejected rows.
 */
export type ContactRow = { line: number; values: [name: string, value: string][]; cells: string[] };

export type ContactTable = {
  kind: FileKind;
  /** The visible sheets. A CSV file has none, and its `sheet` is `''`. */
  sheets: string[];
  sheet: string;
  /** 0: the sheet has no titles, and its columns are named by their letters. */
  headerRow: number;
  /** The columns of the title row. To the right of them, rows may have text without a title. */
  columns: ContactColumn[];
  /**
   * Single use: call `return()` if it is not read to its end. Throws 'invalid', or 'tooLarge' after
   * the last row that is allowed.
   */
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
  const {
    kind,
    sheets,
    isSmall = false,
    close,
  } = await openWorkbook(source, (cells) => hasPhoneTitle(cells, mapping), limits);
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

/** The text that a spreadsheet writes into a CSV file for a cell with an error. */
const errorText = /^#(?:N\/A|DIV\/0!|NAME\?|NULL!|NUM!|REF!|VALUE!)$/;

/** Our own exports have no errors. In them such a text is the value of a field. */
const isOwnExport = (columns: readonly ContactColumn[]) => {
  const has = (own: string) => columns.some(({ title }) => title === own);
  return has('phoneNumber') && has('callCount') && (has('createTime') || has('contactId'));
};

/** The message names the setting, which a user does not know from the file. */
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

/** How a client wants a file to be read. Options that are missing are found from the file. */
export type ContactFileOptions = {
  /** Field names by title (or `column F`). `''` ignores the column. */
  mapping?: Mapping;
  sheet?: string;
  /** The line of the titles, from 1. 0: there are no titles. */
  headerRow?: number;
  /** Accepts a file without a phone column, because the person who sees the preview selects it. */
  anyTitles?: boolean;
  /** Without a title for phone numbers, finds them by their content, and the titles above. */
  byContent?: boolean;
};

/** Rows that are searched for titles. Above them may be a headline, a date or a remark. */
const searchedRows = 20;

/** `headerRow` is 0 for a sheet without titles. `rows` are the rows below the titles. */
type FoundHeader = {
  sheet: string;
  headerRow: number;
  columns: ContactColumn[];
  rows: AsyncGenerator<FileRow>;
};
type FoundTitles = { sheet: string; header: FileRow; rows: AsyncGenerator<FileRow> };
type Seen = { sheet: Sheet; titles: string[] };

/**
 * Finds the row of titles: the first row with a phone title, on the first visible sheet that has
 * one within its first rows, or where the options say.
 * @returns if there is none, the titles that were found instead
 */
const findTitles = async (
  sheets: readonly Sheet[],
  options: ContactFileOptions,
): Promise<FoundTitles | { seen: readonly Seen[] }> => {
  const seen: Seen[] = [];
  for (const sheet of sheetsToSearch(sheets, options.sheet)) {
    const rows = flatten(sheet.rows());
    const found = await searchHeader(rows, options);
    if ('header' in found) return { sheet: sheet.name, header: found.header, rows };
    await rows.return(undefined);
    seen.push({ sheet, titles: found.titles });
  }
  const { sheet } = seen.find(({ titles }) => titles.length > 0) ?? {};
  if (sheet && options.anyTitles && options.headerRow !== undefined) {
    const rows = flatten(sheet.rows());
    for (let next = await rows.next(); !next.done; next = await rows.next())
      if (next.value.line === options.headerRow) return { sheet: sheet.name, header: next.value, rows };
  }
  return { seen };
};

/**
 * A sheet without titles: the first one in which a column has phone numbers, or the mapping names
 * their column.
 * @throws ServiceError invalid
 */
const findUntitled = async (
  sheets: readonly Sheet[],
  { sheet: wanted, mapping = new Map(), anyTitles }: ContactFileOptions,
): Promise<FoundHeader> => {
  const isMapped = [...mapping.values()].includes('phoneNumber');
  let first: FoundHeader | undefined;
  for (const sheet of sheetsToSearch(sheets, wanted)) {
    const sample = (await firstRows(flatten(sheet.rows()))).map(({ cells }) => cells);
    if (sample.length === 0) continue;
    const width = sample.reduce((widest, cells) => Math.max(widest, cells.length), 0);
    const phoneAt = isMapped ? undefined : findPhoneColumn(sample, (at) => !mapping.has(titleOfLetter(at)));
    const columns = letteredColumns(width, phoneAt, mapping);
    const found = { sheet: sheet.name, headerRow: 0, columns, rows: flatten(sheet.rows()) };
    if (isMapped || phoneAt !== undefined) return found;
    first ??= found;
  }
  if (first === undefined) throw badFile('it is empty', 'FILE_EMPTY');
  if (anyTitles) return first;
  throw badFile(
    'no column holds phone numbers; name their column in `mapping`, for example "column B"',
    'NO_PHONE_COLUMN',
  );
};

const sampledRows = 100;

const firstRows = async (rows: AsyncGenerator<FileRow>): Promise<FileRow[]> => {
  const first: FileRow[] = [];
  for await (const row of rows) {
    if (row.cells.every((cell) => cell.trim() === '')) continue;
    if (first.push(row) === sampledRows) break;
  }
  return first;
};

/** Where the rows of contacts begin, and the field of each column. @throws ServiceError invalid */
const findHeader = async (sheets: readonly Sheet[], options: ContactFileOptions): Promise<FoundHeader> => {
  if (options.headerRow === 0) return findUntitled(sheets, options);
  const found = await findTitles(sheets, options);
  if ('seen' in found) {
    const isFree = options.byContent && options.headerRow === undefined;
    const proposed = isFree ? await findByContent(sheets, options) : undefined;
    if (proposed === undefined) throw headerNotFound(found.seen, options);
    return proposed;
  }
  const { sheet, header, rows } = found;
  const columns = columnsOf(header.cells, options.mapping ?? new Map());
  return { sheet, headerRow: header.line, columns, rows };
};

/** The rows of a file in which no title names the phone numbers, read by their content. */
const findByContent = async (
  sheets: readonly Sheet[],
  { byContent: _, ...options }: ContactFileOptions,
): Promise<FoundHeader | undefined> => {
  for (const sheet of sheetsToSearch(sheets, options.sheet)) {
    const sample = await firstRows(flatten(sheet.rows()));
    if (sample.length === 0) continue;
    const cells = sample.map((row) => row.cells);
    const phoneAt = findPhoneColumn(cells.slice(1), () => true) ?? findPhoneColumn(cells, () => true);
    const first = cells.findIndex((row) => phoneAt !== undefined && looksLikePhone(row[phoneAt] ?? ''));
    if (first === 0) return findUntitled([sheet], options);
    const titles = sample[Math.max(0, first - 1)]!;
    const mapping = new Map(options.mapping);
    const title = phoneAt === undefined ? '' : titles.cells[phoneAt]?.trim() || titleOfLetter(phoneAt);
    if (title !== '' && !mapping.has(title)) mapping.set(title, 'phoneNumber');
    return findHeader([sheet], { ...options, mapping, headerRow: titles.line });
  }
  return undefined;
};

const sheetsToSearch = (sheets: readonly Sheet[], wanted: string | undefined): readonly Sheet[] => {
  if (wanted === undefined) return sheets.filter(({ hidden }) => !hidden);
  const key = (name: string) => name.trim().toLowerCase();
  const named = sheets.filter(({ name }) => name !== '' && key(name) === key(wanted));
  if (named.length > 0) return named;
  const names = sheets.filter(({ name }) => name !== '').map(({ name }) => quote(name));
  const has = names.length > 0 ? `its sheets are ${names.join(', ')}` : 'a CSV file has none';
  throw invalid('sheet', `there is no sheet ${quote(wanted)}; ${has}`);
};

const searchHeader = async (
  rows: AsyncGenerator<FileRow>,
  { headerRow, mapping = new Map() }: ContactFileOptions,
): Promise<{ header: FileRow } | { titles: string[] }> => {
  let titles: string[] = [];
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    const { line, cells } = next.value;
    if (line > (headerRow ?? searchedRows)) break;
    if (headerRow !== undefined && line < headerRow) continue;
    if (hasPhoneTitle(cells, mapping)) return { header: next.value };
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    if (filled.length > titles.length) titles = filled;
  }
  return { titles };
};

async function* flatten(batches: Rows): AsyncGenerator<FileRow> {
  for await (const batch of batches) yield* batch;
}

const maxListed = 10;
const quote = (text: string) => `"${shorten(text)}"`;
const list = (texts: string[]) =>
  texts.slice(0, maxListed).join(', ') + (texts.length > maxListed ? ', …' : '');

const headerNotFound = (seen: readonly Seen[], { headerRow }: ContactFileOptions) => {
  const where = headerRow === undefined ? `its first ${searchedRows} rows hold` : `row ${headerRow} holds`;
  if (headerRow === undefined && seen.every(({ titles }) => titles.length === 0))
    return badFile('it is empty; a row must hold the field titles, one of them "phoneNumber"', 'FILE_EMPTY');
  const sheets = seen.map(({ sheet, titles }) => {
    const nothing = headerRow === undefined ? 'is empty' : 'has nothing there';
    const found = titles.length > 0 ? `has ${list(titles.map(quote))}` : nothing;
    return sheet.name === '' ? `the file ${found}` : `the sheet ${quote(sheet.name)} ${found}`;
  });
  return badFile(
    `${where} no title "phoneNumber" (or phone, mobile, tel, 手机号, 电话): ${list(sheets)}. ` +
      'Add such a title above the phone numbers, name their column in `mapping`, or send `headerRow` 0 if the file has no titles',
    'NO_PHONE_COLUMN',
  );
};
