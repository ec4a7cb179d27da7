import { expect, it } from 'vitest';
import { assertFormat, migrateBy, setUpTable } from '../../../../shared/platform/table/data-format.ts';
import { keys } from '../../../../shared/platform/table/keys.ts';
import { engines } from '../../../support/engines/engines.ts';
import { atEveryCall } from '../../../support/engines/overtaken.ts';

it('a table keeps the format that was recorded first, wherever another process overtakes', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    let first = 8;
    overtake(async () => {
      await setUpTable(table.database, 9);
      first = 9;
    });
    await setUpTable(slow, 8);
    expect(await table.database.get(keys.format)).toMatchObject({ format: first });
  });
});

it('a new table is served, wherever another process sets it up and adds the first data source', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    overtake(async () => {
      await setUpTable(table.database);
      await table.database.put({ ...keys.listCount(keys.list('dataSource')), count: 1 });
    });
    await assertFormat(slow);
  });
});

it('a migration records no older format, wherever another migration overtakes it', async () => {
  const steps = [8, 9].map((from) => ({ from, run: async () => {} }));
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    await setUpTable(table.database, 8);
    let format = 9;
    overtake(async () => {
      await migrateBy(table.database, steps, 10);
      format = 10;
    });
    await migrateBy(slow, steps, 9).catch(({ message }) => expect(message).toMatch(/format 10/));
    expect(await table.database.get(keys.format)).toMatchObject({ format });
  });
});
