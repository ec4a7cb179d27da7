import { expect, it } from 'vitest';
import { csvRow, unguardFormula } from '../../../../shared/platform/rules/files.ts';

it.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['a;b', '"a;b"'],
  ['a\tb', '"a\tb"'],
  ['a\nb', '"a\nb"'],
  ['a\rb', '"a\rb"'],
  ['say "hi"', '"say ""hi"""'],
  [' outer', '" outer"'],
  ['outer ', '"outer "'],
  ['in side', 'in side'],
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1', "'-1"],
  ['@SUM', "'@SUM"],
  ["'quoted", "''quoted"],
  ['\tx', '"\'\tx"'],
  ['\rx', '"\'\rx"'],
  ['a=1', 'a=1'],
  // Phone numbers, and what only looks like one.
  ['+8613800138000', '+8613800138000'],
  ['+123', '+123'],
  ['+123456789012345', '+123456789012345'],
  ['+12', "'+12"],
  ['+1234567890123456', "'+1234567890123456"],
  ['+123x', "'+123x"],
  ['=+123', "'=+123"],
])('the cell %j is written %s and read again', (text, written) => {
  expect(csvRow([text])).toBe(`${written}\r\n`);
  expect(unguardFormula(written.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'))).toBe(text);
});

it('the cells of a row have commas between them', () => {
  expect([csvRow([]), csvRow(['a', 1, ''])]).toEqual(['\r\n', 'a,1,\r\n']);
});

it.each([
  ['="00420"', '00420'],
  ['="+86 (138) 0013.80-00"', '+86 (138) 0013.80-00'],
  ['="4"', '4'],
  ['="A1"', '="A1"'],
  ['="1+1"', '="1+1"'],
  ['=""', '=""'],
  ['x="1"', 'x="1"'],
  ['="1"x', '="1"x'],
  ["'plain", "'plain"],
  ["x'=1", "x'=1"],
])('the cell %s of another program is read as %s', (cell, text) => {
  expect(unguardFormula(cell)).toBe(text);
});
