import { dayMs, type FormatTime, type Instant, minuteMs } from '../time.ts';
import type { ContactImport, FailureCode } from './contact-import.ts';

/** No run of an import lasts so long without a step forward. */
const stuckMs = 15 * minuteMs;
/** The upload of a file begins within 15 minutes of its registration, and large files take their time. */
const arrivalMs = 60 * minuteMs;

export type ImportTrouble = {
  found: ContactImport;
  since: Instant;
  message: string;
  /** `null`: an import of 0.3. */
  reasonCode: FailureCode | 'NOT_ARRIVED' | 'NOT_FINISHED' | null;
};

/** The import failed within a day, for another reason than that a client cancelled it. A dry run is no news. */
export const failedLately = (found: ContactImport, now: Instant): ImportTrouble[] => {
  const { options, message, reasonCode = null, updateTime: since } = found;
  const isNews = reasonCode !== 'CANCELLED' && !options?.dryRun && now - since < dayMs;
  return isNews ? [{ found, since, message, reasonCode }] : [];
};

/** `due`: when the work came due that is still to be done. */
export const stuck = (found: ContactImport, due: Instant, now: Instant): ImportTrouble[] => {
  const { status, createTime } = found;
  if (status === 'DONE') return [];
  if (now - due > stuckMs)
    return [
      { found, since: due, message: 'the import does not come to its end', reasonCode: 'NOT_FINISHED' },
    ];
  const isLate = status === 'WAITING' && now - createTime > arrivalMs;
  const message = 'the file has not arrived';
  return isLate ? [{ found, since: createTime, message, reasonCode: 'NOT_ARRIVED' }] : [];
};

/** With the name of its data source. */
export type NamedTrouble = ImportTrouble & { dataSourceName: string };

export const troubleView = (
  { found, dataSourceName, since, message, reasonCode }: NamedTrouble,
  formatTime: FormatTime,
) => ({
  importId: found.importId,
  fileName: found.fileName,
  dataSourceId: found.dataSourceId,
  dataSourceName,
  status: found.status,
  reasonCode,
  message,
  since: formatTime(since),
});
