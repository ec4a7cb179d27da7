import { refused } from '../limits.ts';
import { type DateKind, dateKind } from './number-format.ts';
import { XmlScanner } from './xml-scanner.ts';

export type Relation = { id: string; type: string; target: string };

/** The relations of a part (`''` for the package), their targets as part names. */
export function relationsOf(parts: Map<string, Buffer>, part: string): Relation[] {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const rels = parts.get(`${folder}_rels/${part.slice(folder.length)}.rels`);
  const relations: Relation[] = [];
  const xml = new XmlScanner(rels ?? Buffer.alloc(0));
  while (xml.nextTag()) {
    if (!xml.opens('Relationship') || xml.attribute('TargetMode') === 'External') continue;
    relations.push({
      id: xml.attribute('Id') ?? '',
      type: (xml.attribute('Type') ?? '').replace(/^.*\//, ''),
      target: partName(folder, xml.attribute('Target') ?? ''),
    });
  }
  return relations;
}

function partName(folder: string, target: string): string {
  const name: string[] = [];
  for (const segment of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (segment === '..') name.pop();
    else if (segment !== '' && segment !== '.') name.push(segment);
  }
  return name.join('/');
}

export type Workbook = { sheet: string; date1904: boolean };

/** Where the first sheet is, and which day its dates count from. */
export function workbookOf(part: Buffer, relations: Relation[]): Workbook {
  let date1904 = false;
  // Of equal ids the first counts.
  const byId = new Map(relations.map((relation) => [relation.id, relation] as const).reverse());
  const xml = new XmlScanner(part);
  while (xml.nextTag()) {
    if (xml.opens('workbookPr')) date1904 = /^(1|true)$/.test(xml.attribute('date1904') ?? '');
    if (!xml.opens('sheet')) continue;
    const relation = byId.get(xml.attribute('id') ?? '');
    if (relation?.type === 'worksheet') return { sheet: relation.target, date1904 };
  }
  throw refused('the workbook has no sheet with cells');
}

/** What each cell style shows: a date, a time or neither. */
export function stylesOf(part: Buffer): (DateKind | undefined)[] {
  const codes = new Map<number, string>();
  // A part may hold millions of styles, of one format all.
  const known = new Map<number, DateKind | undefined>();
  const kinds: (DateKind | undefined)[] = [];
  let inCells = false;
  const xml = new XmlScanner(part);
  while (xml.nextTag()) {
    if (xml.opens('numFmt')) codes.set(Number(xml.attribute('numFmtId')), xml.attribute('formatCode') ?? '');
    if (xml.opens('cellXfs')) inCells = true;
    if (xml.closes('cellXfs')) inCells = false;
    if (!inCells || !xml.opens('xf')) continue;
    const id = Number(xml.attribute('numFmtId') ?? 0);
    if (!known.has(id)) known.set(id, dateKind(id, codes.get(id)));
    kinds.push(known.get(id));
  }
  return kinds;
}
