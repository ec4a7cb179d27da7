import type { FormatTime } from '../time.ts';
import type { ContactImport } from './contact-import.ts';

/** An import as its data source's list shows it. */
export const importRow = (
  { importId, fileName, status, importCount, successCount, failCount, ...times }: ContactImport,
  formatTime: FormatTime,
) => ({
  importId,
  fileName,
  status,
  importCount,
  successCount,
  failCount,
  createTime: formatTime(times.createTime),
  updateTime: formatTime(times.updateTime),
});
