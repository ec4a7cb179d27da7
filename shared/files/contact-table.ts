import { invalid } from '../domain/errors.ts';
import { type ContactColumn, columnsOf, type Mapping, untitledFieldOf } from './contact-columns.ts';
import { findHeader } from './header-row.ts';
import { MAX_ROWS, refused, tooLarge } from './limits.ts';
import { openWorkbook } from './open-workbook.ts';
import { columnName, type FileKind, type FileRow } from './workbook.ts';

/** How a client may tell us to read a file; what it leaves out we find ourselves. */
export type ContactFileOptions = {
  /** Field name by title (or `column F`); `''` leaves the column out. */
  mapping?: Mapping;
  sheet?: string;
  /** The line of the titles, from 1. */
  headerRow?: number;
  /** Whether the titles of that line may name no phone number: its reader is to say which column holds them. */
  anyTitles?: boolean;
};

/**
 * One contact of a file: its fields as name and text, empty cells left out. Pairs, not an object: a title may
 * be `__proto__`. `cells` are the row as it stood in the file, to be given back with `columns`.
 */
export type ContactRow = { line: number; values: [name: string, value: string][]; cells: string[] };

export type ContactTable = {
  kind: FileKind;
  /** The visible sheets; a CSV file has none, and its `sheet` is `''`. */
  sheets: string[];
  sheet: string;
  headerRow: number;
  /** Those of the title row; rows may have text under no title to the right of them. */
  columns: ContactColumn[];
  /** Can be read once. Throws 'invalid' or 'tooLarge', the latter after 10,000 rows at the latest. */
  rows: AsyncGenerator<ContactRow>;
};

/** Opens a contact file and finds its titles. @throws ServiceError invalid, tooLarge */
export async function openContactFile(
  file: Uint8Array,
  options: ContactFileOptions = {},
): Promise<ContactTable> {
  const { mapping = new Map() } = options;
  const { kind, sheets } = await openWorkbook(file, mapping);
  const { sheet, header, rows } = await findHeader(sheets, options);
  const columns = columnsOf(header.cells, mapping);
  checkMapping(columns, mapping);
  return {
    kind,
    sheets: sheets.filter(({ name, hidden }) => name !== '' && !hidden).map(({ name }) => name),
    sheet,
    headerRow: header.line,
    columns,
    rows: contactRows(rows, columns, mapping, kind === 'csv' && !isOwnExport(columns)),
  };
}

function checkMapping(columns: readonly ContactColumn[], mapping: Mapping): void {
  const known = new Set(columns.map(({ title }) => title));
  for (const title of mapping.keys()) {
    if (known.has(title) || /^column [A-Z]{1,3}$/.test(title)) continue;
    const titles = [...known].filter((text) => text !== '').join('", "');
    throw invalid('mapping', `there is no title "${title}"; the titles are "${titles}"`);
  }
}

/** What a spreadsheet writes into a CSV file for a cell that holds an error. */
const ERROR = /^#(?:N\/A|DIV\/0!|NAME\?|NULL!|NUM!|REF!|VALUE!)$/;

/** Our own files, of a data source or a task, hold no errors: there such a text is the text of a field. */
const isOwnExport = (columns: readonly ContactColumn[]) => {
  const has = (own: string) => columns.some(({ title }) => title === own);
  return has('phoneNumber') && has('callCount') && (has('createTime') || has('contactId'));
};

async function* contactRows(
  rows: AsyncIterable<FileRow>,
  columns: readonly ContactColumn[],
  mapping: Mapping,
  errorsAsText: boolean,
): AsyncGenerator<ContactRow> {
  const fields = columns.map(({ field }) => field);
  let count = 0;
  for await (const { line, cells } of rows) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (++count > MAX_ROWS) throw tooLarge(`it has more than ${MAX_ROWS} rows; split it`);
    const values: [string, string][] = [];
    for (let at = 0; at < cells.length; at++) {
      const cell = cells[at]!;
      const isTitled = at < columns.length && columns[at]!.title !== '';
      if (isTitled ? cell === '' : cell.trim() === '') continue;
      if (errorsAsText && ERROR.test(cell)) continue;
      const field = fields[at] ?? fieldBeyond(at, columns, mapping);
      fields[at] = field;
      if (field !== '') values.push([field, cell]);
    }
    yield { line, values, cells };
  }
}

/** The field of a column to the right of the titles. */
function fieldBeyond(at: number, columns: readonly ContactColumn[], mapping: Mapping): string {
  const field = untitledFieldOf(at, mapping);
  const taken = columns.find((column) => field !== '' && column.field === field);
  if (taken === undefined) return field;
  throw refused(
    `columns ${taken.column} and ${columnName(at)} both go to the field "${field}"; give the latter a title`,
  );
}
