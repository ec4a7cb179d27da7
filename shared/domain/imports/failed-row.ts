/** A row of a contact file that was not imported. */
export type FailedRow = {
  /** Line number as a spreadsheet shows it; the titles are line 1. */
  row: number;
  phoneNumber: string;
  code: 'DUPLICATE' | 'DUPLICATE_IN_FILE' | 'INVALID_PHONE' | 'MISSING_PHONE' | 'INVALID_FIELD';
  message: string;
};

type Row = { line: number; phoneNumber: string };

/** What a client is told of a row whose phone number the data source has already. */
export const duplicateRow = ({ line, phoneNumber }: Row): FailedRow => ({
  row: line,
  phoneNumber,
  code: 'DUPLICATE',
  message: 'the data source has this phone number',
});

/** What a client is told of a row that would make its contact too large. */
export const oversizedRow = ({ line, phoneNumber }: Row, message: string): FailedRow => ({
  row: line,
  phoneNumber,
  code: 'INVALID_FIELD',
  message: `with the fields the contact has: ${message}`,
});
