import type { NewContact } from './contact.ts';

export type ImportStatus = 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED';

/** Times are epoch milliseconds. */
export type ContactImport = {
  importId: string;
  dataSourceId: string;
  status: ImportStatus;
  objectKey: string;
  fileName: string;
  fileSize: number;
  createTime: number;
  updateTime: number;
  importCount: number;
  successCount: number;
  failCount: number;
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

export type Reservation = { firstSeq: number; blocks: number; time: number };

/** A valid row whose phone number no earlier row of the file has; `line` as a spreadsheet shows it. */
export type ImportRow = NewContact & { line: number };

export type NewImport = Pick<
  ContactImport,
  'importId' | 'dataSourceId' | 'objectKey' | 'fileName' | 'fileSize' | 'createTime'
>;
