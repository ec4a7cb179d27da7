import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ItemChange } from '../../../../local/dynamodb/storage.ts';
import { documentClient } from '../../../../shared/platform/table/database.ts';
import { itemOf } from '../../../../shared/platform/table/item-reader.ts';
import { createTableInput } from '../../../../shared/platform/table/table.ts';
import { type Engine, embeddedClientConfig, openEngine } from '../../../support/engines/engine-door.ts';

const TableName = 'fed';
const told: ItemChange[] = [];
let engine: Engine;
let client: ReturnType<typeof documentClient>;

beforeAll(async () => {
  engine = await openEngine({ path: ':memory:', onWritten: (changes) => told.push(...changes) });
  client = documentClient(embeddedClientConfig(engine));
  await client.send(new CreateTableCommand(createTableInput(TableName)));
});
afterAll(() => engine.close());
beforeEach(() => {
  told.length = 0;
});

const key = (pk: string) => ({ pk, sk: 'x' });
const item = (pk: string, n: number) => ({ ...key(pk), n });
const plain = () => told.map(({ before, after }) => [before && itemOf(before), after && itemOf(after)]);

it('tells each write of an item with what it was and what it is', async () => {
  await client.send(new PutCommand({ TableName, Item: item('one', 1) }));
  await client.send(
    new UpdateCommand({
      TableName,
      Key: key('one'),
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': 2 },
    }),
  );
  await client.send(new DeleteCommand({ TableName, Key: key('one') }));
  expect(plain()).toEqual([
    [undefined, item('one', 1)],
    [item('one', 1), item('one', 2)],
    [item('one', 2), undefined],
  ]);
});

it('tells every item of a transaction, a batch and a statement', async () => {
  const checked = { TableName, Key: key('none'), ConditionExpression: 'attribute_not_exists(pk)' };
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: item('two', 1) } },
        { ConditionCheck: checked },
        { Put: { TableName, Item: item('three', 1) } },
      ],
    }),
  );
  const requests = [item('four', 1), item('five', 1)].map((Item) => ({ PutRequest: { Item } }));
  await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
  const Statement = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'n': ?}`;
  await client.send(
    new BatchExecuteStatementCommand({ Statements: [{ Statement, Parameters: ['six', 'x', 1] }] }),
  );
  expect(plain()).toEqual(['two', 'three', 'four', 'five', 'six'].map((pk) => [undefined, item(pk, 1)]));
});

it('tells nothing of what was refused or changed nothing', async () => {
  const Item = item('two', 9);
  const onlyNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  await expect(client.send(new PutCommand({ TableName, Item, ...onlyNew }))).rejects.toThrow();
  const actions = [{ Put: { TableName, Item: item('seven', 1) } }, { Put: { TableName, Item, ...onlyNew } }];
  await expect(client.send(new TransactWriteCommand({ TransactItems: actions }))).rejects.toThrow();
  await client.send(new DeleteCommand({ TableName, Key: key('nobody') }));
  expect(plain()).toEqual([]);
});
