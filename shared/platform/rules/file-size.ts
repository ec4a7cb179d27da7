// Limits of a contact file: the API documents them, the readers enforce them, the console knows them.

export const maxFileMegabytes = 10;
export const maxFileBytes = maxFileMegabytes * 1024 * 1024;
/** Rows of a file that comes with a request, and the default of `IMPORT_MAX_ROWS` for uploaded and dropped files. */
export const maxRows = 10_000;
export const maxColumns = 200;

/** What `IMPORT_MAX_ROWS` may be at most, and how large a file may then be. */
export const highestMaxRows = 1_000_000;
const highestMegabytes = 512;

/** The largest uploaded or dropped file, in megabytes, where a file may have `rows` rows: 10 MB for each 10,000. */
export const megabytesFor = (rows: number) =>
  Math.min(highestMegabytes, Math.max(maxFileMegabytes, Math.floor((rows / maxRows) * maxFileMegabytes)));

/** Where the line numbers of a spreadsheet end. It also bounds a file of nothing but empty lines. */
export const maxLines = 1_048_576;
