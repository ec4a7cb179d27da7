import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataFormat, setUpTable } from '../../shared/platform/table/data-format.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { createTableInput } from '../../shared/platform/table/table.ts';
import { type Front, openFront } from '../support/aws/front.ts';
import { type Engine, openEngine, shortClient } from '../support/engines/engine-door.ts';

type Handler = {
  handle(request: object): Promise<{ response: { statusCode: number; headers: object; body: Uint8Array } }>;
};

let engine: Engine;
let front: Front;

beforeAll(async () => {
  engine = await openEngine({ path: ':memory:' });
  front = await openFront(async (request, response) => {
    const sent = { headers: request.headers, body: await buffer(request) };
    const { statusCode, headers, body } = (await (engine.requestHandler as unknown as Handler).handle(sent))
      .response;
    response.writeHead(statusCode, headers as Record<string, string>).end(body);
  });
  const client = shortClient(engine);
  for (const name of ['of-the-service', 'of-others'])
    await client.send(new CreateTableCommand(createTableInput(name)));
  await client.send(
    new CreateTableCommand({
      TableName: 'other-keys',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  await setUpTable(new Database(client, 'of-the-service'));
});
afterAll(async () => {
  await front.close();
  await engine.close();
});

/** The lines that the command writes, without the SDK's word about Node's version. */
const run = (script: string, args: string[], region: Record<string, string> = { AWS_REGION: 'local' }) =>
  new Promise<{ code: number; out: string; error: string }>((resolve) => {
    const env = {
      PATH: process.env.PATH,
      NODE_NO_WARNINGS: '1',
      AWS_ENDPOINT_URL_DYNAMODB: front.url,
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      AWS_CONFIG_FILE: '/dev/null',
      ...region,
    };
    execFile(process.execPath, ['scripts/run.mjs', script, ...args], { env }, (error, out, said) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, error: said }),
    );
  });

it.each([
  ['of-others', 'the table holds no data of this service\n'],
  ['other-keys', 'the table is not a table of this service\n'],
  ['missing', 'the table does not exist in this account and region\n'],
])('npm run migrate on the wrong table %s says so in a line', async (table, error) => {
  expect(await run('scripts/migrate.ts', ['--table', table])).toEqual({ code: 1, out: '', error });
});

it('npm run migrate without a region says what to set', async () => {
  expect(await run('scripts/migrate.ts', ['--table', 'of-the-service'], {})).toEqual({
    code: 1,
    out: '',
    error: 'no AWS region is set: set AWS_REGION to the region of the stage\n',
  });
});

it('npm run migrate on a table of this version has nothing to do', async () => {
  expect(await run('scripts/migrate.ts', ['--table', 'of-the-service'])).toEqual({
    code: 0,
    out: `of-the-service is in format ${dataFormat}; nothing to do\n`,
    error: '',
  });
});

it('npm run restore without a region says what to set', async () => {
  const { code, error } = await run('scripts/restore.ts', ['--from', 'a', '--to', 'b'], {});
  expect({ code, error }).toEqual({
    code: 1,
    error: 'no AWS region is set: set AWS_REGION to the region of the stage\n',
  });
});
