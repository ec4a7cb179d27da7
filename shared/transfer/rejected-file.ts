import type { RejectedRow } from '../domain/imports/contact-import.ts';
import { type CheckedRows, locatedMessage } from './checked-rows.ts';

/** Rows of a contact file with the titles above them, in their own columns and order. */
export type RejectedFile = { titles: readonly string[]; batches: AsyncIterable<string[][]> };

/** A rejected row as it stood in the file, and why it was rejected. */
export type RejectedCells = readonly [cells: readonly string[], message: string];

/** Behind the file's own columns. An import ignores this title, so that the file can be imported again. */
const errorTitle = 'importError';

/** A duplicate number is not a wrong cell: only its reason is written. */
const errorOf = (row: RejectedRow) =>
  row.code === 'DUPLICATE' || row.code === 'DUPLICATE_IN_FILE' ? row.message : locatedMessage(row);

export const rejectedCells = (
  { cellsOf }: Pick<CheckedRows, 'cellsOf'>,
  rejected: readonly RejectedRow[],
): RejectedCells[] => rejected.map((row) => [cellsOf.get(row.row) ?? [], errorOf(row)]);

/** The cells of the widest row. */
export const widthOf = (rows: readonly RejectedCells[]) =>
  rows.reduce((widest, [cells]) => Math.max(widest, cells.length), 0);

/** How the rows are written. Reasons of an earlier import that are still in the file are dropped. */
export const rejectedColumns = (titles: readonly string[], width: number) => {
  const columns = Array.from({ length: Math.max(width, titles.length) }, (_, at) => at).filter(
    (at) => titles[at] !== errorTitle,
  );
  const own = (cells: readonly string[]) => columns.map((at) => cells[at] ?? '');
  return {
    titles: [...own(titles), errorTitle],
    rowOf: ([cells, message]: RejectedCells) => [...own(cells), message],
  };
};
