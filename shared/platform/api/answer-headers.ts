/** The names of the headers that answers carry for clients. */
export const errorCodeHeader = 'x-error-code';
export const retryAfterHeader = 'retry-after';
/** The import that an answer is the report of. */
export const importIdHeader = 'x-import-id';
/** The tasks that an error is about: the ids of the newest, and how many tasks there are. */
export const taskIdsHeader = 'x-task-ids';
export const taskCountHeader = 'x-task-count';
/** Seconds until a request that was answered with 429 may be retried. */
export const retryAfterSeconds = '1';

/** The headers that CORS lets a page read. */
export const exposedHeaders = [
  'x-request-id',
  errorCodeHeader,
  retryAfterHeader,
  'content-disposition',
  'idempotent-replayed',
  importIdHeader,
  taskIdsHeader,
  taskCountHeader,
].join(',');

/** A browser that has reached the service over HTTPS uses nothing else for two years (HSTS). */
export const transportHeader = 'strict-transport-security';
export const transportSecurity = 'max-age=63072000';
