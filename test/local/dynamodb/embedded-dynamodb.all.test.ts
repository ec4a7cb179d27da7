import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  ListTablesCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ClassicLevel } from 'classic-level';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { embeddedClient } from '../../../local/dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from '../../../local/dynamodb/embedded-dynamodb.ts';
import { ensureTable } from '../../../local/dynamodb/ensure-table.ts';
import type { Level } from '../../../local/dynamodb/level.ts';
import { Database, documentClient } from '../../../shared/platform/table/database.ts';
import { ifAbsent } from '../../../shared/platform/table/expressions.ts';
import { createTableInput } from '../../../shared/platform/table/table.ts';
import { embeddedClientConfig, openEngine } from '../../support/engines/engine-door.ts';
import { programOf } from '../../support/service/program.ts';

const open = async (path: string, tableName: string) => {
  const engine = await openEngine({ path });
  const client = documentClient(embeddedClientConfig(engine));
  return { engine, client, database: new Database(client, tableName) };
};

const openNew = async (path: string, tableName = 'table') => {
  const opened = await open(path, tableName);
  await opened.client.send(new CreateTableCommand(createTableInput(tableName)));
  return opened;
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-dynamodb-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the embedded engine in a folder', () => {
  it('has its tables, items and index entries after reopening', async () => {
    const before = await openNew(folder);
    const item = { pk: 'a', sk: 'b', gsi1pk: 'i', gsi1sk: 'j', v: 1, text: '你好' };
    await before.database.put(item);
    await before.engine.close();
    const { engine, database } = await open(folder, 'table');
    expect(await database.get({ pk: 'a', sk: 'b' })).toEqual(item);
    const range = {
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :i',
      ExpressionAttributeValues: { ':i': 'i' },
    };
    const { text, ...entry } = item;
    expect(await database.queryAll(range)).toEqual([entry]);
    await engine.close();
  });

  it('says in one sentence that the folder is in use', async () => {
    const { engine } = await openNew(folder);
    await expect(openEmbeddedDynamoDb({ path: folder })).rejects.toThrow(
      `The data folder ${folder} is in use by another process.`,
    );
    await engine.close();
  });

  it('says in one sentence that the folder cannot be opened', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'no folder');
    const path = join(file, 'data');
    await expect(openEmbeddedDynamoDb({ path })).rejects.toThrow(
      /^The data folder .* cannot be opened: .*\.$/,
    );
  });

  it('rejects requests after closing', async () => {
    const { engine, database } = await openNew(folder);
    await engine.close();
    await expect(database.get({ pk: 'a', sk: 'b' })).rejects.toThrow();
  });
});

it('says which parts of DynamoDB it does not have', async () => {
  const { engine, client } = await openNew(':memory:');
  const [TableName, Key] = ['table', { pk: 'a', sk: 'b' }];
  const change = { TableName, Key, ExpressionAttributeValues: { ':v': 1 } };
  const refused = [
    new GetCommand({ TableName, Key, ProjectionExpression: 'a' }),
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key], ProjectionExpression: 'a' } } }),
    new UpdateCommand({ ...change, UpdateExpression: 'SET a.b = :v' }),
    new UpdateCommand({ ...change, UpdateExpression: 'SET a = :v', ReturnValues: 'UPDATED_NEW' }),
  ];
  for (const command of refused)
    await expect(client.send(command as never)).rejects.toThrow('not supported by this engine');
  await engine.close();
});

describe('items that expire', () => {
  const namesOf = async (database: Database) =>
    (
      await database.queryAll({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': 'p' },
      })
    ).map(({ sk }) => sk);

  it('go when the host asks for it, after a restart too; those written anew or without a time stay', async () => {
    const { engine, client, database } = await open(folder, 'table');
    await ensureTable(client, 'table');
    const put = (sk: string, ttl?: number) => database.put({ pk: 'p', sk, ...(ttl && { ttl }) });
    for (const sk of ['a', 'b', 'c']) await put(sk, 100);
    await database.update(
      { pk: 'p', sk: 'b' },
      {
        UpdateExpression: 'SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':ttl': 200 },
      },
    );
    await put('c');
    await put('d', 99.5);
    expect(await engine.removeExpired(99)).toBe(0);
    expect(await engine.removeExpired(101)).toBe(2);
    expect(await namesOf(database)).toEqual(['b', 'c']);
    await engine.close();
    const later = await open(folder, 'table');
    await ensureTable(later.client, 'table');
    // Written anew while the expired ones are being removed.
    await later.database.put({ pk: 'p', sk: 'e', ttl: 300 });
    const removing = later.engine.removeExpired(1000);
    await new Database(embeddedClient(later.engine), 'table').put({ pk: 'p', sk: 'e', ttl: 2000 });
    expect(await removing).toBe(1);
    expect(await namesOf(later.database)).toEqual(['c', 'e']);
    expect(await later.engine.removeExpired(1000)).toBe(0);
    await later.engine.close();
  });
});

describe('a write', () => {
  it('is answered, and shown to others, when it is on the disk', async () => {
    const written = new Set<string | undefined>();
    const engine = await openEmbeddedDynamoDb({
      path: folder,
      onWritten: (changes) => changes.forEach(({ after }) => void written.add(after?.pk?.S)),
    });
    const client = embeddedClient(engine);
    await client.send(new CreateTableCommand(createTableInput('table')));
    const database = new Database(client, 'table');
    const isWritten = (pk: string) => () => written.has(pk);
    const answers = ['a', 'b', 'c'].flatMap((pk) => {
      const item = { pk, sk: 'S' };
      return [
        database.put(item).then(isWritten(pk)),
        database.get(item).then((found) => found !== undefined && written.has(pk)),
        database.put(item, ifAbsent).then(() => false, isWritten(pk)),
      ];
    });
    expect(await Promise.all(answers)).toEqual(answers.map(() => true));
    await engine.close();
  });

  it('that fails takes with it what was based on it, and is made under its token later', async () => {
    let failures = 0;
    const batch = ClassicLevel.prototype.batch as Level['batch'];
    const failing = function (this: Level, ...written: Parameters<Level['batch']>) {
      const fail = () => new Promise<void>((_, reject) => setImmediate(reject, new Error('no room')));
      return failures-- > 0 ? fail() : batch.apply(this, written);
    };
    vi.spyOn(ClassicLevel.prototype, 'batch').mockImplementation(failing as never);
    onTestFinished(() => void vi.restoreAllMocks());
    const { engine } = await openNew(folder);
    const client = embeddedClient(engine);
    const database = new Database(client, 'table');
    const key = { pk: 'count', sk: 'S' };
    const one = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
    const increment = (ClientRequestToken: string) => {
      const TransactItems = [database.updateOf(key, one)];
      return client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
    };
    failures = 1;
    const outcomes = await Promise.allSettled(['first', 'second'].map(increment));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await database.get(key)).toBeUndefined();
    let isWritten = false;
    const again = increment('first').finally(() => {
      isWritten = true;
    });
    const reads: Promise<unknown>[] = [];
    while (!isWritten) {
      reads.push(database.get({ pk: 'another', sk: 'S' }));
      await new Promise(setImmediate);
    }
    await Promise.all([again, ...reads]);
    expect(await database.get(key)).toEqual({ ...key, n: 1 });
    await engine.close();
  });
});

describe('where DynamoDB Local differs from the service', () => {
  it('gives the reason ValidationError to an update that cannot be applied', async () => {
    const { engine, client, database } = await openNew(':memory:');
    const text = { pk: 'text', sk: 'S', n: 'text' };
    await database.put(text);
    const increment = database.updateOf(
      { pk: 'text', sk: 'S' },
      { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } },
    );
    const error = await client.send(new TransactWriteCommand({ TransactItems: [increment] })).catch((e) => e);
    expect(error).toBeInstanceOf(TransactionCanceledException);
    expect(error.CancellationReasons).toMatchObject([{ Code: 'ValidationError' }]);
    await engine.close();
  });

  it('refuses an update that gives an index key the wrong type', async () => {
    const { engine, database } = await openNew(':memory:');
    const key = { pk: 'a', sk: 'S' };
    const update = { UpdateExpression: 'SET gsi1pk = :n', ExpressionAttributeValues: { ':n': 1 } };
    await expect(database.update(key, update)).rejects.toMatchObject({ name: 'ValidationException' });
    await engine.close();
  });

  it('knows only the operations in use', async () => {
    const { engine, client } = await openNew(':memory:');
    await expect(client.send(new ListTablesCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
    await engine.close();
  });
});

describe('a folder in trouble', () => {
  it('without its CURRENT is refused with how to restore it, and its data is kept', async () => {
    const { engine, database } = await openNew(folder);
    await database.put({ pk: 'a', sk: 'b', v: 1 });
    await engine.close();
    const current = join(folder, 'CURRENT');
    const manifest = (await readFile(current, 'utf8')).trim();
    await rm(current);
    await expect(openEmbeddedDynamoDb({ path: folder })).rejects.toThrow(`echo ${manifest} > ${current}`);
    await writeFile(current, `${manifest}\n`);
    const restored = await open(folder, 'table');
    expect(await restored.database.get({ pk: 'a', sk: 'b' })).toMatchObject({ v: 1 });
    await restored.engine.close();
  });

  it.runIf(existsSync('/usr/bin/prlimit'))(
    'that is full is said to clients, and once in the log; it is read meanwhile, and written once there is room',
    async () => {
      const node = [process.execPath, await programOf('test/support/engines/full-disk-writer.ts')];
      const env = { ...process.env, POWERTOOLS_LOG_LEVEL: 'ERROR' };
      const child = spawn('prlimit', ['--fsize=1000000:unlimited', ...node, folder], { env });
      const output = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].on('data', (data) => {
          output[name] += data;
        });
      await once(child, 'close');
      const full = [503, 'STORAGE_FULL', expect.stringMatching(/disk .* is full; retry/)];
      expect(JSON.parse(output.stdout)).toEqual({
        refused: full,
        refusedAgain: [full, full, full],
        readMeanwhile: true,
        writtenAgain: 200,
        kept: true,
      });
      const logged = output.stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      // The table once, and the uploaded files once.
      expect(logged.map(({ message, folder: where }) => [message, where])).toEqual([
        ['the disk is full', join(folder, 'dynamodb')],
        ['the disk is full', expect.stringContaining(folder)],
      ]);
    },
  );
});
