import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Database, documentClient } from '../../../../shared/platform/table/database.ts';
import { createTableInput } from '../../../../shared/platform/table/table.ts';
import { type Engine, embeddedClientConfig, openEngine } from '../../../support/engines/engine-door.ts';

const key = { pk: 'a', sk: 'b' };
const addition = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
const throttled = {
  statusCode: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify({ __type: 'ProvisionedThroughputExceededException', message: 'slow' })),
};

let engine: Engine;
beforeEach(async () => {
  engine = await openEngine({ path: ':memory:' });
});
afterEach(() => engine.close());

/** Through the SDK, whose first request meets a fault. */
const withFault = async (fault: (perform: () => Promise<unknown>) => Promise<unknown>) => {
  const { handle } = engine.requestHandler as { handle: (request: object) => Promise<unknown> };
  let requests = 0;
  const faulty = (request: object) => (++requests === 2 ? fault(() => handle(request)) : handle(request));
  const client = documentClient(embeddedClientConfig({ requestHandler: { handle: faulty } as never }));
  await client.send(new CreateTableCommand(createTableInput('table')));
  const database = new Database(client, 'table');
  const result = await database.updateOnce(key, addition).catch((error: Error) => error.message);
  return { result, item: await database.get(key) };
};

it('is made again after it was refused', async () => {
  const { result, item } = await withFault(async () => ({ response: throttled }));
  expect([result, item]).toEqual([
    { ...key, n: 1 },
    { ...key, n: 1 },
  ]);
});

const failed = {
  ...throttled,
  statusCode: 500,
  body: Buffer.from(JSON.stringify({ __type: 'InternalServerError', message: 'reset' })),
};

it.each(['got lost', 'was an error of the table'])('is not made again after its answer %s', async (how) => {
  const { result, item } = await withFault(async (perform) => {
    await perform();
    if (how !== 'got lost') return { response: failed };
    throw Object.assign(new Error('reset'), { name: 'TimeoutError', code: 'ECONNRESET' });
  });
  expect(result).toMatch(/may have been made|reset/);
  expect(item).toEqual({ ...key, n: 1 });
});
