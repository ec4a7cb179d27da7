import type { ImportEntry, ImportReport } from '../../../client/answers.ts';

type Counts = Pick<ImportReport, 'successCount' | 'failCount'>;

/** Browsers send these characters of a file's name in another form. */
const sentAs = (fileName: string) =>
  fileName.replace(/["\r\n]/g, (character) => encodeURIComponent(character));

/** Whether an import is of that file. */
export const isOf = ({ fileName }: Pick<ImportEntry, 'fileName'>, file: string): boolean =>
  fileName === file || fileName === sentAs(file);

/**
 * Of the imports of a data source, newest first, the one that a report tells of. The report bears no id; a colleague's
 * import may be newer.
 */
export const entryOf = (
  rows: readonly ImportEntry[],
  file: string,
  report: Counts,
): ImportEntry | undefined =>
  rows.find(
    (row) =>
      isOf(row, file) && row.successCount === report.successCount && row.failCount === report.failCount,
  );
