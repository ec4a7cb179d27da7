import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../../shared/platform/table/database.ts';
import { readItemsDirectly } from '../../../../shared/platform/table/item-reader.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const aNumber = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(Math.fround),
);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const setOf = <T>(member: fc.Arbitrary<T>) =>
  fc.uniqueArray(member, { minLength: 1, maxLength: 5 }).map((members) => new Set(members));
const aValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    aNumber,
    fc.boolean(),
    fc.constant(null),
    bytes,
    setOf(fc.string({ minLength: 1 })),
    setOf(fc.integer()),
    setOf(fc.nat(255)).map((members) => new Set([Uint8Array.from(members)])),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1 }), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

it('asks again where something on the way answers in its own words', async () => {
  const table = await engines[0]!.open();
  onTestFinished(table.close);
  const { requestHandler, region, credentials, endpoint, signer } = table.sdk.config;
  let calls = 0;
  const handle = async (...call: Parameters<typeof requestHandler.handle>) => {
    const { response } = await requestHandler.handle(...call);
    const busy = { statusCode: 503, body: Buffer.from('<p>busy</p>') };
    return { response: ++calls === 1 ? Object.assign(response, busy) : response };
  };
  const config = { region, credentials, signer, ...(endpoint && { endpoint }) };
  const client = new DynamoDBClient({ ...config, requestHandler: { ...requestHandler, handle } });
  const database = new Database(DynamoDBDocumentClient.from(readItemsDirectly(client)), table.tableName);
  expect(await database.batchGet([{ pk: 'p', sk: 's' }])).toEqual([undefined]);
  expect(calls).toBe(2);
});

describe.each(engines)('items read on $name', ({ open }) => {
  let table: OpenTable;
  let asTheSdkDoes: DynamoDBDocumentClient;
  beforeAll(async () => {
    table = await open();
    const { requestHandler, region, credentials, endpoint, signer } = table.sdk.config;
    const config = { requestHandler, region, credentials, signer, ...(endpoint && { endpoint }) };
    asTheSdkDoes = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  });
  afterAll(() => table.close());

  describe.each(['client', 'sdk'] as const)('by its %s', (by) => {
    it('are those that the SDK reads', async () => {
      const { [by]: client, tableName } = table;
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.constantFrom(...'abcdef'), aValue, { noNullPrototype: true }),
          async (values) => {
            await client.send(
              new PutCommand({ TableName: tableName, Item: { ...values, pk: 'p', sk: 's' } }),
            );
            const query = () =>
              new QueryCommand({
                TableName: tableName,
                KeyConditionExpression: 'pk = :pk',
                ExpressionAttributeValues: { ':pk': 'p' },
                ConsistentRead: true,
              });
            const batch = () =>
              new BatchGetCommand({
                RequestItems: { [tableName]: { Keys: [{ pk: 'p', sk: 's' }], ConsistentRead: true } },
              });
            const [queried, expected] = await Promise.all([client.send(query()), asTheSdkDoes.send(query())]);
            expect(queried.Items).toEqual(expected.Items);
            expect(queried.Count).toBe(1);
            const [got, wanted] = await Promise.all([client.send(batch()), asTheSdkDoes.send(batch())]);
            expect(got.Responses).toEqual(wanted.Responses);
            expect(got.UnprocessedKeys).toEqual(wanted.UnprocessedKeys);
          },
        ),
        randomRuns(60),
      );
    });

    it('come with the key to go on from', async () => {
      const { [by]: client, tableName, database } = table;
      await database.putAll(Array.from({ length: 5 }, (_, i) => ({ pk: 'q', sk: String(i), at: i })));
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          Limit: 2,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': 'q' },
        }),
      );
      expect(page.LastEvaluatedKey).toEqual({ pk: 'q', sk: '1' });
      expect(page.Items?.map(({ at }) => at)).toEqual([0, 1]);
    });

    it('leave a refusal as the SDK reports it', async () => {
      const query = new QueryCommand({ TableName: 'absent', KeyConditionExpression: 'pk = :pk' });
      await expect(table[by].send(query)).rejects.toHaveProperty('$metadata.httpStatusCode', 400);
    });
  });
});
