import type { FieldCode } from './field-codes.ts';

/** What can go wrong, in the domain's words. shared/api/status.ts has the HTTP status of each code. */
export type ErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'notAllowed'
  | 'conflict'
  | 'tooLarge'
  | 'unprocessable'
  | 'tooBusy';

export type FieldError = { field: string; code: FieldCode; message: string };

/** An error that a client can act on. The client sees its message unchanged. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[];

  constructor(code: ErrorCode, message: string, errors: FieldError[] = []) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.errors = errors;
  }
}

/** The same work is already being done and will end soon. */
export class StillRunning extends ServiceError {
  constructor(message: string) {
    super('conflict', message);
  }
}

export const invalid = (field: string, message: string, code: FieldCode = 'NOT_VALID') =>
  new ServiceError('invalid', `${field}: ${message}`, [{ field, code, message }]);

export const notFound = (what: string) => new ServiceError('notFound', `${what} does not exist`);

export const conflict = (message: string) => new ServiceError('conflict', message);
