import { knownFields, outcomeTitles, reservedFields } from '../domain/contact.ts';
import type { FileRow } from './file-row.ts';
import { MAX_ROWS, refused, tooLarge } from './limits.ts';
import { readRows } from './read-rows.ts';

/**
 * One contact of a file: its fields as name and text, empty cells left out. Pairs, not an object: a title may
 * be `__proto__`. `untitled` tells that the row has text in a column without a title, as it does when a
 * delimiter inside a cell was not quoted.
 */
export type ContactRow = { line: number; values: [name: string, value: string][]; untitled: boolean };

const KNOWN = new Map(['phoneNumber', ...knownFields].map((name) => [name.toLowerCase(), name]));
const MAX_TITLE_CHARACTERS = 64;

type Column = { name: string } | 'reserved' | 'untitled';

/** The contacts of a CSV or Excel file. Throws 'invalid' or 'tooLarge', the latter after 10,000 rows at the latest. */
export async function* readContactFile(file: Uint8Array): AsyncGenerator<ContactRow> {
  let columns: Column[] | undefined;
  let rows = 0;
  for await (const { line, cells } of readRows(file)) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (!columns) columns = columnsOf(cells);
    else if (++rows > MAX_ROWS) throw tooLarge(`it has more than ${MAX_ROWS} rows; split it`);
    else yield contactRow({ line, cells }, columns);
  }
  if (!columns) throw refused('it is empty; the first row must hold the field titles');
}

function contactRow({ line, cells }: FileRow, columns: Column[]): ContactRow {
  const values: [string, string][] = [];
  let untitled = false;
  for (const [at, cell] of cells.entries()) {
    const column = columns[at] ?? 'untitled';
    if (cell === '' || column === 'reserved') continue;
    if (column === 'untitled') untitled ||= cell.trim() !== '';
    else values.push([column.name, cell]);
  }
  return { line, values, untitled };
}

function columnsOf(cells: string[]): Column[] {
  const titles = cells.map((cell) => cell.trim());
  const columns = titles.map((title, at) => (isOutcome(at, titles) ? 'reserved' : columnOf(title, titles)));
  const names = columns.flatMap((column) => (typeof column === 'object' ? [column.name] : []));
  const repeated =
    firstRepeated(names) ?? firstRepeated(titles.filter((_, at) => columns[at] === 'reserved'));
  if (repeated !== undefined) throw refused(`the title "${repeated}" appears twice`);
  if (!names.includes('phoneNumber')) throw refused('the first row has no title "phoneNumber"');
  return columns;
}

const firstRepeated = (texts: string[]) => texts.find((text, at) => texts.indexOf(text) !== at);

/** The export of a task, told by its column `contactId`, ends with what came of the calls. */
const isOutcome = (at: number, titles: string[]): boolean =>
  titles.includes('contactId') &&
  outcomeTitles.has(titles[at] as string) &&
  titles.lastIndexOf(titles[at] as string) === at;

function columnOf(title: string, titles: string[]): Column {
  if (title === '') return 'untitled';
  // As written only: an export may hold both `status` and a custom field `Status`.
  if (reservedFields.has(title)) return 'reserved';
  if ([...title].length > MAX_TITLE_CHARACTERS)
    throw refused(`the title "${title.slice(0, 20)}…" is longer than ${MAX_TITLE_CHARACTERS} characters`);
  const known = KNOWN.get(title.toLowerCase());
  if (known === undefined) return { name: title };
  // So may it hold `address` and `Address`; but a second phone number is never taken for a custom field.
  const isCustom = known !== title && known !== 'phoneNumber' && titles.includes(known);
  return { name: isCustom ? title : known };
}
