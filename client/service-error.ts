import type { components } from './generated/schema.ts';

export type FieldError = { field: string; code: string; message: string };
/** The word of `X-Error-Code`. */
export type ErrorCode = components['schemas']['ErrorCode'];

type RefusalFacts = Pick<ServiceRefusal, 'errors' | 'requestId' | 'errorCode' | 'tasks'>;

/** The service refused the request. `code` is the HTTP status and the envelope's code. */
export class ServiceRefusal extends Error {
  readonly code: number;
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;
  /** What is wrong, as a stable word. */
  readonly errorCode: ErrorCode | undefined;
  /** Only for DATA_SOURCE_IN_USE: the tasks that use it. `ids` names the newest of them. */
  readonly tasks: { ids: readonly string[]; count: number } | undefined;

  constructor(code: number, message: string, facts: Partial<RefusalFacts> = {}) {
    super(message);
    this.name = 'ServiceRefusal';
    this.code = code;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId;
    this.errorCode = facts.errorCode;
    this.tasks = facts.tasks;
  }
}

/** There was no answer, or an answer of something other than the service. */
export class NoAnswer extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoAnswer';
  }
}
