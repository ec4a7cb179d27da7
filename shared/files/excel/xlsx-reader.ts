import { isUtf8 } from 'node:buffer';
import type { FileRow } from '../file-row.ts';
import { refused } from '../limits.ts';
import { unzip } from '../zip/zip-reader.ts';
import { sheetRows } from './xlsx-sheet.ts';
import { SharedStrings } from './xlsx-text.ts';
import { relationsOf, stylesOf, workbookOf } from './xlsx-workbook.ts';

const isXml = (name: string) => /\.(xml|rels|vml)$/i.test(name);
const FOREIGN_ENCODING = /^(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["'](?!utf-8|us-ascii)/i;

/** The rows of an XLSX workbook's first sheet. Macros are refused: a contact list needs none. */
export async function* readXlsx(file: Buffer): AsyncGenerator<FileRow> {
  const parts = await unzip(file, (name) => isXml(name) || name.endsWith('.bin'));
  for (const [name, part] of parts) if (isXml(name)) checkXml(name, part);
  const workbook = relationsOf(parts, '').find(({ type }) => type === 'officeDocument');
  const book = workbook && parts.get(workbook.target);
  if (!book) throw refused('it is a zip archive, but not an Excel workbook');
  const relations = relationsOf(parts, workbook.target);
  checkKind(workbook.target, [...parts.keys()]);
  const { sheet, date1904 } = workbookOf(book, relations);
  const related = (type: string) =>
    parts.get(relations.find((relation) => relation.type === type)?.target ?? '') ?? Buffer.alloc(0);
  const cells = parts.get(sheet);
  if (!cells) throw refused('the workbook is damaged: its first sheet is missing');
  const strings = new SharedStrings(related('sharedStrings'));
  yield* sheetRows(cells, { strings, styles: stylesOf(related('styles')), date1904 });
}

function checkKind(workbook: string, names: string[]): void {
  if (names.some((name) => /vbaproject\.bin$/i.test(name)))
    throw refused('the workbook holds macros; save it as .xlsx without them');
  if (workbook.endsWith('.bin')) throw refused('it is a binary workbook (.xlsb); save it as .xlsx');
  if (!workbook.startsWith('xl/')) throw refused('it is an Office document, but not an Excel workbook');
}

/** Text that no scanner could take for something else: UTF-8 and without a document type. */
function checkXml(name: string, part: Buffer): void {
  if (!isUtf8(part) || part.includes(0) || FOREIGN_ENCODING.test(part.toString('latin1', 0, 200)))
    throw refused(`the part ${name} of the workbook is not UTF-8`);
  if (part.includes('<!DOCTYPE') || part.includes('<!ENTITY'))
    throw refused(`the part ${name} of the workbook declares a document type, which is not allowed`);
}
