import { deflateRawSync } from 'node:zlib';
import * as XLSX from 'xlsx';
import { type ForgedPart, forged, workbookParts, zipOf } from './workbook-zip.ts';

export type HostileFile = { name: string; bytes: Buffer; code: 'invalid' | 'tooLarge' };

const MB = 1024 * 1024;
const SHEET = 'xl/worksheets/sheet1.xml';
const TITLES = '<row r="1"><c r="A1" t="inlineStr"><is><t>phoneNumber</t></is></c></row>';
const ROWS = `${TITLES}<row r="2"><c r="A2"><v>13800138000</v></c></row>`;
const HONEST = workbookParts(ROWS);

const sheet = (xml: string) => zipOf(forged(HONEST, SHEET, { content: xml }));
const rows = (xml: string) => zipOf(workbookParts(xml));
const added = (...parts: ForgedPart[]) => zipOf([...HONEST, ...parts]);
const csv = (text: string) => Buffer.from(text);

/** Files that no client has a reason to send, or only by mistake; each must be refused with the code beside it. */
export function hostileFiles(): HostileFile[] {
  const all = [...archives(), ...sheets(), ...oldWorkbooks(), ...texts(), ...otherKinds()];
  return all.map(([name, code, bytes]) => ({ name, code, bytes }));
}

type Hostile = [name: string, code: HostileFile['code'], bytes: Buffer];

function archives(): Hostile[] {
  const bomb = deflateRawSync(Buffer.alloc(90 * MB));
  const whole = zipOf(HONEST);
  const huge = Buffer.alloc(40 * MB, ' ');
  return [
    [
      'zip bomb that says its size',
      'tooLarge',
      added({ name: 'xl/media/a.bin', content: Buffer.alloc(80 * MB) }),
    ],
    [
      'zip bomb in two parts',
      'tooLarge',
      added({ name: 'a.xml', content: huge }, { name: 'b.xml', content: huge }),
    ],
    [
      'zip bomb with a small forged size',
      'invalid',
      zipOf(forged(HONEST, SHEET, { packed: bomb, size: 1000 })),
    ],
    ['size forged to 4 GB', 'tooLarge', zipOf(forged(HONEST, SHEET, { size: 0xfffffff0 }))],
    ['size forged to zip64', 'tooLarge', zipOf(forged(HONEST, SHEET, { size: 0xffffffff }))],
    ['size forged to more than there is', 'invalid', zipOf(forged(HONEST, SHEET, { size: 60 * MB }))],
    ['local header with another size', 'invalid', zipOf(forged(HONEST, SHEET, { localSize: 7 }))],
    [
      'local header with another name',
      'invalid',
      zipOf(forged(HONEST, SHEET, { localName: 'xl/other.xml' })),
    ],
    ['wrong check sum', 'invalid', zipOf(forged(HONEST, SHEET, { crc: 1 }))],
    [
      'parts that overlap',
      'invalid',
      zipOf([...HONEST, { name: 'b.xml', content: 'x', offset: 0, localName: 'b.xml' }]),
    ],
    ['part beyond the end', 'invalid', zipOf(forged(HONEST, SHEET, { offset: 0x7fffffff }))],
    ['two parts of one name', 'invalid', added({ name: SHEET, content: '<worksheet/>' })],
    ['unknown packing', 'invalid', zipOf(forged(HONEST, SHEET, { method: 12 }))],
    [
      'garbage instead of packed bytes',
      'invalid',
      zipOf(forged(HONEST, SHEET, { packed: Buffer.alloc(500, 0xff) })),
    ],
    ['encrypted part', 'invalid', zipOf(forged(HONEST, SHEET, { flags: 1 }))],
    ['directory that counts wrong', 'invalid', zipOf(HONEST, { count: 3 })],
    [
      '60,000 parts',
      'invalid',
      added(
        ...Array.from({ length: 60_000 }, (_, at) => ({
          name: `${at}`,
          content: '',
          packed: Buffer.alloc(0),
          method: 0,
        })),
      ),
    ],
    ['truncated zip', 'invalid', whole.subarray(0, whole.length - 40)],
    ['zip cut in its first part', 'invalid', whole.subarray(0, 60)],
    ['nested zip', 'invalid', zipOf([{ name: 'contacts.xlsx', content: whole }])],
    ['empty zip', 'invalid', zipOf([])],
  ];
}

function sheets(): Hostile[] {
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
  const strings = (content: string) => zipOf(workbookParts(ROWS, { strings: content }));
  const wide = Array.from({ length: 16_384 }, (_, at) => `<c t="str"><v>title ${at}</v></c>`).join('');
  const longText = `<si><t>${'x'.repeat(32_767)}</t></si>`;
  const sharing = `<row>${'<c t="s"><v>0</v></c>'.repeat(200)}</row>`.repeat(10_000);
  const noText = `<si><t>phoneNumber</t></si><si>${'<r/>'.repeat(4 * MB)}</si>`;
  const phoneAnd = (row: string) => `<row><c t="s"><v>0</v></c></row>${row}`;
  return [
    ['billion laughs', 'invalid', sheet(`${laughs}<worksheet>&b;</worksheet>`)],
    ['external entity', 'invalid', sheet('<!DOCTYPE s SYSTEM "file:///etc/passwd"><worksheet/>')],
    [
      'document type in a part not read',
      'invalid',
      added({ name: 'docProps/app.xml', content: '<!DOCTYPE x><x/>' }),
    ],
    [
      'document type hidden in UTF-16',
      'invalid',
      zipOf(forged(HONEST, SHEET, { content: Buffer.from(`\ufeff${laughs}<worksheet/>`, 'utf16le') })),
    ],
    ['unknown entity', 'invalid', rows('<row r="1"><c r="A1" t="str"><v>&phone;</v></c></row>')],
    ['cell at XFD1048576', 'invalid', rows(`${TITLES}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`)],
    ['16,384 columns', 'invalid', rows(`<row r="1">${wide}</row>`)],
    ['row number beyond any sheet', 'tooLarge', rows(`${TITLES}<row r="99999999999"><c><v>1</v></c></row>`)],
    ['rows that run backwards', 'invalid', rows(`${TITLES}<row r="1"><c r="A1"><v>1</v></c></row>`)],
    ['10,001 rows', 'tooLarge', rows(TITLES + '<row><c><v>13800138000</v></c></row>'.repeat(10_001))],
    [
      'cell of 32,768 characters',
      'invalid',
      rows(`${TITLES}<row><c t="str"><v>${'x'.repeat(32_768)}</v></c></row>`),
    ],
    [
      'one long text shared by two million cells',
      'tooLarge',
      zipOf(workbookParts(TITLES + sharing, { strings: longText })),
    ],
    [
      'text that takes long to read, shared by many cells',
      'tooLarge',
      zipOf(
        workbookParts(
          phoneAnd(`<row><c t="s"><v>0</v></c>${'<c t="s"><v>1</v></c>'.repeat(190)}</row>`.repeat(10_001)),
          { strings: noText },
        ),
      ),
    ],
    ['a text that does not exist', 'invalid', rows('<row r="1"><c r="A1" t="s"><v>7</v></c></row>')],
    ['three million shared texts', 'tooLarge', strings('<si><t>ab</t></si>'.repeat(3 * MB))],
    ['sixteen million empty cells', 'tooLarge', rows(`<row>${'<c/>'.repeat(15 * MB)}</row>`)],
    ['XML that ends in a tag', 'invalid', sheet('<worksheet><sheetData><row r="1"><c r="A1"')],
    ['XML that ends in a comment', 'invalid', sheet(`<worksheet><sheetData>${'<!--'.repeat(MB)}`)],
    ['half a character', 'invalid', rows('<row><c t="str"><v>phoneNumber&#xD800;</v></c></row>')],
    [
      'workbook without a sheet',
      'invalid',
      zipOf(forged(HONEST, 'xl/workbook.xml', { content: '<workbook/>' })),
    ],
    ['sheet that is missing', 'invalid', zipOf(HONEST.filter(({ name }) => name !== SHEET))],
    ['macros', 'invalid', added({ name: 'xl/vbaProject.bin', content: 'Attribute VB_Name' })],
    ['__proto__ as the only title', 'invalid', rows('<row><c t="str"><v>__proto__</v></c></row>')],
  ];
}

function oldWorkbooks(): Hostile[] {
  const xls = oldWorkbook([['phoneNumber'], ['13800138000']]);
  const change = (edit: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(xls);
    edit(bytes);
    return bytes;
  };
  const compound = (entries: Record<string, string>) => {
    const file = XLSX.CFB.utils.cfb_new();
    for (const [name, content] of Object.entries(entries))
      XLSX.CFB.utils.cfb_add(file, name, Buffer.from(content.padEnd(8192)));
    return Buffer.from(XLSX.CFB.write(file, { type: 'buffer' }) as Uint8Array);
  };
  const many = oldWorkbook([
    ['phoneNumber'],
    ...Array.from({ length: 10_001 }, (_, at) => [String(13_800_000_000 + at)]),
  ]);
  const begin = Buffer.from('0908100000060500bb0dcc0700000000060000000', 'hex');
  const filePass = Buffer.concat([
    begin,
    Buffer.from('2f000600010000000000', 'hex'),
    Buffer.from('0a000000', 'hex'),
  ]);
  const chainedToItself = change((bytes) => {
    const fat = 512 * (bytes.readUInt32LE(76) + 1);
    for (let at = 0; at < 128; at++) bytes.writeUInt32LE(at, fat + at * 4);
  });
  return [
    ['encrypted workbook (OOXML)', 'invalid', compound({ EncryptionInfo: 'x', EncryptedPackage: 'y' })],
    ['encrypted workbook (XLS)', 'invalid', filePass],
    ['macros (XLS)', 'invalid', compound({ Workbook: 'x', '_VBA_PROJECT_CUR/VBA/dir': 'x' })],
    ['Word document', 'invalid', compound({ WordDocument: 'x' })],
    ['workbook stream of noise', 'invalid', compound({ Workbook: 'noise' })],
    ['compound file cut after its header', 'invalid', xls.subarray(0, 512)],
    ['compound file cut in half', 'invalid', xls.subarray(0, xls.length >> 1)],
    ['compound header alone', 'invalid', xls.subarray(0, 8)],
    ['chain of sectors in a circle', 'invalid', chainedToItself],
    ['table of sectors in a circle', 'invalid', change((bytes) => bytes.writeUInt32LE(0, 68))],
    ['sector size of 2 GB', 'invalid', change((bytes) => bytes.writeUInt16LE(31, 30))],
    ['256 columns (XLS)', 'invalid', oldWorkbook([Array.from({ length: 256 }, (_, at) => `t${at}`)])],
    ['10,001 rows (XLS)', 'tooLarge', many],
    ['bare records of Excel 2', 'invalid', Buffer.from('0900040002001000000a0000', 'hex')],
    [
      'records of 8 MB of styles',
      'invalid',
      Buffer.concat([begin, Buffer.alloc(8 * MB, Buffer.from('e000000', 'hex'))]),
    ],
  ];
}

function oldWorkbook(cells: string[][]): Buffer {
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells), 'One');
  return XLSX.write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
}

function texts(): Hostile[] {
  const title = 'phoneNumber\r\n';
  return [
    ['empty file', 'invalid', csv('')],
    ['nothing but empty lines', 'invalid', csv('\r\n'.repeat(1000))],
    ['nothing but a byte order mark', 'invalid', csv('\ufeff')],
    ['NUL characters', 'invalid', csv(`${title}138\u000000138000\r\n`)],
    ['ten megabytes of NULs', 'invalid', Buffer.alloc(10 * MB)],
    ['ten megabytes in one line', 'invalid', Buffer.alloc(10 * MB, 'a')],
    ['ten megabytes of delimiters', 'invalid', csv(`${title}${','.repeat(10 * MB - 100)}1`)],
    ['ten megabytes of quotes', 'invalid', csv(title + '"'.repeat(10 * MB - 101))],
    ['ten megabytes of empty lines', 'tooLarge', csv(title + '\n'.repeat(10 * MB - 100))],
    ['ten megabytes of rows', 'tooLarge', csv(title + '1\n'.repeat(5 * MB - 100))],
    ['unclosed quote', 'invalid', csv(`${title}"13800138000\r\n13800138001\r\n`)],
    ['unclosed quote before ten megabytes', 'invalid', csv(`${title}"${'1380,0138\r\n'.repeat(900_000)}`)],
    ['10,001 rows (CSV)', 'tooLarge', csv(title + '13800138000\r\n'.repeat(10_001))],
    ['10 MB and one byte', 'tooLarge', Buffer.alloc(10 * MB + 1, title)],
    ['201 columns', 'invalid', csv(`phoneNumber,${Array.from({ length: 200 }, (_, at) => `t${at}`)}\r\n`)],
    ['repeated title', 'invalid', csv('phoneNumber,PHONENUMBER\r\n1,2\r\n')],
    ['__proto__ as a title, but no phone number', 'invalid', csv('__proto__,constructor\r\n1,2\r\n')],
    ['title of 65 characters', 'invalid', csv(`phoneNumber,${'x'.repeat(65)}\r\n`)],
    ['lone surrogate in UTF-16', 'invalid', Buffer.from('\ufeffphoneNumber\r\n\ud800\r\n', 'utf16le')],
    ['half a UTF-16 character', 'invalid', Buffer.from('\ufeffphoneNumber\r\n1', 'utf16le').subarray(0, -1)],
    ['bytes of no encoding', 'invalid', Buffer.concat([csv(title), Buffer.from([0xff, 0xff, 0x0a])])],
  ];
}

function otherKinds(): Hostile[] {
  const open = zipOf([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' }]);
  return [
    ['picture named .xlsx', 'invalid', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['PDF named .csv', 'invalid', csv('%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n')],
    ['HTML named .xls', 'invalid', csv('<html><table><tr><td>phoneNumber</td></tr></table></html>')],
    ['OpenDocument spreadsheet', 'invalid', open],
    ['gzip', 'invalid', Buffer.from('1f8b0800000000000003', 'hex')],
  ];
}
