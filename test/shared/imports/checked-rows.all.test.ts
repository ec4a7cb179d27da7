import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { limitsFor } from '../../../shared/files/workbook.ts';
import { checkedParts } from '../../../shared/imports/checked-rows.ts';
import { highestMaxRows } from '../../../shared/platform/rules/files.ts';
import { phoneAt } from '../../support/files/contact-files.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const rowsInChunk = 1000;

/**
 * Every number of the first half of the file stands in the second half again. It is made while it
 * is read.
 */
const fileOf = (rows: number) => ({
  size: (rows + 1) * 12,
  async *chunks() {
    for (let from = 0; from < rows; from += rowsInChunk) {
      const lines = Array.from({ length: rowsInChunk }, (_, at) => phoneAt((from + at) % (rows / 2)));
      yield Buffer.from(`${from === 0 ? 'phoneNumber\n' : ''}${lines.join('\n')}\n`);
    }
  },
});

/** Reads the file part by part, keeps none of them, and answers what is in memory near its end. */
const readAll = async (rows: number) => {
  const { parts } = await checkedParts(fileOf(rows), {}, undefined, limitsFor(highestMaxRows));
  let [valid, duplicates, bytes] = [0, 0, 0];
  for await (const { rows: checked, rejected } of parts) {
    valid += checked.length;
    for (const { row, code, firstRow } of rejected)
      duplicates += code === 'DUPLICATE_IN_FILE' && firstRow === row - rows / 2 ? 1 : 0;
    if (bytes > 0 || valid + duplicates < 0.8 * rows) continue;
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    bytes = heapUsed + arrayBuffers;
  }
  expect([valid, duplicates]).toEqual([rows / 2, rows / 2]);
  return bytes;
};

it('finds duplicates within a large file, and keeps little more than its numbers', async () => {
  const [few, many] = [20_000, highestMaxRows];
  await readAll(few);
  const growth = (await readAll(many)) - (await readAll(few));
  // A text of 14 characters and its place in a map that doubles as it grows.
  expect(growth / ((many - few) / 2)).toBeLessThan(160);
});
