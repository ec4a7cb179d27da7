/** Why a field was refused, in words for the documentation. Stable: clients translate by code and field. */
export const fieldCodes = {
  REQUIRED: 'is missing or empty',
  WRONG_TYPE: 'is not of the type the field has',
  NOT_A_CHOICE: 'is none of the values the field knows',
  TOO_SMALL: 'is a number below the least',
  TOO_LARGE: 'is a number above the most, or holds too many bytes',
  TOO_SHORT: 'is a text with too few characters',
  TOO_LONG: 'is a text with too many characters',
  TOO_FEW: 'is a list with too few entries',
  TOO_MANY: 'has too many entries or fields',
  BAD_FORMAT: 'does not have the form the field asks for',
  BAD_TEXT: 'holds characters that cannot be kept',
  BAD_JSON: 'is not a JSON object in UTF-8',
  BAD_FILE: 'cannot be read as a contact file',
  BAD_FORM: 'is not a complete multipart form with one file',
  OUT_OF_ORDER: 'does not come before the field it begins',
  DUPLICATE: 'is given twice',
  UNKNOWN: 'names something that does not exist',
  NOT_VALID: 'is not valid for the reason its message gives',
} as const;

export type FieldCode = keyof typeof fieldCodes;
