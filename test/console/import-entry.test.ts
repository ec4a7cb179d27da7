import { expect, it } from 'vitest';
import type { ImportEntry } from '../../client/answers.ts';
import { entryOf } from '../../console/src/imports/import-entry.ts';

const entry = (importId: string, fileName: string, successCount: number, failCount: number) =>
  ({ importId, fileName, successCount, failCount }) as ImportEntry;

it('finds the import that a report tells of, though a colleague imported another file since', () => {
  const rows = [
    entry('colleague', 'july.csv', 3, 2),
    entry('again', 'june.csv', 4, 1),
    entry('mine', 'june.csv', 3, 2),
    entry('before', 'june.csv', 3, 2),
  ];
  expect(entryOf(rows, 'june.csv', { successCount: 3, failCount: 2 })?.importId).toBe('mine');
  const quoted = [entry('quoted', 'a%22b 100%.csv', 1, 1)];
  expect(entryOf(quoted, 'a"b 100%.csv', { successCount: 1, failCount: 1 })?.importId).toBe('quoted');
  expect(entryOf(rows, 'may.csv', { successCount: 3, failCount: 2 })).toBeUndefined();
});
