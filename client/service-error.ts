export type FieldError = { field: string; code: string; message: string };

/** The service refused: HTTP status and envelope code are the same number. */
export class ServiceRefusal extends Error {
  readonly code: number;
  readonly errors: readonly FieldError[];
  readonly requestId: string | undefined;

  constructor(code: number, message: string, errors: readonly FieldError[] = [], requestId?: string) {
    super(message);
    this.name = 'ServiceRefusal';
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
  }
}

/** Nobody answered, or not in the form of this service. */
export class NoAnswer extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoAnswer';
  }
}
