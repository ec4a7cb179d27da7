import { type Hostile, type HostileCode, hostile } from './hostile.ts';
import { hostileOpenDocuments, hostileXlsb } from './hostile-other.ts';
import { hostileOldWorkbooks } from './hostile-xls.ts';
import { hostileArchives, hostileSheets, slowWorkbooks } from './hostile-xlsx.ts';
import { workbookParts, zipOf } from './workbook-zip.ts';

type HostileFile = { name: string; bytes: Buffer; code: HostileCode };

const MB = 1024 * 1024;
const csv = (text: string) => Buffer.from(text);

/**
 * Files that no client has a reason to send, or only by mistake; each is refused with the code
 * beside it.
 */
export const hostileFiles = (): HostileFile[] => {
  const all = [
    ...hostileArchives(),
    ...hostileSheets(),
    ...slowWorkbooks(),
    ...hostileOldWorkbooks(),
    ...hostileXlsb(),
    ...hostileOpenDocuments(),
  ];
  return [...all, ...texts(), ...otherKinds()].map(([name, code, bytes]) => ({ name, code, bytes }));
};

const texts = (): Hostile[] => {
  const title = 'phoneNumber\r\n';
  return hostile({
    invalid: {
      'empty file': csv(''),
      'nothing but empty lines': csv('\r\n'.repeat(1000)),
      'nothing but a byte order mark': csv('\ufeff'),
      'NUL characters': csv(`${title}138\u000000138000\r\n`),
      'ten megabytes of NULs': Buffer.alloc(10 * MB),
      'ten megabytes in one line': Buffer.alloc(10 * MB, 'a'),
      'ten megabytes of delimiters': csv(`${title}${','.repeat(10 * MB - 100)}1`),
      'ten megabytes of quotes': csv(title + '"'.repeat(10 * MB - 101)),
      'ten megabytes of quotes that close': csv(`${title}"${'""'.repeat(5_000_000)}"`),
      'rows of ever other lengths': csv(title + ',\n,,\n'.repeat(2_000_000)),
      'no delimiter that `sep=` may name': csv('sep=x\r\nphone x mobile\r\n'),
      'titles below the twentieth row': csv(`${'x\r\n'.repeat(20)}phoneNumber\r\n138\r\n`),
      'UTF-16 without a mark': Buffer.from('phoneNumber\r\n138\r\n', 'utf16le'),
      JSON: csv('[{"phoneNumber":"13800138000"}]'),
      'a card of contacts': csv('BEGIN:VCARD\r\nTEL:13800138000\r\nEND:VCARD\r\n'),
      'unclosed quote': csv(`${title}"13800138000\r\n13800138001\r\n`),
      'unclosed quote before ten megabytes': csv(`${title}"${'1380,0138\r\n'.repeat(900_000)}`),
      '201 columns': csv(`phoneNumber,${Array.from({ length: 200 }, (_, at) => `t${at}`)}\r\n`),
      '__proto__ as a title, but no phone number': csv('__proto__,constructor\r\n1,2\r\n'),
      'lone surrogate in UTF-16': Buffer.from('\ufeffphoneNumber\r\n\ud800\r\n', 'utf16le'),
      'half a UTF-16 character': Buffer.from('\ufeffphoneNumber\r\n1', 'utf16le').subarray(0, -1),
      'bytes of no encoding': Buffer.concat([csv(title), Buffer.from([0xff, 0xff, 0x0a])]),
    },
    tooLarge: {
      'ten megabytes of empty lines': csv(title + '\n'.repeat(10 * MB - 100)),
      'ten megabytes of rows': csv(title + '1\n'.repeat(5 * MB - 100)),
      'rows of 200 delimiters': csv(title + `${','.repeat(200)}\n`.repeat(50_000)),
      'rows of 1,000 delimiters': csv(title + `${','.repeat(1_000)}\n`.repeat(10_000)),
      'five million rows of a space': csv(title + ' \n'.repeat(5_000_000)),
      '10,001 rows (CSV)': csv(title + '13800138000\r\n'.repeat(10_001)),
      '10 MB and one byte': Buffer.alloc(10 * MB + 1, title),
    },
  });
};

const otherKinds = (): Hostile[] => {
  return hostile({
    invalid: {
      'picture named .xlsx': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'PDF named .csv': csv('%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n'),
      'HTML named .xls': csv('<html><table><tr><td>phoneNumber</td></tr></table></html>'),
      'spreadsheet in XML': csv('<?xml version="1.0"?><Workbook><Worksheet/></Workbook>'),
      'rich text': csv('{\\rtf1 phoneNumber}'),
      '7-Zip archive': Buffer.from('377abcaf271c0004', 'hex'),
      gzip: Buffer.from('1f8b0800000000000003', 'hex'),
    },
  });
};

const rowCount = 10_000;
const columnCount = 100;
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const row = (cells: string[]) => `<row>${cells.join('')}</row>`;

/**
 * About the most work that a file within the limits can make: a million cells. No row has a phone
 * number that can be called, so that a service reads all of it and stores nothing. What reading it
 * takes on this machine is the measure for files that are refused.
 */
export const largestFile = (): Buffer => {
  const texts = ['phoneNumber', ...upTo(columnCount - 1).map((at) => `title ${at}`), 'none', 'some text'];
  const strings = texts.map((text) => `<si><t>${text}</t></si>`).join('');
  const titles = row(upTo(columnCount).map((at) => `<c t="s"><v>${at}</v></c>`));
  const shared = `<c t="s"><v>${columnCount + 1}</v></c>`;
  const values = row([`<c t="s"><v>${columnCount}</v></c>`, shared.repeat(columnCount - 1)]);
  return zipOf(workbookParts(titles + values.repeat(rowCount - 1), { strings }));
};
