import { expect, it } from 'vitest';
import { endTask, isAmongContacts } from '../../../../shared/domain/tasks/task.ts';
import { openStores } from '../../../../shared/store/stores.ts';
import { type Database, keys } from '../../../../shared/store/table/index.ts';
import { aRunningTask, aService, hour, leaseFrom, newId, start } from '../../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { atEveryCall, heldUp } from '../../../support/engines/overtaken.ts';
import { writeAndCommit } from '../../../support/files/imports.ts';

const engine = engines[0]!;
const serviceLimit = 3;
const limited = (database: Database) => aService(database, 'UTC', undefined, 0, serviceLimit);

it.each([
  ['the service', null],
  ['its task', 2],
])('a lease keeps to the limit of %s, wherever another lease overtakes it', async (_, taskLimit) => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = limited(table.database);
    const task = await aRunningTask(table.database, service, {
      contactCount: 8,
      maxConcurrentCalls: taskLimit,
    });
    const other = await aRunningTask(table.database, service, { contactCount: 8 });
    const most = taskLimit ?? serviceLimit;
    const faster = taskLimit ? task : other;
    let overtaking = 0;
    overtake(async () => {
      overtaking = (await leaseFrom(service, faster, start, { limit: most })).length;
    });
    const calls = await leaseFrom(limited(slow), task, start, { limit: most });
    expect(calls.length + overtaking, 'calls at once').toBeLessThanOrEqual(most);
  });
});

/** An import that has reserved its numbers, and waits to write its rows until the answer is called. */
const aHalfImport = async (table: OpenTable, dataSourceId: string, phones: readonly string[]) => {
  const contacts = keys.contactPartition(dataSourceId, 0);
  const { database, reached, resume } = heldUp(table, ({ written }) =>
    written.some(({ pk }) => pk === contacts),
  );
  const [records, importId] = [openStores(database).importRecords, newId()];
  const file = { objectKey: importId, fileName: 'contacts.csv', fileSize: 10 };
  await records.create({ importId, dataSourceId, ...file, createTime: start });
  const hold = { owner: importId, now: start, until: start + hour };
  const { import: found } = await records.begin(dataSourceId, importId, hold);
  const rows = phones.map((phoneNumber, at) => ({ line: at + 2, phoneNumber, fields: {} }));
  const importing = writeAndCommit(
    openStores(database).importedContacts,
    found,
    { rows, importCount: rows.length },
    start,
  );
  await reached;
  return () => {
    resume();
    return importing;
  };
};

it('every row of an import is called, wherever the import overtakes a lease', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2, maxDialCount: 1 });
    const phones = ['13900000000', '13900000001'];
    let goOn = async (): Promise<unknown> => undefined;
    let imported: readonly string[] = [];
    overtake(async () => {
      goOn = await aHalfImport(table, task.dataSourceId, phones);
      imported = phones;
    });
    const calls = await leaseFrom(aService(slow), task, start);
    await goOn();
    calls.push(...(await leaseFrom(service, task, start)));
    expect(calls.map(({ phoneNumber }) => phoneNumber)).toEqual(expect.arrayContaining([...imported]));
    expect(calls).toHaveLength(2 + imported.length);
  });
});

it('a stopped task counts the contacts that are among its own, wherever an import ends', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2 });
    const goOn = await aHalfImport(table, task.dataSourceId, ['13900000000']);
    let imported: Promise<unknown> | undefined;
    const end = () => (imported ??= goOn());
    overtake(end);
    const { contacts, tasks } = aService(slow);
    const stopped = await tasks.move(task.id, 'stop', async (current) =>
      endTask(current, await contacts.readHeld(task.dataSourceId), start),
    );
    await end();
    const { rows } = await service.contacts.page(task.dataSourceId, { offset: 0, limit: 9 });
    expect(rows).toHaveLength(3);
    expect(stopped.contactCount).toBe(rows.filter((contact) => isAmongContacts(stopped, contact)).length);
  });
});
