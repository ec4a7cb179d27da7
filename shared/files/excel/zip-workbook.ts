import type { FileSource } from '../file-source.ts';
import { badFile, type FileLimits } from '../limits.ts';
import type { Workbook } from '../workbook.ts';
import { unzip } from '../zip/zip-reader.ts';
import { openSmall } from './other-workbook.ts';
import { isXml, readRelations, readSheets, wholePart, xmlCheck } from './xlsx-reader.ts';
import { eachTag } from './xml-scanner.ts';

const openDocument = 'application/vnd.oasis.opendocument.spreadsheet';

/** Opens a workbook that is a zip archive of parts: XLSX, XLSM, XLSB or ODS. @throws ServiceError invalid, tooLarge */
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

/** The hidden sheets of an OpenDocument, by their style. SheetJS does not tell which are hidden. */
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
