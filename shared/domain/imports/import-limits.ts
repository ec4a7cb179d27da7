/** Limits of a contact file: the API documents them, the readers enforce them, the console knows them. */
export const maxFileMegabytes = 10;
export const maxFileBytes = maxFileMegabytes * 1024 * 1024;
export const maxRows = 10_000;
export const maxColumns = 200;

/** Where the line numbers of a spreadsheet end. It also bounds a file of nothing but empty lines. */
export const maxLines = 1_048_576;
