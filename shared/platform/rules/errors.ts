/**
 * Why a field was refused, with a description for the documentation. The codes are stable: clients
 * translate by code and field.
 */
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

/** What can go wrong, by kind. shared/platform/api/answers.ts has the HTTP status of each kind. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'notAllowed'
  | 'conflict'
  | 'tooLarge'
  | 'misdirected'
  | 'unprocessable'
  | 'tooBusy'
  | 'headersTooLarge'
  | 'internal'
  | 'unavailable'
  | 'timeout';

/**
 * One word for each situation that a client reacts to, with its kind. Every error answer carries
 * its word as `X-Error-Code`. Words are stable: clients compare and translate them.
 */
export const errorWords = {
  INVALID: 'invalid',
  CURSOR_EXPIRED: 'invalid',
  UNAUTHENTICATED: 'unauthorized',
  FORBIDDEN: 'forbidden',
  ORIGIN_REFUSED: 'forbidden',
  FIREWALL_REFUSED: 'forbidden',
  PATH_NOT_FOUND: 'notFound',
  TASK_NOT_FOUND: 'notFound',
  DATA_SOURCE_NOT_FOUND: 'notFound',
  CONTACT_NOT_FOUND: 'notFound',
  IMPORT_NOT_FOUND: 'notFound',
  CALL_NOT_FOUND: 'notFound',
  FILE_NOT_FOUND: 'notFound',
  WEBHOOK_NOT_FOUND: 'notFound',
  METHOD_NOT_ALLOWED: 'notAllowed',
  TASK_STATE: 'notAllowed',
  CALLS_IN_PROGRESS: 'notAllowed',
  DATA_SOURCE_FIXED: 'notAllowed',
  DATA_SOURCE_IN_USE: 'notAllowed',
  IMPORT_STATE: 'notAllowed',
  NAME_TAKEN: 'conflict',
  PHONE_NUMBER_TAKEN: 'conflict',
  ALREADY_REPORTED: 'conflict',
  LEASE_LOST: 'conflict',
  TOO_MANY_CALLBACKS: 'conflict',
  CALLBACK_TOO_LATE: 'conflict',
  TASK_CLOSED: 'conflict',
  CALL_NOT_REPORTED: 'conflict',
  CALL_TOO_OLD: 'conflict',
  CALL_ERASED: 'conflict',
  CHANGED_SINCE: 'conflict',
  IMPORT_RUNNING: 'conflict',
  IMPORT_FAILED: 'conflict',
  TOO_MANY_WEBHOOKS: 'conflict',
  WEBHOOK_DISABLED: 'conflict',
  STILL_RUNNING: 'conflict',
  TOO_LARGE: 'tooLarge',
  FILE_TOO_LARGE: 'tooLarge',
  TOO_MANY_CONTACTS: 'tooLarge',
  HOST_UNKNOWN: 'misdirected',
  KEY_REUSED: 'unprocessable',
  TOO_MANY_REQUESTS: 'tooBusy',
  TOO_MANY_CHANGES: 'tooBusy',
  HEADERS_TOO_LARGE: 'headersTooLarge',
  INTERNAL: 'internal',
  STORAGE_FULL: 'unavailable',
  TIMEOUT: 'timeout',
} as const satisfies Record<string, ErrorKind>;

export type ErrorWord = keyof typeof errorWords;

/** The words that say "later": the same request may succeed if it is sent again. */
const laterWords: ReadonlySet<ErrorWord> = new Set([
  // With another token.
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'ORIGIN_REFUSED',
  // From another address, or with fewer requests.
  'FIREWALL_REFUSED',
  // When the calls or imports have ended.
  'CALLS_IN_PROGRESS',
  'IMPORT_RUNNING',
  'CALL_NOT_REPORTED',
  'STILL_RUNNING',
  // When the service is less busy, or works again.
  'TOO_MANY_REQUESTS',
  'TOO_MANY_CHANGES',
  'INTERNAL',
  'STORAGE_FULL',
  'TIMEOUT',
]);

/** An answer that says "later" is not stored under an Idempotency-Key. */
export const saysLater = (word: ErrorWord): boolean => laterWords.has(word);

export type FieldError = { field: string; code: FieldCode; message: string };

/** An error that a client can act on. The client sees its message unchanged. */
export class ServiceError extends Error {
  readonly word: ErrorWord;
  readonly code: ErrorKind;
  readonly errors: FieldError[];

  constructor(word: ErrorWord, message: string, errors: FieldError[] = []) {
    super(message);
    this.name = 'ServiceError';
    this.word = word;
    this.code = errorWords[word];
    this.errors = errors;
  }
}

/** The path exists, but not with this method. `methods` lists the methods of the path. */
export class MethodNotAllowed extends ServiceError {
  readonly methods: string;

  constructor(method: string, methods: string) {
    super('METHOD_NOT_ALLOWED', `${method} is not allowed here; use ${methods}`);
    this.methods = methods;
  }
}

/** Tasks use the data source. `taskIds` names the newest of them. */
export class DataSourceInUse extends ServiceError {
  readonly taskIds: readonly string[];
  readonly taskCount: number;

  constructor(message: string, taskIds: readonly string[], taskCount: number) {
    super('DATA_SOURCE_IN_USE', message);
    this.taskIds = taskIds;
    this.taskCount = taskCount;
  }
}

export const invalid = (field: string, message: string, code: FieldCode = 'NOT_VALID') =>
  new ServiceError('INVALID', `${field}: ${message}`, [{ field, code, message }]);

const notFoundWords = {
  task: 'TASK_NOT_FOUND',
  'data source': 'DATA_SOURCE_NOT_FOUND',
  contact: 'CONTACT_NOT_FOUND',
  import: 'IMPORT_NOT_FOUND',
  call: 'CALL_NOT_FOUND',
  'the file': 'FILE_NOT_FOUND',
  webhook: 'WEBHOOK_NOT_FOUND',
} as const satisfies Record<string, ErrorWord>;

export const notFound = (what: keyof typeof notFoundWords) =>
  new ServiceError(notFoundWords[what], `${what} does not exist`);
