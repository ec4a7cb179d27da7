/** Why a field was refused, with a description for the documentation. Stable: clients translate by code and field. */
export const fieldCodes = {
  REQUIRED: 'is missing or empty',
  WRONG_TYPE: 'has the wrong type',
  NOT_A_CHOICE: 'is not one of the allowed values',
  TOO_SMALL: 'is a number below the minimum',
  TOO_LARGE: 'is a number above the maximum, or has too many bytes',
  TOO_SHORT: 'is a text with too few characters',
  TOO_LONG: 'is a text with too many characters',
  TOO_FEW: 'is a list with too few entries',
  TOO_MANY: 'has too many entries or fields',
  BAD_FORMAT: 'does not have the required format',
  BAD_TEXT: 'has characters that cannot be stored',
  BAD_JSON: 'is not a JSON object in UTF-8',
  BAD_FILE: 'cannot be read as a contact file',
  FILE_EMPTY: 'is a file without rows',
  FILE_PROTECTED: 'is a file with a password',
  NOT_A_TABLE: 'is a file of another kind than CSV or a workbook',
  NO_PHONE_COLUMN: 'is a file in which no column is known to hold the phone numbers',
  REPEATED_TITLE: 'is a file in which two columns have the same title, or go to the same field',
  BAD_FORM: 'is not a complete multipart form with one file',
  OUT_OF_ORDER: 'is a start that is not before its end',
  DUPLICATE: 'is given twice',
  UNKNOWN: 'names something that does not exist, or is a name that the request does not know',
  NOT_VALID: 'is not valid; the message gives the reason',
} as const;

export type FieldCode = keyof typeof fieldCodes;
