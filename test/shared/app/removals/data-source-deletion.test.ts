import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { tablePages } from '../../../../shared/app/copy-table.ts';
import { openStores } from '../../../../shared/app/runtime/imports.ts';
import type { DataSources } from '../../../../shared/contacts/data-sources.ts';
import { contactId } from '../../../../shared/contacts/rules/contact.ts';
import { createDataSource } from '../../../../shared/contacts/rules/data-source.ts';
import { Agenda } from '../../../../shared/platform/agenda/agenda.ts';
import { removalWork } from '../../../../shared/platform/agenda/work.ts';
import { log } from '../../../../shared/platform/observability/log.ts';
import type { Database } from '../../../../shared/platform/table/database.ts';
import { setAttributes } from '../../../../shared/platform/table/expressions.ts';
import { blockSize, keys, seqsPerPage } from '../../../../shared/platform/table/keys.ts';
import { createTask } from '../../../../shared/tasks/rules/task.ts';
import { newId } from '../../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { atEveryCall, overtaken, type TableCall, watchedBy } from '../../../support/engines/overtaken.ts';
import { seedContacts, seedEmptyDataSource } from '../../../support/engines/seed-contacts.ts';
import { sweepRemovals, watched } from '../../../support/service/removal.ts';

const now = 1_700_000_000_000;
const later = now + 3_600_000;

describe.each(engines)('a data source that is deleted on $name', (engine) => {
  const shelf = watched(engine);
  let table: OpenTable;
  let dataSources: DataSources;
  beforeAll(async () => {
    table = await shelf.open();
    dataSources = openStores(table.database).dataSources;
  });
  afterAll(() => table.close());

  /** As if that many numbers had been given out. */
  const aDataSource = async (next = 0) => {
    const id = newId();
    await dataSources.add(createDataSource({ dataSourceName: id }, id, now));
    const { number } = (await table.database.get(keys.dataSource(id)))!;
    await seedEmptyDataSource(table.database, id, next);
    const record = (await table.database.get(keys.dataSource(id)))!;
    await table.database.put({ ...record, number });
    // A page begins with its first number, and no number of these tests is longer than those
    // before.
    if (next > 0 && next % seqsPerPage === 0)
      await table.database.delete(keys.directoryPage(id, next / seqsPerPage));
    const first = keys.directoryPage(id, 0);
    await table.database.update(first, setAttributes({ longest: { bare: 15, plus: 15 } }));
    return id;
  };
  const left = async (id: string) => {
    await sweepRemovals(table, () => later);
    return (await shelf.items()).filter(({ pk, sk }) => pk.startsWith(`DS#${id}`) && sk !== 'GONE');
  };
  /** Something happens just before the nth transaction of a writer. */
  const interrupted = (act: () => Promise<unknown>, nth = 1) => {
    let transactions = 0;
    const isMeant = ({ name }: TableCall) => name === 'TransactWrite' && ++transactions === nth;
    return overtaken(table, isMeant, act);
  };
  /**
   * The data source is deleted just before the nth transaction. Answers whether the writer has that
   * many.
   */
  const goneWhile = async (id: string, write: (database: Database) => Promise<unknown>, nth = 1) => {
    const slow = interrupted(() => dataSources.remove(id, now), nth);
    const answer = await write(slow.database).catch((error: Error) => error.message);
    if (!slow.isOvertaken()) return false;
    expect(answer, `before transaction ${nth}`).toBe('data source does not exist');
    expect(await left(id)).toEqual([]);
    return true;
  };
  const aNumber = { phoneNumber: '13800138000', fields: { plan: 'gold' } };

  it.each([0, 1, blockSize, seqsPerPage - 1, seqsPerPage, seqsPerPage + 5, 3 * seqsPerPage])(
    'takes no contact any more, whatever number would be next: %i',
    async (next) => {
      const id = await aDataSource(next);
      expect(await goneWhile(id, (database) => openStores(database).contacts.add(id, aNumber, now))).toBe(
        true,
      );
    },
  );

  it.each([0, blockSize, seqsPerPage, seqsPerPage + 5])(
    'leaves nothing of a contact that is added at that moment as number %i',
    async (next) => {
      const id = await aDataSource(next);
      const { contacts } = openStores(table.database);
      const slow = interrupted(() => contacts.add(id, aNumber, now));
      await openStores(slow.database).dataSources.remove(id, now);
      expect(slow.isOvertaken()).toBe(true);
      await expect(contacts.page(id, { offset: 0, limit: 1 })).rejects.toThrow('data source does not exist');
      // What its CLOSED tasks have left is looked for up to there.
      expect(await table.database.get(keys.goneDataSource(id))).toMatchObject({ end: next + 1 });
      expect(await left(id)).toEqual([]);
    },
  );

  it('takes no change of a contact any more', async () => {
    const id = await aDataSource();
    const contacts = openStores(table.database).contacts;
    const added = await contacts.add(id, aNumber, now);
    const remove = (database: Database) =>
      openStores(database).contacts.remove(id, contactId(id, added.seq), now);
    expect(await goneWhile(id, remove)).toBe(true);
  });

  it.each([
    [0, 'skip'],
    [0, 'update'],
    [seqsPerPage, 'skip'],
    [2 * seqsPerPage - 1, 'skip'],
  ] as const)(
    'takes no import any more, from number %i on, nor keeps what it planned: %s',
    async (next, onDuplicate) => {
      const rows = [{ line: 2, ...aNumber }];
      const begin = async (id: string, database: Database) => {
        const records = openStores(database).importRecords;
        const importId = newId();
        const options = { onDuplicate };
        const file = { options, objectKey: 'imports/x', fileName: 'x', fileSize: 1, createTime: now };
        await records.create({ dataSourceId: id, importId, ...file });
        const hold = { owner: 'one', now, until: now + 1000 };
        const { import: held } = await records.begin(id, importId, hold);
        const contacts = openStores(database).importedContacts;
        const written = await contacts.writeRows(held, { rows, importCount: 1 }, now);
        await contacts.commit(held, written, { importCount: 1, successCount: 1, failCount: 0 }, now);
      };
      // Registered, written and shown, each in one transaction.
      for (let nth = 1, isGone = true; isGone; nth++) {
        const id = await aDataSource(next);
        isGone = await goneWhile(id, (database) => begin(id, database), nth);
        if (!isGone) expect(nth - 1, 'transactions of an import').toBe(3);
      }
    },
  );

  it('is named by no task that is added or changed at the same moment', async () => {
    const add = (
      database: Database,
      settings: { dataSourceId: string; excludedDataSourceIds?: string[] },
    ) => {
      const id = newId();
      return openStores(database).tasks.add(createTask({ taskName: id, ...settings }, id, now));
    };
    const [id, other, third] = [await aDataSource(), await aDataSource(), await aDataSource()];
    const whileDeleted = (gone: string) => interrupted(() => dataSources.remove(gone, now)).database;
    await expect(add(whileDeleted(id), { dataSourceId: id })).rejects.toThrow(/^dataSourceId: /);
    const excluding = { dataSourceId: third, excludedDataSourceIds: [other] };
    await expect(add(whileDeleted(other), excluding)).rejects.toThrow(/^excludedDataSourceIds: /);
    const last = await aDataSource();
    const task = await add(table.database, { dataSourceId: third });
    const exclude = { ...task, excludedDataSourceIds: [last] };
    const changing = openStores(whileDeleted(last)).tasks.move(task.id, 'update', () => exclude);
    await expect(changing).rejects.toThrow(/^excludedDataSourceIds: /);
  });

  it('stays when a task comes to name it at that moment', async () => {
    const tasks = openStores(table.database).tasks;
    const [id, other] = [await aDataSource(), await aDataSource()];
    const added = async () => {
      const taskId = newId();
      await tasks.add(createTask({ taskName: taskId, dataSourceId: id }, taskId, now));
    };
    const removing = openStores(interrupted(added).database).dataSources.remove(id, now);
    await expect(removing).rejects.toThrow(/tasks that are not CLOSED use the data source/);
    const taskId = newId();
    const task = await tasks.add(createTask({ taskName: taskId, dataSourceId: id }, taskId, now));
    const excluded = () => tasks.move(task.id, 'update', () => ({ ...task, excludedDataSourceIds: [other] }));
    await expect(openStores(interrupted(excluded).database).dataSources.remove(other, now)).rejects.toThrow(
      /tasks that are not CLOSED use the data source/,
    );
    expect(await dataSources.unknownAmong([id, other])).toEqual([]);
  });

  it('leaves nothing, wherever its removal breaks off', async () => {
    const failures = vi.spyOn(log, 'error').mockReturnValue();
    onTestFinished(() => failures.mockRestore());
    await atEveryCall(engine, async ({ table: own, slow, overtake }) => {
      const id = newId();
      await seedContacts(own.database, id, 130);
      await own.database.deleteAll([keys.directoryPage(id, 0), keys.dataSource(id)]);
      await new Agenda(own.database).add(removalWork('dataSource', id), now, { end: 130 });
      overtake(() => Promise.reject(new Error('the process ended')));
      await sweepRemovals({ database: slow }, () => later).catch(() => undefined);
      await sweepRemovals(own, () => 2 * later);
      for await (const { items } of tablePages(own.sdk, own.tableName))
        expect(items.filter(({ pk, sk }) => pk.startsWith(`DS#${id}`) || sk.includes(id))).toEqual([]);
    });
  });

  it('is gone for writers before the last of its directory pages', async () => {
    const id = await aDataSource(120 * seqsPerPage);
    const dying = watchedBy(table, ({ name }) => {
      if (name === 'BatchWrite') throw new Error('the process ended');
    });
    const ending = openStores(dying).dataSources.remove(id, now);
    await expect(ending).rejects.toThrow('the process ended');
    await expect(openStores(table.database).contacts.add(id, aNumber, now)).rejects.toThrow(
      'data source does not exist',
    );
    expect(await left(id)).toEqual([]);
  });
});
