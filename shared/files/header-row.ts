import { invalid } from '../domain/errors.ts';
import { hasPhoneTitle, type Mapping } from './contact-columns.ts';
import { badFile, shorten } from './limits.ts';
import type { FileRow, Rows, Sheet } from './workbook.ts';

/** How a client wants a file to be read. What it does not say is found in the file. */
export type ContactFileOptions = {
  /** Field name by title (or `column F`); `''` ignores the column. */
  mapping?: Mapping;
  sheet?: string;
  /** The line of the titles, from 1. */
  headerRow?: number;
  /** Accepts a `headerRow` without a phone title: the person who sees the preview says which column it is. */
  anyTitles?: boolean;
};

/** How many rows are searched for titles, which may follow a headline, a date or a remark. */
const searchedRows = 20;

type Header = { sheet: string; header: FileRow; rows: AsyncGenerator<FileRow> };
type Seen = { sheet: Sheet; titles: string[] };

/**
 * Finds the row of titles: the first row with a phone title, on the first visible sheet that has one within its first
 * rows, or where the options say. @throws ServiceError invalid, with the titles that were found instead
 */
export const findHeader = async (sheets: readonly Sheet[], options: ContactFileOptions): Promise<Header> => {
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
  throw headerNotFound(seen, options);
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
    return badFile('it is empty; a row must hold the field titles, one of them "phoneNumber"');
  const places = seen.map(({ sheet, titles }) => {
    const nothing = headerRow === undefined ? 'is empty' : 'has nothing there';
    const found = titles.length > 0 ? `has ${list(titles.map(quote))}` : nothing;
    return sheet.name === '' ? `the file ${found}` : `the sheet ${quote(sheet.name)} ${found}`;
  });
  return badFile(
    `${where} no title "phoneNumber" (or phone, mobile, tel, 手机号, 电话): ${list(places)}. ` +
      'Add such a title above the phone numbers, or name their column in `mapping`',
  );
};
