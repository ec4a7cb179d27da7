import { posix } from 'node:path';
import {
  badFile,
  type FileLimits,
  type FileSource,
  maxSheets,
  maxUnpackedBytes,
  RowBuilder,
  tooLarge,
  Utf8Check,
  type Workbook,
} from '../workbook.ts';
import { openSmall } from './other-workbook.ts';
import { type DateKind, dateKind, readSharedTexts, sheetRows } from './xlsx-sheet.ts';
import { eachTag } from './xml-scanner.ts';
import { unzip, type ZipPart } from './zip-reader.ts';

const openDocument = 'application/vnd.oasis.opendocument.spreadsheet';

/**
 * Opens a workbook that is a zip archive of parts: XLSX, XLSM, XLSB or ODS.
 * @throws ServiceError invalid, tooLarge
 */
export const openZip = async (file: FileSource, limits: FileLimits): Promise<Workbook> => {
  const parts = await unzip(file, limits, (name) => (isXml(name) ? xmlCheck(name) : () => undefined));
  const names = new Set([...parts.keys()].map((name) => name.toLowerCase()));
  if ((await wholePart(parts.get('mimetype'))).toString('latin1', 0, openDocument.length) === openDocument) {
    if ((await wholePart(parts.get('META-INF/manifest.xml'))).includes('encryption-data'))
      throw badFile('the workbook is protected by a password; save it without one', 'FILE_PROTECTED');
    const hidden = await hiddenTables(await wholePart(parts.get('content.xml')));
    const small = await openSmall(file, 'ods');
    const sheets = small.sheets.map((sheet) => ({ ...sheet, hidden: hidden.has(sheet.name) }));
    return { ...small, sheets };
  }
  const workbook =
    (await readRelations(parts, '')).find(({ type }) => type === 'officeDocument')?.target ?? '';
  if (names.has(workbook.toLowerCase()) && workbook.endsWith('.bin')) return openSmall(file, 'xlsb');
  if (!parts.has(workbook))
    throw badFile(
      'it is a zip archive, but not a workbook; unpack it and send the file inside, as .xlsx or .csv',
      'NOT_A_TABLE',
    );
  if (!workbook.startsWith('xl/'))
    throw badFile(
      'it is an Office document, but not a workbook; copy its table to a spreadsheet, save it as .xlsx',
      'NOT_A_TABLE',
    );
  return {
    kind: names.has('xl/vbaproject.bin') ? 'xlsm' : 'xlsx',
    ...(await readSheets(parts, workbook, limits)),
  };
};

/** The hidden sheets of an OpenDocument, by their style. SheetJS does not tell them. */
const hiddenTables = async (content: Buffer): Promise<Set<string>> => {
  const styles = new Set<string>();
  const tables = new Set<string>();
  let style = '';
  await eachTag(content, (xml) => {
    if (xml.opens('style')) style = xml.attribute('name') ?? '';
    if (xml.opens('table-properties') && xml.attribute('display') === 'false') styles.add(style);
    if (xml.opens('table') && styles.has(xml.attribute('style-name') ?? ''))
      tables.add(xml.attribute('name') ?? '');
  });
  return tables;
};

type WorkbookParts = ReadonlyMap<string, ZipPart>;
type Relation = { id: string; type: string; target: string };
type SheetEntry = { name: string; hidden: boolean; part: string };

const isXml = (name: string) => /\.(xml|rels|vml)$/i.test(name);
const foreignEncoding = /^(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["'](?!utf-8|us-ascii)/i;

/** The whole of a part that describes the workbook. Only sheets and shared texts are larger. */
const wholePart = async (part: ZipPart | undefined): Promise<Buffer> => {
  if (part === undefined) return Buffer.alloc(0);
  if (part.size > maxUnpackedBytes) throw tooLarge('a part of the workbook is too large');
  const chunks: Buffer[] = [];
  for await (const chunk of part.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** The sheets of an XLSX workbook whose workbook part is `workbook`. Macros are not read. */
const readSheets = async (
  parts: WorkbookParts,
  workbook: string,
  limits: FileLimits,
): Promise<Pick<Workbook, 'sheets' | 'close'>> => {
  const relations = await readRelations(parts, workbook);
  const { sheets, date1904 } = await readSheetEntries(await wholePart(parts.get(workbook)), relations);
  const related = (type: string) =>
    parts.get(relations.find((relation) => relation.type === type)?.target ?? '');
  const styles = await readStyles(await wholePart(related('styles')));
  const texts = await readSharedTexts(related('sharedStrings'), limits);
  const builder = new RowBuilder(limits);
  const rowsOf = ({ name, part }: SheetEntry) => {
    const cells = parts.get(part);
    if (!cells) throw badFile(`the workbook is damaged: its sheet "${name}" is missing`);
    return sheetRows(cells, limits, builder, { texts, styles, date1904 });
  };
  return {
    sheets: sheets.map((sheet) => ({
      name: sheet.name,
      hidden: sheet.hidden,
      rows: () => rowsOf(sheet),
    })),
    close: () => texts.close(),
  };
};

const longestForbidden = '<!DOCTYPE'.length;

/**
 * Checks the chunks of a part. Only text that a scanner cannot misread is accepted: UTF-8, without
 * a document type.
 */
const xmlCheck = (name: string) => {
  const utf8 = new Utf8Check();
  let seen: Buffer | undefined;
  const notUtf8 = () => badFile(`the part ${name} of the workbook is not UTF-8`);
  return (chunk: Buffer | undefined): void => {
    if (chunk === undefined) {
      if (!utf8.isEnded()) throw notUtf8();
      return;
    }
    const isForeign = seen === undefined && foreignEncoding.test(chunk.toString('latin1', 0, 200));
    if (isForeign || !utf8.takes(chunk) || chunk.includes(0)) throw notUtf8();
    const text = seen ? Buffer.concat([seen, chunk]) : chunk;
    if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY'))
      throw badFile(`the part ${name} of the workbook declares a document type, which is not allowed`);
    seen = Buffer.from(text.subarray(-longestForbidden));
  };
};

/** The relations of a part (`''` for the package), with their targets as part names. */
const readRelations = async (parts: WorkbookParts, part: string): Promise<Relation[]> => {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const rels = await wholePart(parts.get(`${folder}_rels/${part.slice(folder.length)}.rels`));
  const relations: Relation[] = [];
  await eachTag(rels, (xml) => {
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
  // Of several equal ids the first counts.
  const byId = new Map(relations.map((relation) => [relation.id, relation] as const).reverse());
  await eachTag(part, (xml) => {
    if (xml.opens('workbookPr')) date1904 = /^(1|true)$/.test(xml.attribute('date1904') ?? '');
    if (!xml.opens('sheet')) return;
    const { type, target } = byId.get(xml.attribute('id') ?? '') ?? {};
    if (type !== 'worksheet' || target === undefined) return;
    // A part may be the part of one sheet only, so that few bytes do not stand for many sheets.
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
  // A part may have millions of styles with the same format.
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
