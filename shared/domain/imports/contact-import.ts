import type { NewContact } from '../contacts/contact.ts';
import type { FailedRow } from './failed-row.ts';

export type ImportStatus = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED';

/** What becomes of a row whose phone number the data source has: reported, or its fields go to that contact. */
export type OnDuplicate = 'skip' | 'update';

/** Times are epoch milliseconds. The counts of a running import are those of the rows done so far. */
export type ContactImport = ImportCounts & {
  importId: string;
  dataSourceId: string;
  status: ImportStatus;
  objectKey: string;
  fileName: string;
  fileSize: number;
  /** How its sender wants it done; what is left out is as usual. */
  options?: ImportOptions;
  createTime: number;
  updateTime: number;
  message: string;
  /** How often a runner has taken it up. */
  begun: number;
  /** When it was first taken up. */
  beginTime?: number;
  /** Whole blocks set aside for the rows, in file order, and the time their contacts bear. */
  reservation?: Reservation;
  /** Who runs it, and until when nobody else may. */
  runner?: string;
  runUntil?: number;
};

/** `importCount`: all rows of the file. */
export type ImportCounts = { importCount: number; successCount: number; failCount: number };

export type ImportOutcome = ImportCounts & { details: FailedRow[] };

export type ImportOptions = {
  /** Field name of a title, `''` to leave its column out. Pairs: a title may be `__proto__`. */
  mapping?: [title: string, field: string][];
  sheet?: string;
  /** The line of the titles, from 1. */
  headerRow?: number;
  onDuplicate?: OnDuplicate;
  /** Reports what would come of it, and stores no contact. */
  dryRun?: boolean;
};

export type Reservation = { firstSeq: number; blocks: number; time: number };

/** A valid row whose phone number no earlier row of the file has; `line` as a spreadsheet shows it. */
export type ImportRow = NewContact & { line: number };

export type NewImport = Pick<
  ContactImport,
  'importId' | 'dataSourceId' | 'objectKey' | 'fileName' | 'fileSize' | 'options' | 'createTime'
>;
