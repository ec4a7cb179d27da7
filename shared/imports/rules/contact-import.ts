import type { NewContact } from '../../contacts/rules/contact.ts';
import type { LongestPhones } from '../../contacts/rules/phone-number.ts';
import type { ErrorWord, FieldCode, ServiceError } from '../../platform/rules/errors.ts';
import { zoneField } from '../../platform/time/schedule.ts';
import { dayMs, type FormatTime, type Instant, minuteMs } from '../../platform/time/time.ts';
import { isTimeZone } from '../../platform/time/zones.ts';

export type ImportStatus = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED';

/** What happens to a row whose number is in the data source: rejected, or updates the contact. */
export type OnDuplicate = 'skip' | 'update';

/** How the client wants the file imported. */
export type ImportOptions = {
  /** The field name of a title; `''` ignores it. Pairs, because a title may be `__proto__`. */
  mapping?: [title: string, field: string][];
  sheet?: string;
  /** The line of the titles, from 1. 0: the file has no titles. */
  headerRow?: number;
  /** `skip` if the client does not say. */
  onDuplicate?: OnDuplicate;
  /** Only reports what the import would do, and stores no contact. */
  dryRun?: boolean;
  /** Rows whose number has fewer digits are rejected. */
  minDigits?: number;
};

/** `importCount`: all rows of the file. A running import counts the rows that are done so far. */
export type ImportCounts = { importCount: number; successCount: number; failCount: number };

/** Why an import has FAILED. For a refused file it is the code of its error. */
type FailureCode = FieldCode | ErrorWord | 'CANCELLED' | 'BROKE_OFF' | 'NEVER_ARRIVED';
export type ImportFailure = { message: string; reasonCode: FailureCode };

export const refusalOf = ({ message, errors, word }: ServiceError): ImportFailure => ({
  message,
  reasonCode: errors[0]?.code ?? word,
});

/** The reason if a client has cancelled the import. All other reasons are the service's. */
export const cancelledReason = 'the import was cancelled';
export const abandonmentOf = (reason: string, message = reason): ImportFailure => ({
  message,
  reasonCode: reason === cancelledReason ? 'CANCELLED' : 'BROKE_OFF',
});

/** The record of an import. Times are epoch milliseconds. */
export type ContactImport = ImportCounts & {
  importId: string;
  dataSourceId: string;
  status: ImportStatus;
  /** How many of the successful rows updated a contact. Imports of 0.2 have none. */
  updateCount?: number;
  objectKey: string;
  fileName: string;
  fileSize: number;
  options?: ImportOptions;
  /** Only in 0.4: the stored file is the JSON body of a batch of contacts. */
  isBatch?: boolean;
  createTime: number;
  updateTime: number;
  message: string;
  /** Only if the import has FAILED. Imports of 0.3 have none. */
  reasonCode?: FailureCode;
  /** How often a runner has begun the import. */
  begun: number;
  /** When the first runner began it. */
  beginTime?: number;
  reservation?: Reservation;
  /**
   * The checked rows of the file, in the bucket. Absent before they are checked, and for small
   * files of 0.4.
   */
  cut?: CutFile;
  /**
   * The written parts before the last, and what became of their rows. Absent before the first.
   * Stored data uses the name `placed`.
   */
  placed?: WrittenParts;
  /** The owner of the claim on the import, and when the claim expires. */
  runner?: string;
  runUntil?: number;
  /** Why the import is never resumed. Its rows are removed, and it ends as FAILED. */
  abandoned?: string;
};

/** `cut`, `importCount`: for a file whose rows came with a request. */
export type NewImport = Pick<
  ContactImport,
  'importId' | 'dataSourceId' | 'objectKey' | 'fileName' | 'fileSize' | 'options' | 'cut' | 'createTime'
> &
  Partial<Pick<ContactImport, 'importCount'>>;

/** A file whose checked rows were cut into parts. A small file has one part. */
export type CutFile = {
  /** The folder of the parts in the bucket. */
  folder: string;
  parts: number;
  /** The blocks of phone numbers that the valid rows fill. Each part begins a block. */
  blocks: number;
  longest: LongestPhones;
  /**
   * Each part becomes visible by itself, because a task that runs or is paused must not wait for
   * the whole file.
   */
  isStepwise: boolean;
};

export type WrittenParts = {
  parts: number;
  blocks: number;
  successCount: number;
  failCount: number;
  updateCount: number;
};

export const noneWritten: WrittenParts = {
  parts: 0,
  blocks: 0,
  successCount: 0,
  failCount: 0,
  updateCount: 0,
};

/** How rows become contacts: all at once, or part by part. */
type Visibility = 'atOnce' | 'inSteps';
export const visibilityOf = ({ cut }: Pick<ContactImport, 'cut'>): Visibility =>
  cut?.isStepwise ? 'inSteps' : 'atOnce';

/** Whole blocks reserved for the rows, in file order, and the time of their contacts. */
export type Reservation = { firstSeq: number; blocks: number; time: number };

/**
 * A valid row whose phone number no earlier row of the file has. `line` is the number that a
 * spreadsheet shows. `removed` are the fields that the contact of this number loses. In a file
 * there are none, because an empty cell is no field.
 */
export type ImportRow = NewContact & { line: number; removed?: readonly string[] };

/** The rows of a file, or of a part of it, that can be imported. */
export type ImportRows = {
  rows: readonly ImportRow[];
  importCount: number;
  /** Of a part: the number of blocks of the parts before it. */
  firstBlock?: number;
};

export const rejectionCodes = [
  'DUPLICATE',
  'DUPLICATE_IN_FILE',
  'INVALID_PHONE',
  'MISSING_PHONE',
  'INVALID_FIELD',
  'NOT_IMPORTED',
] as const;

/** A row of a contact file that was not imported. */
export type RejectedRow = {
  /** Line number as a spreadsheet shows it. Titles in the first line are line 1. */
  row: number;
  phoneNumber: string;
  code: (typeof rejectionCodes)[number];
  message: string;
  /** The cell with the rejected value, for example `B17`. Absent if no single cell is wrong. */
  cell?: string;
  /** Absent for a CSV file. */
  sheet?: string;
  /** Only for DUPLICATE_IN_FILE: the earlier row with the same phone number. */
  firstRow?: number;
};

export type ImportReport = ImportCounts & { details: RejectedRow[] };

/** The number of rejected rows by code. */
export type RejectedCounts = Partial<Record<RejectedRow['code'], number>>;

export const countByCode = (rejected: Iterable<RejectedRow>, counts: RejectedCounts = {}): RejectedCounts => {
  for (const { code } of rejected) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};

/** The report of a file with these rejected rows. */
export const reportOf = (importCount: number, rejected: readonly RejectedRow[]): ImportReport => ({
  importCount,
  successCount: importCount - rejected.length,
  failCount: rejected.length,
  details: rejected.toSorted((a, b) => a.row - b.row),
});

/** For an uploaded or dropped file: its first rejected rows, with the number of all by code. */
export type FileReport = ImportReport & { rejected: RejectedCounts; visibility: Visibility };

export const detailsAtMost = 1000;

const rejected =
  (code: RejectedRow['code'], message: string) =>
  ({ line, phoneNumber }: ImportRow): RejectedRow => ({ row: line, phoneNumber, code, message });

export const rejectDuplicate = rejected('DUPLICATE', 'the data source has this phone number');

/** `message`: why the row's fields do not fit the contact. */
export const rejectFields = (row: ImportRow, message: string): RejectedRow =>
  rejected('INVALID_FIELD', `with the fields the contact has: ${message}`)(row);

/** A valid row that was not written before the import was abandoned. */
export const rejectUnwritten = rejected('NOT_IMPORTED', 'the import ended before it wrote this row');

const notedZones = 5;
const zoneCharacters = 40;
/** Further values are counted, but not told apart. */
const zonesAtMost = 1000;

/** Values of the zone field that are no IANA names, with their first row and number of rows. */
export type UnknownZones = { count: number; values: [zone: string, firstRow: number][] };

export const unknownZonesOf = (rows: readonly ImportRow[]): UnknownZones => {
  const isUnknown = new Map<string, boolean>();
  const values = new Map<string, number>();
  let count = 0;
  for (const { line, fields } of rows) {
    const zone = Object.hasOwn(fields, zoneField) ? fields[zoneField] : undefined;
    if (zone === undefined) continue;
    if (!isUnknown.has(zone)) isUnknown.set(zone, !isTimeZone(zone));
    if (!isUnknown.get(zone)) continue;
    count++;
    const shown = zone.slice(0, zoneCharacters).toWellFormed();
    if (!values.has(shown) && values.size < zonesAtMost) values.set(shown, line);
  }
  return { count, values: [...values] };
};

/** The zones of two parts of a file, in their order. */
export const mergeUnknownZones = (first: UnknownZones, second: UnknownZones): UnknownZones => ({
  count: first.count + second.count,
  values: [...new Map([...second.values, ...first.values])]
    .sort(([, a], [, b]) => a - b)
    .slice(0, zonesAtMost),
});

/**
 * A note about imported contacts that are called by the clock of their task.
 * @returns an empty text if there are none
 */
export const noteUnknownZones = ({ count, values }: UnknownZones): string => {
  if (count === 0) return '';
  const named = values.slice(0, notedZones).map(([zone, first]) => `"${zone}" (row ${first})`);
  const others = values.length > notedZones ? ` and ${values.length - notedZones} more` : '';
  return `${zoneField} is no IANA name, so the task's time zone applies; rows: ${count}; values: ${named.join(', ')}${others}`;
};

/** An import as the list of its data source shows it. */
export const importView = (
  { importId, fileName, status, importCount, successCount, failCount, updateCount, ...more }: ContactImport,
  formatTime: FormatTime,
) => ({
  importId,
  fileName,
  status,
  importCount,
  successCount,
  failCount,
  updateCount: updateCount ?? null,
  message: more.message,
  reasonCode: more.reasonCode ?? null,
  createTime: formatTime(more.createTime),
  updateTime: formatTime(more.updateTime),
});

export const hasEnded = ({ status }: Pick<ContactImport, 'status'>): boolean =>
  status === 'DONE' || status === 'FAILED';

/** Longer than any run of an import without progress. */
const stuckMs = 15 * minuteMs;
/** Longer than an upload takes, which begins within 15 minutes of its registration. */
const arrivalMs = 60 * minuteMs;

type ImportTrouble = {
  found: ContactImport;
  since: Instant;
  message: string;
  /** `null`: an import of 0.3. */
  reasonCode: FailureCode | 'NOT_ARRIVED' | 'NOT_FINISHED' | null;
};

/** The import failed within a day, and no client cancelled it. A failed dry run is not shown. */
export const failedLately = (found: ContactImport, now: Instant): ImportTrouble[] => {
  const { options, message, reasonCode = null, updateTime: since } = found;
  const isNews = reasonCode !== 'CANCELLED' && !options?.dryRun && now - since < dayMs;
  return isNews ? [{ found, since, message, reasonCode }] : [];
};

/** `due`: when the unfinished work came due. */
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

/** With the name of the data source. */
export type NamedTrouble = ImportTrouble & { dataSourceName: string };
export type NamedImport = { found: ContactImport; dataSourceName: string };

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
