import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { refused } from '../limits.ts';
import { RowBuilder, type Rows, type Sheet } from '../workbook.ts';
import { type SheetContext, sheetRows } from './xlsx-sheet.ts';
import { sharedStrings } from './xlsx-text.ts';
import { relationsOf, type SheetEntry, sheetsOf, stylesOf } from './xlsx-workbook.ts';

type Parts = Map<string, Buffer>;

export const isXml = (name: string) => /\.(xml|rels|vml)$/i.test(name);
const FOREIGN_ENCODING = /^(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["'](?!utf-8|us-ascii)/i;

/** The sheets of an XLSX workbook whose workbook part is `workbook`. Macros are not read. */
export async function xlsxSheets(parts: Parts, workbook: string): Promise<Sheet[]> {
  for (const [name, part] of parts) if (isXml(name)) checkXml(name, part);
  const relations = await relationsOf(parts, workbook);
  const { sheets, date1904 } = await sheetsOf(parts.get(workbook)!, relations);
  const related = (type: string) =>
    parts.get(relations.find((relation) => relation.type === type)?.target ?? '') ?? Buffer.alloc(0);
  const strings = await sharedStrings(related('sharedStrings'));
  const context = { strings, styles: await stylesOf(related('styles')), date1904 };
  const builder = new RowBuilder();
  return sheets.map((sheet) => ({
    name: sheet.name,
    hidden: sheet.hidden,
    rows: () => rowsOf(parts, sheet, builder, context),
  }));
}

async function* rowsOf(
  parts: Parts,
  { name, part }: SheetEntry,
  builder: RowBuilder,
  context: SheetContext,
): Rows {
  const cells = parts.get(part);
  if (!cells) throw refused(`the workbook is damaged: its sheet "${name}" is missing`);
  for (const batch of sheetRows(cells, builder, context)) {
    yield batch;
    await setImmediate();
  }
}

/** Text that no scanner could take for something else: UTF-8 and without a document type. */
function checkXml(name: string, part: Buffer): void {
  if (!isUtf8(part) || part.includes(0) || FOREIGN_ENCODING.test(part.toString('latin1', 0, 200)))
    throw refused(`the part ${name} of the workbook is not UTF-8`);
  if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY'))
    throw refused(`the part ${name} of the workbook declares a document type, which is not allowed`);
}
