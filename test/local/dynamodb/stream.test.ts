import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { embeddedClient } from '../../../local/dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from '../../../local/dynamodb/embedded-dynamodb.ts';
import { Database } from '../../../shared/platform/table/database.ts';
import { createTableInput } from '../../../shared/platform/table/table.ts';
import { aDataDir } from '../../support/service/service-process.ts';

it('keeps the changes that the stream holds, in order, until they are removed', async () => {
  const path = await aDataDir();
  const open = async () => {
    const engine = await openEmbeddedDynamoDb({
      path,
      isStreamed: ({ after }) => after?.pk?.S !== 'SILENT',
    });
    const client = embeddedClient(engine);
    return { engine, client, database: new Database(client, 'table') };
  };
  const first = await open();
  await first.client.send(new CreateTableCommand(createTableInput('table')));
  for (const pk of ['A', 'SILENT', 'B']) await first.database.put({ pk, sk: 's' });
  await first.engine.close();

  const second = await open();
  await second.database.delete({ pk: 'A', sk: 's' });
  const { stream } = second.engine;
  const records = await stream.readStream(10);
  expect(records).toMatchObject([
    { after: { pk: { S: 'A' } } },
    { after: { pk: { S: 'B' } } },
    { before: { pk: { S: 'A' } } },
  ]);
  expect(await stream.readStream(1)).toEqual(records.slice(0, 1));
  await stream.removeStreamed(records.slice(0, 2));
  expect(await stream.readStream(10)).toEqual(records.slice(2));
  await second.engine.close();
});
