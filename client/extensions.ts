/** Answers of endpoints whose generated types are not there yet. */
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
