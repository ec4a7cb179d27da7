import { describe, expect, it } from 'vitest';
import { type FileLimits, limitsFor, usualLimits } from '../../../shared/files/workbook.ts';
import { openContactFile } from '../../../shared/imports/contact-table.ts';
import { workbookParts, zipOf } from '../../support/files/workbook-zip.ts';

const MB = 1024 * 1024;
const csv = (...lines: string[]) => Buffer.from(lines.join('\n'));
const textCell = (text: string) => `<c t="str"><v>${text}</v></c>`;
const titleRow = `<row>${textCell('phoneNumber')}</row>`;
/** More than a window of the scanner. */
const manyRows = 3000;
const rows = titleRow + '<row><c><v>13800138000</v></c></row>'.repeat(manyRows);
const parts = workbookParts(rows);
const workbook = zipOf(parts);
const sharing = workbookParts(titleRow, { strings: '<si><t>a</t></si>'.repeat(7) });

const countRows = async (file: Buffer, limits: FileLimits) => {
  let count = 0;
  for await (const _ of (await openContactFile(file, {}, limits)).rows) count++;
  return count;
};

describe('a limit of what a file may hold', () => {
  it.each<[keyof FileLimits, string, most: number, file: Buffer, refused: RegExp]>([
    ['rows', 'CSV', 3, csv('phone', '1', '', '2', '3', ' '), /more than 2 rows/],
    ['rows', 'XLSX', manyRows, workbook, /more than 2999 rows/],
    ['bytes', 'any file', 10, csv('phone', '1234'), /larger than/],
    ['cells', 'CSV', 5, csv('phone,a', '1,', '2,x'), /more than 4 cells/],
    ['cells', 'XLSX', manyRows + 1, workbook, /more than 3000 cells/],
    ['cells', 'XLSX with shared texts', 7, zipOf(sharing), /more than 6 texts/],
    ['fields', 'CSV', 9, csv('phone,,', ',,', '1,,'), /more than 8 cells/],
    [
      'ragged',
      'CSV',
      3,
      csv('A headline', 'phone,a', ...Array(9).fill('1,2'), '1', '2,3'),
      /more than 2 lines/,
    ],
    ['textCharacters', 'CSV', 9, csv('phone,a', '1,xx'), /too much text/],
    ['textCharacters', 'XLSX', 11 + 11 * manyRows, workbook, /too much text/],
    // A declaration counts as four tags.
    ['tags', 'XLSX', 4 + 2 + 6 * (manyRows + 1) + 1, workbook, /too many XML tags/],
    [
      'unpackedBytes',
      'XLSX',
      parts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
      workbook,
      /unpacks to more than/,
    ],
  ])('%s of %s is reached, and not passed', async (name, _, most, file, refused) => {
    expect(await countRows(file, { ...usualLimits, [name]: most })).toBeGreaterThanOrEqual(0);
    await expect(countRows(file, { ...usualLimits, [name]: most - 1 })).rejects.toThrow(refused);
  });

  it('grows with the rows that a file may have, up to what a function has room for', () => {
    const usual = {
      ...{ rows: 10_000, bytes: 10 * MB, cells: 1_000_000, fields: 2_000_000, ragged: 20_000 },
      ...{ unpackedBytes: 64 * MB, textCharacters: 64 * MB, tags: 8_000_000, mayBePacked: true },
    };
    expect(usualLimits).toEqual({ ...usual, mayBePacked: false });
    expect(limitsFor(2000)).toEqual({ ...usual, rows: 2000 });
    expect(limitsFor(25_000)).toEqual({
      ...{ rows: 25_000, bytes: 25 * MB, cells: 2_500_000, fields: 5_000_000, ragged: 50_000 },
      ...{ unpackedBytes: 160 * MB, textCharacters: 160 * MB, tags: 20_000_000, mayBePacked: true },
    });
    expect(limitsFor(1_000_000)).toMatchObject({
      ...{ bytes: 512 * MB, unpackedBytes: 3072 * MB, textCharacters: 1024 * MB, cells: 100_000_000 },
    });
  });
});
