import {
  errorCodeHeader,
  retryAfterHeader,
  statusOf,
  statusOfWord,
  taskCountHeader,
  taskIdsHeader,
} from '../../platform/api/answers.ts';
import { errorsOf, type Route } from '../../platform/api/route.ts';
import { type ErrorWord, errorWords, type FieldError, fieldCodes } from '../../platform/rules/errors.ts';
import type { Json } from './schemas.ts';

/** What each word means. The documentation shows it, also as the message of an example. */
const meanings: Record<ErrorWord, string> = {
  INVALID: 'The request is not valid; `data.errors` names each field',
  CURSOR_EXPIRED: 'The cursor is older than the list of events',
  UNAUTHENTICATED: 'The access token is missing, malformed, expired or not signed by the issuer',
  FORBIDDEN: "The access token lacks the route's scope",
  ORIGIN_REFUSED: 'Local mode only: the request comes from a page of another site',
  FIREWALL_REFUSED:
    'On AWS, with a web ACL: one of its rules refused the request, for example because too many came from its address',
  PATH_NOT_FOUND: 'The path does not exist',
  TASK_NOT_FOUND: 'The task does not exist',
  DATA_SOURCE_NOT_FOUND: 'The data source does not exist',
  CONTACT_NOT_FOUND: 'The contact does not exist',
  IMPORT_NOT_FOUND: 'The import does not exist',
  CALL_NOT_FOUND: 'The call does not exist',
  FILE_NOT_FOUND: 'The file is no longer stored',
  WEBHOOK_NOT_FOUND: 'The webhook does not exist',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method; the header Allow names its methods',
  TASK_STATE: "The task's state does not allow the operation; the message names the allowed states",
  CALLS_IN_PROGRESS: 'Calls of the task are in progress; the message says how many',
  DATA_SOURCE_IN_USE: 'Tasks that are not CLOSED use the data source; X-Task-Ids names them',
  DATA_SOURCE_FIXED: 'The data source is built in and cannot be changed or deleted',
  IMPORT_STATE: 'The rows of the import are visible already',
  NAME_TAKEN: 'The name is already in use',
  PHONE_NUMBER_TAKEN: 'The data source already has a contact with this phone number',
  ALREADY_REPORTED: 'The call already has a result (`extend`, `release`), or a different one (`result`)',
  LEASE_LOST:
    'The lease has ended (`extend`, `release`), or the contact was leased again and the result is not counted',
  TOO_MANY_CALLBACKS:
    'The contact has had 5 callbacks in this task; the result is not counted. Report it without callbackTime',
  CALLBACK_TOO_LATE:
    'The task ends before the callback (callUntil); the result is not counted. Report it without callbackTime',
  TASK_CLOSED: 'The task of the call is CLOSED; the result or annotation is not taken',
  CALL_NOT_REPORTED: 'The call has no result yet; report it first',
  CALL_TOO_OLD: 'The call ended more than 30 days ago; it cannot be annotated any more',
  CALL_ERASED: 'The person of the call was erased; nothing is stored about the call any more',
  CHANGED_SINCE: 'The task was changed since the updateTime that the request names; nothing was changed',
  IMPORT_RUNNING: 'The import has not ended yet; retry later',
  IMPORT_FAILED: 'The whole file of the import was refused, or the import was cancelled',
  TOO_MANY_WEBHOOKS: 'There are 20 webhooks already; delete one first',
  WEBHOOK_DISABLED: 'The webhook is switched off; switch it on first',
  STILL_RUNNING: 'The same request is still running; retry later with the same Idempotency-Key',
  TOO_LARGE: 'The request body is too large',
  FILE_TOO_LARGE:
    'The file is too large or has too many rows. On AWS also a file to be answered, above 200 MB',
  TOO_MANY_CONTACTS: 'There are more contacts than one answer can cover; the message says what to do instead',
  HOST_UNKNOWN: 'Local mode only: the Host is not a name of this machine; ALLOWED_HOSTS adds names',
  KEY_REUSED: 'The Idempotency-Key was used for another request body',
  TOO_MANY_REQUESTS: 'Too many requests; retry later',
  TOO_MANY_CHANGES: 'Too many concurrent changes to the same item; retry later',
  HEADERS_TOO_LARGE: 'The request line and the headers are too large together',
  INTERNAL: 'An error of the service; the message has the request id, which finds the log line',
  STORAGE_FULL:
    'Local mode only: the disk of the service is full. Nothing was written; retry when there is room',
  TIMEOUT: 'No answer in time; the request may or may not have completed',
};

const listed = (meaningOf: Readonly<Record<string, string>>, names = Object.keys(meaningOf)) =>
  names.map((name) => `- \`${name}\`: ${meaningOf[name]}`);

const envelope = (code: Json, data: unknown): Json => ({
  type: 'object',
  properties: { code, message: { type: 'string' }, data },
  required: ['code', 'message', 'data'],
  additionalProperties: false,
});

export const errorSchemas = {
  ErrorCode: {
    type: 'string',
    enum: Object.keys(errorWords),
    description: ['What is wrong. Stable, for clients that react or translate.', ...listed(meanings)].join(
      '\n',
    ),
  },
  Error: envelope({ type: 'integer', description: 'The HTTP status' }, { type: 'null' }),
  ValidationError: envelope(
    { type: 'integer', const: statusOf.invalid },
    {
      type: 'object',
      properties: {
        errors: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/FieldError' } },
      },
      required: ['errors'],
      additionalProperties: false,
    },
  ),
  FieldError: {
    type: 'object',
    properties: {
      field: { type: 'string', description: 'The field; a dot leads into a list or an object' },
      code: {
        type: 'string',
        enum: Object.keys(fieldCodes),
        description: [
          'Why the field was refused. Stable, for clients that translate.',
          ...listed(fieldCodes),
        ].join('\n'),
      },
      message: { type: 'string', description: 'The same in words' },
    },
    required: ['field', 'code', 'message'],
    additionalProperties: false,
  },
};

export const errorHeaders = {
  ErrorCode: {
    description: 'What is wrong, as a stable word',
    required: true,
    schema: { $ref: '#/components/schemas/ErrorCode' },
  },
  RetryAfter: {
    description: 'Seconds until the request may be retried',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  WwwAuthenticate: {
    description: 'How to authenticate',
    required: true,
    schema: { type: 'string', enum: ['Bearer'] },
  },
  TaskIds: {
    description: 'Of DATA_SOURCE_IN_USE: the ids of the newest 20 tasks, separated by commas',
    schema: { type: 'string' },
  },
  TaskCount: {
    description: 'Of DATA_SOURCE_IN_USE: how many tasks there are',
    schema: { type: 'integer', minimum: 1 },
  },
};

const headersOf = (status: number, words: readonly ErrorWord[]): Json => ({
  'x-request-id': { $ref: '#/components/headers/RequestId' },
  [errorCodeHeader]: { $ref: '#/components/headers/ErrorCode' },
  ...(status === statusOf.tooBusy ? { [retryAfterHeader]: { $ref: '#/components/headers/RetryAfter' } } : {}),
  ...(status === statusOf.unauthorized
    ? { 'www-authenticate': { $ref: '#/components/headers/WwwAuthenticate' } }
    : {}),
  ...(words.includes('DATA_SOURCE_IN_USE')
    ? {
        [taskIdsHeader]: { $ref: '#/components/headers/TaskIds' },
        [taskCountHeader]: { $ref: '#/components/headers/TaskCount' },
      }
    : {}),
});

/** Examples of words whose answers name a field. */
const refusedFields: { [Word in ErrorWord]?: FieldError } = {
  INVALID: { field: 'taskName', code: 'REQUIRED', message: 'is required' },
  CURSOR_EXPIRED: {
    field: 'after',
    code: 'NOT_VALID',
    message: 'the cursor is older than the list of events',
  },
};

const exampleOf = (word: ErrorWord): Json => {
  const code = statusOfWord(word);
  const refused = refusedFields[word];
  if (refused === undefined) return { code, message: meanings[word], data: null };
  return { code, message: `${refused.field}: ${refused.message}`, data: { errors: [refused] } };
};

const responseFor = (words: readonly ErrorWord[]): Json => {
  const status = statusOfWord(words[0]!);
  const schema = status === statusOf.invalid ? 'ValidationError' : 'Error';
  return {
    description: words.length === 1 ? meanings[words[0]!] : listed(meanings, [...words]).join('\n'),
    headers: headersOf(status, words),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(words.map((word) => [word, { value: exampleOf(word) }])),
      },
    },
  };
};

const pascal = (word: ErrorWord) =>
  word
    .toLowerCase()
    .split('_')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('');

/**
 * `TaskNotFound`, `NameTakenOrStillRunning`: each combination of words that a route answers with is
 * one response.
 */
const nameOf = (words: readonly ErrorWord[]) => words.map(pascal).join('Or');

const wordsByStatus = (route: Route): Map<number, ErrorWord[]> => {
  const own = errorsOf(route);
  const groups = new Map<number, ErrorWord[]>();
  for (const word of (Object.keys(errorWords) as ErrorWord[]).filter((each) => own.includes(each))) {
    groups.set(statusOfWord(word), [...(groups.get(statusOfWord(word)) ?? []), word]);
  }
  return groups;
};

/** The error responses of a route, by status. */
export const errorResponsesOf = (route: Route): Json =>
  Object.fromEntries(
    [...wordsByStatus(route)].map(([status, words]) => [
      status,
      { $ref: `#/components/responses/${nameOf(words)}` },
    ]),
  );

/** Every response that `errorResponsesOf` refers to. */
export const errorResponses = (routes: readonly Route[]): Json =>
  Object.fromEntries(
    routes
      .flatMap((route) => [...wordsByStatus(route).values()])
      .map((words) => [nameOf(words), responseFor(words)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
