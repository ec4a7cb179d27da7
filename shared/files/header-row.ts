import { invalid } from '../domain/errors.ts';
import { hasPhoneTitle } from './contact-columns.ts';
import type { ContactFileOptions } from './contact-table.ts';
import { refused, shown } from './limits.ts';
import type { FileRow, Rows, Sheet } from './workbook.ts';

/** Where titles are looked for: below a headline, a date, a remark. */
const HEADER_ROWS = 20;

type Header = { sheet: string; header: FileRow; rows: AsyncGenerator<FileRow> };
type Seen = { sheet: Sheet; titles: string[] };

/**
 * The row of titles: the first with a phone title, on the first visible sheet that has one within its first
 * rows; or where the options say. @throws ServiceError invalid, telling what was seen instead
 */
export async function findHeader(sheets: readonly Sheet[], options: ContactFileOptions): Promise<Header> {
  const seen: Seen[] = [];
  for (const sheet of candidates(sheets, options.sheet)) {
    const rows = flat(sheet.rows());
    const found = await headerIn(rows, options);
    if ('header' in found) return { sheet: sheet.name, header: found.header, rows };
    await rows.return(undefined);
    seen.push({ sheet, titles: found.titles });
  }
  const { sheet } = seen.find(({ titles }) => titles.length > 0) ?? {};
  if (sheet && options.anyTitles && options.headerRow !== undefined) {
    const rows = flat(sheet.rows());
    for (let next = await rows.next(); !next.done; next = await rows.next())
      if (next.value.line === options.headerRow) return { sheet: sheet.name, header: next.value, rows };
  }
  throw notFound(seen, options);
}

function candidates(sheets: readonly Sheet[], wanted: string | undefined): readonly Sheet[] {
  if (wanted === undefined) return sheets.filter(({ hidden }) => !hidden);
  const key = (name: string) => name.trim().toLowerCase();
  const named = sheets.filter(({ name }) => name !== '' && key(name) === key(wanted));
  if (named.length > 0) return named;
  const names = sheets.filter(({ name }) => name !== '').map(({ name }) => quoted(name));
  const has = names.length > 0 ? `its sheets are ${names.join(', ')}` : 'a CSV file has none';
  throw invalid('sheet', `there is no sheet ${quoted(wanted)}; ${has}`);
}

async function headerIn(
  rows: AsyncGenerator<FileRow>,
  { headerRow, mapping = new Map() }: ContactFileOptions,
): Promise<{ header: FileRow } | { titles: string[] }> {
  let titles: string[] = [];
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    const { line, cells } = next.value;
    if (line > (headerRow ?? HEADER_ROWS)) break;
    if (headerRow !== undefined && line < headerRow) continue;
    if (hasPhoneTitle(cells, mapping)) return { header: next.value };
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    if (filled.length > titles.length) titles = filled;
  }
  return { titles };
}

async function* flat(batches: Rows): AsyncGenerator<FileRow> {
  for await (const batch of batches) yield* batch;
}

const MOST_SHOWN = 10;
const quoted = (text: string) => `"${shown(text)}"`;
const listed = (texts: string[]) =>
  texts.slice(0, MOST_SHOWN).join(', ') + (texts.length > MOST_SHOWN ? ', …' : '');

function notFound(seen: readonly Seen[], { headerRow }: ContactFileOptions) {
  const where = headerRow === undefined ? `its first ${HEADER_ROWS} rows hold` : `row ${headerRow} holds`;
  if (headerRow === undefined && seen.every(({ titles }) => titles.length === 0))
    return refused('it is empty; a row must hold the field titles, one of them "phoneNumber"');
  const places = seen.map(({ sheet, titles }) => {
    const nothing = headerRow === undefined ? 'is empty' : 'has nothing there';
    const found = titles.length > 0 ? `has ${listed(titles.map(quoted))}` : nothing;
    return sheet.name === '' ? `the file ${found}` : `the sheet ${quoted(sheet.name)} ${found}`;
  });
  return refused(
    `${where} no title "phoneNumber" (or phone, mobile, tel, 手机号, 电话): ${listed(places)}. ` +
      'Write such a title above the phone numbers, or say in `mapping` which column holds them',
  );
}
