import type { FileRow } from './file-row.ts';

/** What a file is written from: text stays text, a number becomes a number cell where the format has such. */
export type Cell = string | number;

export type FileKind = 'csv' | 'xlsx' | 'xlsm' | 'xls' | 'xlsb' | 'ods';

/**
 * The rows of a sheet that hold text, in batches: between two of them others get their turn, however long
 * the sheet. Rows without text are left out, but counted in `line`.
 */
export type Rows = AsyncGenerator<FileRow[]>;

/** A CSV file is a sheet without a name. */
export type Sheet = { name: string; hidden: boolean; rows: () => Rows };

export type Workbook = { kind: FileKind; sheets: Sheet[] };
