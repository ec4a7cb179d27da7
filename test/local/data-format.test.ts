import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startService } from '../../local/service.ts';
import { settingsFrom } from '../../local/settings.ts';
import { migrate } from '../../shared/app/migrations.ts';
import { openStores } from '../../shared/app/runtime/imports.ts';
import { onceChecked } from '../../shared/app/runtime/lambda.ts';
import { log } from '../../shared/platform/observability/log.ts';
import {
  assertFormat,
  dataFormat,
  migrateBy,
  OtherDataFormat,
  setUpTable,
} from '../../shared/platform/table/data-format.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { keys } from '../../shared/platform/table/keys.ts';
import {
  dataFixtures,
  keptVersions,
  readDataFolder,
  writeDataFolder,
} from '../support/engines/data-folder.ts';
import { engines } from '../support/engines/engines.ts';

const aFolder = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'data-format-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

const aTable = async (): Promise<Database> => {
  const { database, close } = await engines[0]!.open();
  onTestFinished(close);
  return database;
};

/** Every file below the folder with what it holds. */
const contentOf = async (folder: string) => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
  return Promise.all(files.sort().map(async (file) => [file, (await readFile(file)).toString('base64')]));
};

describe('a data folder', () => {
  const start = (DATA_DIR: string) => startService(settingsFrom({ PORT: '0', DATA_DIR }));

  const expectRefused = async (folder: string, words: RegExp) => {
    const before = await contentOf(folder);
    await expect(start(folder)).rejects.toThrow(words);
    expect(await contentOf(folder)).toEqual(before);
  };

  it('of another version is refused in one line and not touched', async () => {
    const folder = await aFolder();
    const written = path.join(folder, 'data');
    await writeDataFolder(written, path.join(folder, 'copy'));
    const later = JSON.stringify({ format: dataFormat + 1 });
    await writeFile(path.join(written, 'format.json'), later);
    await expectRefused(
      written,
      /^DATA_DIR cannot be used: .* holds data of format \d+, written by a later version/,
    );
    for (const unknown of ['nonsense', '{"format":0}', '{"format":1.5}']) {
      await writeFile(path.join(written, 'format.json'), unknown);
      await expectRefused(written, /format\.json holds no format/);
    }
    await writeFile(path.join(written, 'format.json'), '{"format":2}');
    await expectRefused(written, /was written by version 0\.2 or 0\.3: open it with version 0\.4 first$/);
    await rm(path.join(written, 'format.json'));
    await expectRefused(written, /was written by version 0\.1, .* set DATA_DIR to another folder$/);
  });

  it('of this version is read as it was written', async () => {
    const folder = await aFolder();
    await writeDataFolder(path.join(folder, 'data'), path.join(folder, 'copy'));
    const { written, answered } = await readDataFolder(path.join(folder, 'data'), path.join(folder, 'again'));
    expect(answered).toEqual(written);
    expect(written.due.length).toBe(20);
  });

  // That of 0.3.0 was opened by 0.4.0, as the page on updating asks for.
  it('of every version since 0.3.0 is read as it was written', async () => {
    for (const version of await keptVersions()) {
      const scratch = path.join(await aFolder(), version);
      const { written, answered } = await readDataFolder(path.join(dataFixtures, version), scratch);
      // What later versions ask for as well says nothing here.
      const asked = Object.fromEntries(Object.keys(written).map((name) => [name, answered[name as never]]));
      expect({ version, ...asked }).toEqual({ version, ...written });
    }
  });

  it('may have been made by hand', async () => {
    const folder = await aFolder();
    await mkdir(path.join(folder, 'new'));
    await cp(path.join(folder, 'new'), path.join(folder, 'empty'), { recursive: true });
    await (await start(path.join(folder, 'empty'))).close();
    expect(JSON.parse(await readFile(path.join(folder, 'empty', 'format.json'), 'utf8'))).toEqual({
      format: dataFormat,
      hasTable: true,
    });
  });
});

/** A table as a deployed function uses it, and what it is asked by its names. */
const aWatchedTable = async () => {
  const { client, database, tableName, close } = await engines[0]!.open();
  onTestFinished(close);
  const sent: string[] = [];
  const send = (command: { constructor: { name: string } }) => {
    sent.push(command.constructor.name);
    return client.send(command as never);
  };
  const open = (mayFormat = false) =>
    new Database(onceChecked({ send: send as never }, tableName, mayFormat), tableName);
  return { database, sent, open };
};

describe('a deployed function', () => {
  it('looks at the format of the table once, before its first call', async () => {
    const { sent, open, database } = await aWatchedTable();
    await setUpTable(database);
    const next = open();
    for (let i = 0; i < 2; i++) await next.get(keys.askedForAny);
    expect(sent).toEqual(['GetCommand', 'GetCommand', 'GetCommand']);
  });

  it('records the format of a new table only where it may; every other serves the empty table', async () => {
    const { open, database } = await aWatchedTable();
    expect(await open().get(keys.askedForAny)).toBeUndefined();
    expect(await database.get(keys.format)).toBeUndefined();
    const first = open(true);
    await Promise.all([first.get(keys.askedForAny), open(true).get(keys.askedForAny)]);
    expect(await database.get(keys.format)).toMatchObject({ format: dataFormat });
  });

  it('says in one line that the data is of another format, and touches nothing', async () => {
    const complaint = vi.spyOn(log, 'error').mockImplementation(() => {});
    onTestFinished(() => complaint.mockRestore());
    const { sent, open, database } = await aWatchedTable();
    await database.put({ ...keys.format, format: dataFormat + 1 });
    const mine = open();
    for (let i = 0; i < 2; i++) await expect(mine.put({ pk: 'a', sk: 'b' })).rejects.toThrow(OtherDataFormat);
    expect(sent).toEqual(['GetCommand', 'GetCommand']);
    expect(complaint).toHaveBeenCalledWith(
      expect.stringMatching(/^the table holds data of format \d+, written/),
    );
  });
});

describe('a table', () => {
  it('is marked when it is new, and refused when it is of another format', async () => {
    const database = await aTable();
    await Promise.all([setUpTable(database), setUpTable(database), setUpTable(database)]);
    expect(await database.get(keys.format)).toMatchObject({ format: dataFormat });
    await database.put({ ...keys.format, format: dataFormat + 1 });
    await expect(assertFormat(database)).rejects.toThrow(/written by a later version/);
    await expect(migrate(database)).rejects.toThrow(OtherDataFormat);
    await expect(assertFormat(database, dataFormat + 2, dataFormat + 2)).rejects.toThrow(
      /run npm run migrate/,
    );
  });

  it('of an older format is served as it is, until it was migrated', async () => {
    const database = await aTable();
    await setUpTable(database);
    await assertFormat(database, dataFormat + 1, dataFormat);
    expect(await database.get(keys.format)).toMatchObject({ format: dataFormat });
    const step = { from: dataFormat, run: async () => {} };
    // Two migrations at the same time, one of which comes late.
    const late = {
      from: dataFormat,
      run: async () => void (await migrateBy(database, [step, next], dataFormat + 2)),
    };
    const next = { from: dataFormat + 1, run: async () => {} };
    await migrateBy(database, [late], dataFormat + 1);
    expect(await database.get(keys.format)).toMatchObject({ format: dataFormat + 2 });
    await assertFormat(database, dataFormat + 2, dataFormat);
    await expect(assertFormat(database)).rejects.toThrow(/written by a later version/);
  });

  it('of 0.2 or 0.3 is refused until 0.4 has opened it', async () => {
    const database = await aTable();
    await database.put({ ...keys.format, format: 2, setUpTime: 1 });
    for (const use of [assertFormat, migrate])
      await expect(use(database)).rejects.toThrow(
        'the table was written by version 0.2 or 0.3: open it with version 0.4 first',
      );
    expect(await database.get(keys.format)).toMatchObject({ format: 2 });
  });

  it('tells when the service was set up', async () => {
    const began = Date.now();
    const database = await aTable();
    await setUpTable(database);
    const { createTime } = await openStores(database).dataSources.find('do-not-call');
    expect(createTime).toBeGreaterThanOrEqual(began);
  });

  it('of 0.1, which recorded no format, is refused', async () => {
    const database = await aTable();
    await database.put({ ...keys.listCount(keys.list('task')), count: 1 });
    await setUpTable(database);
    for (const use of [assertFormat, migrate])
      await expect(use(database)).rejects.toThrow(/written by version 0\.1/);
    expect(await database.get(keys.format)).toBeUndefined();
  });

  it('that holds nothing of the service is not migrated, and not marked', async () => {
    const database = await aTable();
    await database.put({ pk: 'ORDER#1', sk: 'LINE#1' });
    await expect(migrate(database)).rejects.toThrow(/^the table holds no data of this service$/);
    expect(await database.get(keys.format)).toBeUndefined();
  });

  it('is migrated step by step; broken off anywhere, it ends the same', async () => {
    const items = Array.from({ length: 5 }, (_, i) => ({ pk: 'thing', sk: String(i), a: i }));
    const things = (database: Database) =>
      database.queryAll({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': 'thing' },
      });
    /** Renames `from` to `to`, item by item; `left` writes are allowed before it is broken off. */
    const renaming = (from: string, to: string, budget: { left: number }) => async (database: Database) => {
      for (const item of await things(database)) {
        if (item[from] === undefined) continue;
        if (budget.left-- === 0) throw new Error('broken off');
        const { [from]: value, ...rest } = item;
        await database.put({ ...rest, pk: item.pk, sk: item.sk, [to]: value });
      }
    };
    for (let writes = 0; writes <= 10; writes++) {
      const database = await aTable();
      await setUpTable(database);
      await database.putAll(items);
      const budget = { left: writes };
      const steps = [
        { from: dataFormat, run: renaming('a', 'b', budget) },
        { from: dataFormat + 1, run: renaming('b', 'c', budget) },
      ];
      await migrateBy(database, steps, dataFormat + 2).catch(() => {});
      budget.left = Number.POSITIVE_INFINITY;
      await migrateBy(database, steps, dataFormat + 2);
      expect(await things(database)).toEqual(items.map(({ a, ...key }) => ({ ...key, c: a })));
      expect(await database.get(keys.format)).toMatchObject({ format: dataFormat + 2 });
    }
  });
});
