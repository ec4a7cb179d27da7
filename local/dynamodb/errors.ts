const service = 'com.amazonaws.dynamodb.v20120810#';

/** DynamoDB's answer with status 400, from which the SDK makes its exceptions. */
export class RequestRefused extends Error {
  readonly body: { __type: string; message: string; [detail: string]: unknown };

  constructor(type: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.body = { __type: type, message, ...details };
  }
}

export const invalid = (message: string) =>
  new RequestRefused('com.amazon.coral.validate#ValidationException', message);

export const unknownOperation = () =>
  new RequestRefused('com.amazon.coral.service#UnknownOperationException', '');

export const tableMissing = () =>
  new RequestRefused(`${service}ResourceNotFoundException`, 'Requested resource not found');

export const tableExists = (name: string) =>
  new RequestRefused(`${service}ResourceInUseException`, `Table already exists: ${name}`);

export class ConditionFailed extends RequestRefused {
  constructor() {
    super(`${service}ConditionalCheckFailedException`, 'The conditional request failed');
  }
}

export type CancellationReason = { Code: string; Message?: string };

export const transactionCanceled = (reasons: CancellationReason[]) => {
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons
    .map(({ Code }) => Code)
    .join(', ')}]`;
  return new RequestRefused(`${service}TransactionCanceledException`, message, {
    // Only this exception spells `Message` with a capital.
    Message: message,
    CancellationReasons: reasons,
  });
};

export const tokenMismatch = () =>
  new RequestRefused(
    `${service}IdempotentParameterMismatchException`,
    'The parameters of the request do not match those of the original request with this token',
  );

/** dynalite answers a refusal with an error that has the body. It is thrown or returned. */
export const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof Error) || !('body' in error)) return error;
  const { __type, message, Message } = error.body as Record<string, string>;
  return new RequestRefused(__type ?? '', message ?? Message ?? '');
};

export const demandValid = (error: Error | null | undefined) => {
  if (error) throw refusalOf(error);
};
