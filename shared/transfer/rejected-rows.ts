import type { FailedRow } from '../domain/imports/failed-row.ts';
import type { CheckedFile } from './contact-rows.ts';

/** Rows of a contact file with the titles above them, in their own columns and order. */
export type RejectedRows = { titles: readonly string[]; rows: readonly (readonly string[])[] };

/** Behind the file's own columns; a title that an import ignores, so that the file can be imported again. */
export const errorTitle = 'importError';

/** The rows not imported and why; the reasons of an earlier import that the file still bears are left out. */
export const rejectedRowsOf = (
  { titles, cellsOf }: Pick<CheckedFile, 'titles' | 'cellsOf'>,
  failures: readonly FailedRow[],
): RejectedRows => {
  const rows = failures.map(({ row, message }) => ({ cells: cellsOf.get(row) ?? [], message }));
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), titles.length);
  const columns = Array.from({ length: width }, (_, at) => at).filter((at) => titles[at] !== errorTitle);
  const own = (cells: readonly string[]) => columns.map((at) => cells[at] ?? '');
  return {
    titles: [...own(titles), errorTitle],
    rows: rows.map(({ cells, message }) => [...own(cells), message]),
  };
};
