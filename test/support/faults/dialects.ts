import type { Dialect } from './fault-line.ts';

type JsonRequest = { headers: Record<string, string>; body: string | Uint8Array };

const json = (statusCode: number, type: string, more: object = {}) => ({
  statusCode,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type },
  body: Buffer.from(JSON.stringify({ __type: type, message: 'made up by a test', ...more })),
});

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();

export const operationOf = ({ headers }: Pick<JsonRequest, 'headers'>) =>
  (headers['x-amz-target'] ?? '').split('.')[1] ?? '';

/** Why DynamoDB refuses a transaction that may succeed when it is sent again. */
const passingReasons = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

const singleWrites = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

export const dynamoDb: Dialect = {
  isPassingSdk: true,
  nameOf: operationOf,
  throttled: json(400, 'ThrottlingException'),
  failed: json(500, 'InternalServerError'),
  conflict: (request: JsonRequest) => {
    const operation = operationOf(request);
    if (singleWrites.has(operation)) return json(400, 'TransactionConflictException');
    if (operation !== 'TransactWriteItems') return undefined;
    const { TransactItems } = JSON.parse(textOf(request.body)) as { TransactItems: unknown[] };
    // Transactions of another length are refused for another reason, at another item.
    const { length } = TransactItems;
    const reason = passingReasons[length % passingReasons.length];
    const CancellationReasons = TransactItems.map((_, i) => ({ Code: i === length >> 1 ? reason : 'None' }));
    return json(400, 'TransactionCanceledException', { CancellationReasons });
  },
};

const xml = (statusCode: number, code: string) => ({
  statusCode,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>made up</Message></Error>`),
});

type S3Request = { method: string; query?: Record<string, unknown> };

export const s3: Dialect = {
  nameOf: ({ method, query = {} }: S3Request) =>
    [method, ...Object.keys(query).filter((name) => name !== 'x-id')].join(' '),
  throttled: xml(503, 'SlowDown'),
  failed: xml(500, 'InternalError'),
  conflict: () => undefined,
};

export const eventBridge: Dialect = {
  nameOf: operationOf,
  throttled: json(400, 'ThrottlingException'),
  failed: json(500, 'InternalException'),
  conflict: () => undefined,
};

export const connect: Dialect = {
  nameOf: ({ method, path }: { method: string; path: string }) => `${method} ${path.split('/')[1] ?? ''}`,
  throttled: json(429, 'ThrottlingException'),
  failed: json(500, 'InternalServiceException'),
  conflict: () => undefined,
};
