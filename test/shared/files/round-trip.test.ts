import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf, csvFile, trickyTexts, xlsxFile } from '../../support/files/file-rows.ts';

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...'"\',;\t\r\n =+-@_x0D&<>'), maxLength: 8 }) },
  { weight: 2, arbitrary: fc.constantFrom(...trickyTexts) },
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
});
