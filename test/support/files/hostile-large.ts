import { gzipSync } from 'node:zlib';
import { highestMaxRows } from '../../../shared/platform/rules/files.ts';
import { type Hostile, hostile } from './hostile.ts';
import { hostileOpenDocuments, hostileXlsb } from './hostile-other.ts';
import { hostileOldWorkbooks } from './hostile-xls.ts';
import { bomb, type ForgedPart, workbookParts, zipOf } from './workbook-zip.ts';

const MB = 1024 * 1024;
const title = 'phoneNumber\r\n';
const titles = '<row r="1"><c r="A1" t="inlineStr"><is><t>phoneNumber</t></is></c></row>';

/** A gzip file may have several members: the same one over and over, made in no time. */
const packed = (head: string, unit: string, megabytes: number): Buffer => {
  const piece = gzipSync(unit.repeat(Math.ceil(MB / unit.length)));
  return Buffer.concat([gzipSync(head), ...Array.from({ length: megabytes }, () => piece)]);
};

const workbook = (rows: string, strings = '', ...more: ForgedPart[]) =>
  zipOf([...workbookParts(rows, { strings }), ...more]);

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const phoneRow = (at: number) => `<row r="${at + 2}"><c><v>${13_800_000_000 + at}</v></c></row>`;

/**
 * Small files that would take much of a service that allows files of a million rows. Each is
 * refused.
 */
export const hostileLargeFiles = (): Hostile[] => {
  const wide = upTo(highestMaxRows).join(',');
  const noise = Buffer.alloc(100_000, 0xff);
  return [
    ...hostile({
      invalid: {
        '500 packed MB of one line': packed(title, 'a', 500),
        '500 packed MB of NULs': packed(title, '\0', 500),
        '500 packed MB in an open quote': packed(`${title}"`, '1380,0138\r\n', 500),
        '500 packed MB of delimiters': packed(title, `${','.repeat(512 * 1024)}\n`, 500),
        '500 packed MB of delimiters in a line': packed(title, ',', 500),
        'a packed file in a packed file': gzipSync(gzipSync(title)),
        'a packed file that is cut off': gzipSync(title.repeat(1000)).subarray(0, 40),
        'a packed file with noise behind it': Buffer.concat([gzipSync(title), noise]),
        'a million titles': gzipSync(`phoneNumber,${wide}\r\n`),
        'nine million cells in a row': workbook(`${titles}<row>${'<c></c>'.repeat(9 * MB)}</row>`),
        'rows out of order after 50,000': workbook(
          titles + upTo(50_000).map(phoneRow).join('') + phoneRow(49_990),
        ),
        'a sheet without its end': workbook(
          `${titles}${upTo(20_000).map(phoneRow).join('')}<row r="30000"><c>`,
        ),
      },
      tooLarge: {
        'a packed gigabyte of empty lines': packed(title, '\n', 1024),
        'a workbook of 4 GB': workbook(titles, '', { ...bomb('a.bin', 1), size: 0xfffffff0 }),
      },
      nothing: {
        'ten million empty texts': workbook(titles, '<si/>'.repeat(10 * MB)),
        'a long text that few rows share': workbook(
          // A chunk of the sheet has a row or two.
          titles + `<row>${`<c ${' '.repeat(300)}t="s"><v>0</v></c>`.repeat(200)}</row>`.repeat(45),
          `<si><t>${'x'.repeat(32_767)}</t></si>`,
        ),
      },
    }),
    // Other kinds of workbooks keep the usual limits.
    ...[...hostileXlsb(), ...hostileOldWorkbooks(), ...hostileOpenDocuments()].filter(([name]) =>
      name.includes('10,001 rows'),
    ),
  ];
};
