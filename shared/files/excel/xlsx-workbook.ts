import { posix } from 'node:path';
import { MAX_SHEETS, refused } from '../limits.ts';
import { type DateKind, dateKind } from './cell-values.ts';
import { eachTag } from './xml-scanner.ts';

export type Relation = { id: string; type: string; target: string };

/** The relations of a part (`''` for the package), their targets as part names. */
export async function relationsOf(parts: Map<string, Buffer>, part: string): Promise<Relation[]> {
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
}

export type SheetEntry = { name: string; hidden: boolean; part: string };

/** The sheets with cells in the order of their tabs, and which day their dates count from. */
export async function sheetsOf(
  part: Buffer,
  relations: Relation[],
): Promise<{ sheets: SheetEntry[]; date1904: boolean }> {
  let date1904 = false;
  const sheets: SheetEntry[] = [];
  // Of equal ids the first counts.
  const byId = new Map(relations.map((relation) => [relation.id, relation] as const).reverse());
  await eachTag(part, (xml) => {
    if (xml.opens('workbookPr')) date1904 = /^(1|true)$/.test(xml.attribute('date1904') ?? '');
    if (!xml.opens('sheet')) return;
    const { type, target } = byId.get(xml.attribute('id') ?? '') ?? {};
    if (type !== 'worksheet' || target === undefined) return;
    // Read once only: few bytes must not stand for many sheets.
    if (sheets.some((sheet) => sheet.part === target))
      throw refused('two sheets of the workbook are one part');
    if (sheets.length === MAX_SHEETS) throw refused(`the workbook has more than ${MAX_SHEETS} sheets`);
    const hidden = /hidden/i.test(xml.attribute('state') ?? '');
    sheets.push({ name: xml.attribute('name') ?? '', hidden, part: target });
  });
  if (sheets.length === 0) throw refused('the workbook has no sheet with cells');
  return { sheets, date1904 };
}

/** What each cell style shows: a date, a time or neither. */
export async function stylesOf(part: Buffer): Promise<(DateKind | undefined)[]> {
  const codes = new Map<number, string>();
  // A part may hold millions of styles, of one format all.
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
}
