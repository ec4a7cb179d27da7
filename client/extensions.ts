/** Answers of endpoints whose generated types are not there yet. */
export type Clock = { start: string; end: string };

export type DialingReason =
  | 'DRAFT'
  | 'PAUSED'
  | 'ENDED'
  | 'NO_CONTACTS'
  | 'OUTSIDE_HOURS'
  | 'WAITING_FOR_RETRY'
  | 'ALL_IN_CALL'
  | 'NO_DIALER';

export type TaskOverview = {
  id: string;
  taskName: string;
  taskDesc: string;
  status: number;
  dataSourceId: string;
  dataSourceName: string;
  priority: number;
  maxDialCount: number;
  callInterval: number;
  dailyStartTime: string;
  dailyEndTime: string;
  timeZone: string | null;
  weekdays: number[];
  excludedDates: string[];
  breaks: Clock[];
  excludedDataSourceIds: string[];
  contacts: {
    total: number;
    notDialed: number;
    inCall: number;
    waiting: number;
    reached: number;
    failed: number;
    noAnswer: number;
    blocked: number;
  };
  calls: {
    total: number;
    success: number;
    failed: number;
    noAnswer: number;
    byReason: Record<string, number>;
    duration: number;
  };
  dialing: {
    active: boolean;
    reason: DialingReason | null;
    nextTime: string | null;
    lastLeaseTime: string | null;
  };
  createTime: string;
  startTime: string | null;
  endTime: string | null;
  updateTime: string | null;
  reason: string | null;
};

export type TimelineBucket = { time: string; success: number; failed: number; noAnswer: number };
export type Timeline = { bucket: 'hour' | 'minute'; rows: TimelineBucket[] };

export type TaskCall = { time: string; outcome: string; reason: string | null; duration: number };
export type TaskContact = {
  id: string;
  phoneNumber: string;
  customerName: string;
  outcome: string;
  attempts: number;
  nextCallTime: string | null;
  calls: TaskCall[];
  [field: string]: unknown;
};
export type TaskContacts = { total: number; rows: TaskContact[]; nextPageToken: string | null };

export type HistoryEntry = {
  time: string;
  operation: string;
  from: number | null;
  to: number | null;
  by: string;
  reason: string | null;
};

export type ImportPreview = {
  kind: string;
  sheets: string[];
  sheet: string | null;
  headerRow: number;
  rowCount: number;
  columns: { column: string; title: string; field: string; samples: string[] }[];
};

export type ImportDetail = { row: number; phoneNumber: string; code: string; message: string };
export type ImportReport = {
  importCount: number;
  successCount: number;
  failCount: number;
  details: ImportDetail[];
};
export type ImportEntry = {
  importId: string;
  fileName: string;
  status: 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED';
  importCount: number | null;
  successCount: number | null;
  failCount: number | null;
  message: string | null;
  createTime: string;
  updateTime: string;
};
