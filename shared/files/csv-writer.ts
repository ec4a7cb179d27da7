import { byteOrderMark, csvRow } from '../platform/rules/files.ts';
import type { Cell } from './workbook.ts';

const chunkCharacters = 128 * 1024;

/** A CSV file that Excel opens correctly: UTF-8 with byte order mark, CRLF, and no formulas. */
export async function* csvRows(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  let text = byteOrderMark + csvRow(titles);
  for await (const rows of batches) {
    for (const row of rows) {
      text += csvRow(row);
      if (text.length < chunkCharacters) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}
