import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf, csvFile, rowsOf, xlsxFile } from '../../support/files/file-rows.ts';

const tricky = [
  '=1+1',
  "'=1",
  "''",
  "'",
  '+8613800138000',
  '-5',
  '@x',
  '\tx',
  '\rx',
  'a\r\nb',
  'a\rb',
  'a\nb',
  ' x ',
  '"',
  '""',
  'a"b',
  ',',
  ';',
  'x;y\tz',
  '_x000D_',
  '_x005F_x0041_',
  '_x_x0041_',
  '00123',
  '1e21',
  '1.50',
  '2024-05-01',
  'TRUE',
  '#N/A',
  '😀👩‍👩‍👧',
  '中文，标点',
  '\u0007\u001f\u007f\u0085\u2028\ufeff',
  '\ufffe\uffff',
  ']]>&amp;<b>&#10;',
  '__proto__',
  '\u00a0 \u3000',
];
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...'"\',;\t\r\n =+-@_x0D&<>'), maxLength: 8 }) },
  { weight: 2, arbitrary: fc.constantFrom(...tricky) },
);
// NUL is the one character a CSV file cannot hold.
const csvText = text.map((value) => value.replaceAll('\0', ''));

const width = 5;
const titles = ['phoneNumber', '=title', 'a;b;c;d;e', "'quoted", '中文 "x"'];
const table = (cell: fc.Arbitrary<string>) =>
  fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 40 });

/** As a file gives rows back: without empty cells at the end and without wholly empty rows. */
const kept = (rows: string[][]) =>
  rows
    .map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1))
    .filter((row) => row.length > 0);

describe('cells written and read again', () => {
  it.each([
    ['CSV', csvFile, csvText],
    ['XLSX', xlsxFile, text],
  ] as const)('are the same in %s', async (_, write, cell) => {
    await fc.assert(
      fc.asyncProperty(table(cell), async (rows) => {
        expect(await cellsOf(await write(titles, rows))).toEqual([titles, ...kept(rows)]);
      }),
      { numRuns: 150 },
    );
  });

  it('keep their line numbers where empty rows lie between', async () => {
    for (const write of [csvFile, xlsxFile])
      expect(await rowsOf(await write(['a', 'b'], [['1'], ['', ''], ['', '2']]))).toEqual([
        { line: 1, cells: ['a', 'b'] },
        { line: 2, cells: ['1'] },
        { line: 4, cells: ['', '2'] },
      ]);
  });
});
