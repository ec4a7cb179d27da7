export { byteOrderMark, csvRow, unguardFormula } from './csv.ts';
export {
  DataSourceInUse,
  type ErrorKind,
  type ErrorWord,
  errorWords,
  type FieldError,
  invalid,
  MethodNotAllowed,
  notFound,
  ServiceError,
  saysLater,
} from './errors.ts';
export { type FieldCode, fieldCodes } from './field-codes.ts';
export {
  highestMaxRows,
  maxColumns,
  maxFileBytes,
  maxFileMegabytes,
  maxLines,
  maxRows,
  megabytesFor,
} from './file-size.ts';
export { doNotCallId, idFrom, isBuiltIn, isId } from './ids.ts';
export { fuzzyFilter, matchesFuzzily, nameAtMost, normaliseName } from './names.ts';
export { clock, date, minute, patterns, priority, text, wordsOfPattern } from './patterns.ts';
