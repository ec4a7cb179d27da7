import type { ImportEntry, ImportReport } from '../../../client/answers.ts';

type Counts = Pick<ImportReport, 'successCount' | 'failCount'>;

/** Browsers encode these characters of a file's name. */
const sentAs = (fileName: string) =>
  fileName.replace(/["\r\n]/g, (character) => encodeURIComponent(character));

/** Whether an import is of that file. */
export const isOf = ({ fileName }: Pick<ImportEntry, 'fileName'>, file: string): boolean =>
  fileName === file || fileName === sentAs(file);

/**
 * The import that a report is about, among the imports of its list, newest first. The report has no id, and a
 * colleague's import may be newer.
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
