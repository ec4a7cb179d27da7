import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { badFile, maxSheets } from '../limits.ts';
import { RowBuilder, type Rows, type Sheet } from '../workbook.ts';
import { type DateKind, dateKind } from './cell-values.ts';
import { readSharedStrings, type SheetContext, sheetRows } from './xlsx-sheet.ts';
import { eachTag } from './xml-scanner.ts';

type WorkbookParts = Map<string, Buffer>;
type Relation = { id: string; type: string; target: string };
type SheetEntry = { name: string; hidden: boolean; part: string };

export const isXml = (name: string) => /\.(xml|rels|vml)$/i.test(name);
const foreignEncoding = /^(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["'](?!utf-8|us-ascii)/i;

/** The sheets of an XLSX workbook whose workbook part is `workbook`. Macros are not read. */
export const readSheets = async (parts: WorkbookParts, workbook: string): Promise<Sheet[]> => {
  for (const [name, part] of parts) if (isXml(name)) checkXml(name, part);
  const relations = await readRelations(parts, workbook);
  const { sheets, date1904 } = await readSheetEntries(parts.get(workbook)!, relations);
  const related = (type: string) =>
    parts.get(relations.find((relation) => relation.type === type)?.target ?? '') ?? Buffer.alloc(0);
  const strings = await readSharedStrings(related('sharedStrings'));
  const context = { strings, styles: await readStyles(related('styles')), date1904 };
  const builder = new RowBuilder();
  return sheets.map((sheet) => ({
    name: sheet.name,
    hidden: sheet.hidden,
    rows: () => rowsOf(parts, sheet, builder, context),
  }));
};

async function* rowsOf(
  parts: WorkbookParts,
  { name, part }: SheetEntry,
  builder: RowBuilder,
  context: SheetContext,
): Rows {
  const cells = parts.get(part);
  if (!cells) throw badFile(`the workbook is damaged: its sheet "${name}" is missing`);
  for (const batch of sheetRows(cells, builder, context)) {
    yield batch;
    await setImmediate();
  }
}

/** Only text that a scanner cannot misread is accepted: UTF-8, without a document type. */
const checkXml = (name: string, part: Buffer): void => {
  if (!isUtf8(part) || part.includes(0) || foreignEncoding.test(part.toString('latin1', 0, 200)))
    throw badFile(`the part ${name} of the workbook is not UTF-8`);
  if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY'))
    throw badFile(`the part ${name} of the workbook declares a document type, which is not allowed`);
};

/** The relations of a part (`''` for the package), with their targets as part names. */
export const readRelations = async (parts: WorkbookParts, part: string): Promise<Relation[]> => {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const rels = parts.get(`${folder}_rels/${part.slice(folder.length)}.rels`);
  const relations: Relation[] = [];
  await eachTag(rels ?? Buffer.alloc(0), (xml) => {
    if (!xml.opens('Relationship') || xml.attribute('TargetMode') === 'External') return;
    relations.push({
      id: xml.attribute('Id') ?? '',
      type: (xml.attribute('Type') ?? '').replace(/^.*\//, ''),
      // Relative to the part, unless it begins with a slash.
      target: posix.resolve('/', folder, xml.attribute('Target') ?? '').slice(1),
    });
  });
  return relations;
};

/** The sheets with cells in the order of their tabs, and whether their dates count from 1904. */
const readSheetEntries = async (part: Buffer, relations: Relation[]) => {
  let date1904 = false;
  const sheets: SheetEntry[] = [];
  // Of equal ids the first counts.
  const byId = new Map(relations.map((relation) => [relation.id, relation] as const).reverse());
  await eachTag(part, (xml) => {
    if (xml.opens('workbookPr')) date1904 = /^(1|true)$/.test(xml.attribute('date1904') ?? '');
    if (!xml.opens('sheet')) return;
    const { type, target } = byId.get(xml.attribute('id') ?? '') ?? {};
    if (type !== 'worksheet' || target === undefined) return;
    // A part is read for one sheet only: few bytes must not stand for many sheets.
    if (sheets.some((sheet) => sheet.part === target))
      throw badFile('two sheets of the workbook are one part');
    if (sheets.length === maxSheets) throw badFile(`the workbook has more than ${maxSheets} sheets`);
    const hidden = /hidden/i.test(xml.attribute('state') ?? '');
    sheets.push({ name: xml.attribute('name') ?? '', hidden, part: target });
  });
  if (sheets.length === 0) throw badFile('the workbook has no sheet with cells');
  return { sheets, date1904 };
};

/** What each cell style shows: a date, a time or neither. */
const readStyles = async (part: Buffer): Promise<(DateKind | undefined)[]> => {
  const codes = new Map<number, string>();
  // A part may hold millions of styles that all have the same format.
  const known = new Map<number, DateKind | undefined>();
  const kinds: (DateKind | undefined)[] = [];
  let inCells = false;
  await eachTag(part, (xml) => {
    if (xml.opens('numFmt')) codes.set(Number(xml.attribute('numFmtId')), xml.attribute('formatCode') ?? '');
    if (xml.opens('cellXfs')) inCells = true;
    if (xml.closes('cellXfs')) inCells = false;
    if (!inCells || !xml.opens('xf')) return;
    const id = Number(xml.attribute('numFmtId') ?? 0);
    if (!known.has(id)) known.set(id, dateKind(id, codes.get(id)));
    kinds.push(known.get(id));
  });
  return kinds;
};
