/** A row of a contact file that was not imported. */
export type FailedRow = {
  /** Line number as a spreadsheet shows it; the titles are line 1. */
  row: number;
  phoneNumber: string;
  code: 'DUPLICATE' | 'DUPLICATE_IN_FILE' | 'INVALID_PHONE' | 'MISSING_PHONE' | 'INVALID_FIELD';
  message: string;
};
