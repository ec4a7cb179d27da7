import * as XLSX from 'xlsx';
import { type Hostile, hostile } from './hostile.ts';
import { bomb, type ForgedPart, forged, zipOf } from './workbook-zip.ts';

const MB = 1024 * 1024;

const workbook = (cells: string[][], bookType: 'xlsb' | 'ods' = 'xlsb'): Buffer => {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), 'One');
  return XLSX.write(book, { type: 'buffer', bookType, compression: true }) as Buffer;
};

/** The parts of an archive that SheetJS wrote, to be forged. */
const partsOf = (file: Buffer): ForgedPart[] => {
  const { FullPaths, FileIndex } = XLSX.CFB.read(file, { type: 'buffer' }) as {
    FullPaths: string[];
    FileIndex: { content?: Uint8Array }[];
  };
  return FullPaths.map((path, at) => ({
    name: path.replace(/^Root Entry\//, ''),
    content: Buffer.from(FileIndex[at]?.content ?? []),
  })).filter(({ name, content }) => content.length > 0 && !name.endsWith('/') && !name.startsWith('\u0001'));
};

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

/** A record of an XLSB part has its kind in one byte or two, then its length. */
function* recordsOf(part: Buffer): Generator<{ kind: number; start: number; data: number }> {
  let at = 0;
  const number = (bytes: number) => {
    let value = 0;
    for (let i = 0; i < bytes; i++) {
      const byte = part[at++] as number;
      value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < part.length) {
    const start = at;
    const kind = number(2);
    const length = number(4);
    yield { kind, start, data: at };
    at += length;
  }
}

/** The sheet with its last row `count` times more; SheetJS takes ten seconds to write as many. */
const withRowsMore = (sheet: Buffer, count: number): Buffer => {
  const [rowHeader, endOfRows, dimensions] = [0, 0x92, 0x94];
  const records = [...recordsOf(sheet)];
  const last = records.findLast(({ kind }) => kind === rowHeader)!;
  const end = records.find(({ kind }) => kind === endOfRows)!;
  const lastRow = sheet.readUInt32LE(last.data);
  const rows = upTo(count).map((at) => {
    const row = Buffer.from(sheet.subarray(last.start, end.start));
    row.writeUInt32LE(lastRow + 1 + at, last.data - last.start);
    return row;
  });
  const longer = Buffer.concat([sheet.subarray(0, end.start), ...rows, sheet.subarray(end.start)]);
  longer.writeUInt32LE(lastRow + count, records.find(({ kind }) => kind === dimensions)!.data + 4);
  return longer;
};

export const hostileXlsb = (): Hostile[] => {
  const whole = workbook([['phoneNumber'], ['13800138000']]);
  const parts = partsOf(whole);
  const sheetPart = 'xl/worksheets/sheet1.bin';
  const noise = Buffer.alloc(20_000, Buffer.from('9d0a7f13ff80', 'hex'));
  const change = (name: string, content: Buffer) => zipOf(forged(parts, name, { content }));
  const sheet = Buffer.from(parts.find(({ name }) => name === sheetPart)?.content ?? '');
  return hostile({
    invalid: {
      'XLSB cut in half': whole.subarray(0, whole.length >> 1),
      'XLSB with a workbook of noise': change('xl/workbook.bin', noise),
      'XLSB with a sheet of noise': change(sheetPart, noise),
      'XLSB with a sheet cut off': change(sheetPart, sheet.subarray(0, sheet.length >> 1)),
      'XLSB without its sheet': zipOf(parts.filter(({ name }) => name !== sheetPart)),
      'XLSB of 201 columns': workbook([['phoneNumber', ...upTo(200).map((at) => `t${at}`)]]),
      'XLSB without a phone title': workbook([['x'], ['13800138000']]),
    },
    tooLarge: {
      'XLSB with a bomb beside': zipOf([...parts, bomb('a.bin', 65)]),
      'XLSB of 10,001 rows': change(sheetPart, withRowsMore(sheet, 10_000)),
    },
    nothing: {
      'XLSB of titles alone': workbook([['phoneNumber']]),
    },
  });
};

const openDocumentType = 'application/vnd.oasis.opendocument.spreadsheet';
const oasisNamespace = 'urn:oasis:names:tc:opendocument:xmlns';
const cell = (text: string, more = '') =>
  `<table:table-cell office:value-type="string"${more}><text:p>${text}</text:p></table:table-cell>`;
const row = (cells: string, more = '') => `<table:table-row${more}>${cells}</table:table-row>`;
const document = (table: string, before = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}<office:document-content xmlns:office="${oasisNamespace}:office:1.0" ` +
  `xmlns:table="${oasisNamespace}:table:1.0" xmlns:text="${oasisNamespace}:text:1.0" xmlns:style="${oasisNamespace}:style:1.0" office:version="1.2">` +
  `<office:body><office:spreadsheet>${table}</office:spreadsheet></office:body></office:document-content>`;
const table = (rows: string) => document(`<table:table table:name="One">${rows}</table:table>`);

const manifest = (more = '') =>
  `<manifest:manifest xmlns:manifest="${oasisNamespace}:manifest:1.0"><manifest:file-entry manifest:full-path="/" ` +
  `manifest:media-type="${openDocumentType}"/><manifest:file-entry manifest:full-path="content.xml" ` +
  `manifest:media-type="text/xml">${more}</manifest:file-entry></manifest:manifest>`;

/** What a real reader opens, given the XML of its content. */
const openDocument = (content: string, ...more: ForgedPart[]) =>
  zipOf([
    { name: 'mimetype', content: openDocumentType, packed: Buffer.from(openDocumentType), method: 0 },
    { name: 'META-INF/manifest.xml', content: manifest() },
    { name: 'styles.xml', content: `<office:document-styles xmlns:office="${oasisNamespace}:office:1.0"/>` },
    { name: 'content.xml', content },
    ...more,
  ]);

const titleRow = row(cell('phoneNumber'));
export const honestOpenDocument = () => openDocument(table(titleRow + row(cell('13800138000'))));

export const hostileOpenDocuments = (): Hostile[] => {
  const repeated = (name: string, count: number) => ` table:number-${name}-repeated="${count}"`;
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
  const locked: ForgedPart = {
    name: 'META-INF/manifest.xml',
    content: manifest('<manifest:encryption-data/>'),
  };
  const parts = [
    { name: 'mimetype', content: openDocumentType },
    locked,
    { name: 'content.xml', content: 'x' },
  ];
  const whole = honestOpenDocument();
  return hostile({
    invalid: {
      'ODS without content': zipOf([{ name: 'mimetype', content: openDocumentType }]),
      'ODS that is no XML': openDocument('phoneNumber'),
      'ODS with a document type': openDocument(document(`<table:table/>`, laughs)),
      'ODS with a password': zipOf(parts),
      'ODS cut in half': whole.subarray(0, whole.length >> 1),
      'ODS whose XML is cut off': openDocument(`${table(titleRow).slice(0, -120)}<table:table-row`),
      'ODS without a sheet': openDocument(document('')),
      'ODS of one row a million times': openDocument(
        table(titleRow + row(cell('138'), repeated('rows', MB))),
      ),
      'ODS of one cell 16,384 times': openDocument(
        table(titleRow + row(cell('138', repeated('columns', 16_384)))),
      ),
      'ODS of 201 columns': openDocument(
        table(
          row(
            cell('phoneNumber') +
              upTo(200)
                .map((at) => cell(`t${at}`))
                .join(''),
          ),
        ),
      ),
      'ODS with a long text': openDocument(table(titleRow + row(cell('x'.repeat(40_000))))),
      'ODS without a phone title': openDocument(table(row(cell('x')))),
    },
    tooLarge: {
      'ODS of 10,001 rows': openDocument(table(titleRow + row(cell('13800138000')).repeat(10_001))),
      'ODS with a bomb beside': openDocument(table(titleRow), bomb('Pictures/a.png', 65)),
    },
    nothing: {
      'ODS of empty rows without end': openDocument(
        table(titleRow + row('<table:table-cell/>', repeated('rows', MB))),
      ),
      'ODS of titles alone': openDocument(table(titleRow)),
      'ODS with spans within spans': openDocument(
        table(titleRow + row(cell(`${'<text:span>'.repeat(50_000)}x${'</text:span>'.repeat(50_000)}`))),
      ),
    },
  });
};
