import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { ImportRecords } from '../../../shared/imports/import-records.ts';
import type { ContactImport } from '../../../shared/imports/rules/contact-import.ts';
import type { Database, TransactItem } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { newId, start as now } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';
import { seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';

const counts = { importCount: 9, successCount: 5, failCount: 4, updateCount: 0 };
const reservation = { firstBlock: 0, lastBlock: 0, rows: 5 };
const placed = { parts: 1, blocks: 1, ...counts };
const [done, failed] = ['DONE', 'FAILED'].map((status) => ({ status, message: '', reasonCode: 'BROKE_OFF' }));

type Write = (records: ImportRecords, held: ContactImport, database: Database) => unknown;
const steps = (database: Database, items: Record<string, TransactItem>) =>
  database.transact(Object.values(items));

/** What a runner writes into the record of its import. */
const writes: Record<string, Write> = {
  'gives it back': (records, held) => records.giveBack(held, now),
  'hands it on': (records, held) => records.handOn(held, now),
  'cuts its file': (records, held) => records.setCut(held, { parts: 2 } as never, 9),
  'shows its progress': (records, held) => records.showProgress(held, counts),
  'reserves blocks': (records, held, database) =>
    database.transact([records.reserveStep(held, reservation as never, counts)]),
  'has written a part': (records, held, database) =>
    database.transact([records.writtenStep(held, placed as never, now + 9)]),
  'ends it': (records, held, database) => steps(database, records.endSteps(held, done as never, counts, now)),
  'fails it': (records, held, database) =>
    steps(database, records.endSteps(held, failed as never, counts, now)),
  'gives it up': (records, held) => records.abandon(held, 'gave up'),
};
/** What the record says afterwards. */
const written: Record<string, object> = {
  'gives it back': { begun: 0, runUntil: now },
  'hands it on': { begun: 0, runUntil: now },
  'cuts its file': { begun: 0, importCount: 9, cut: { parts: 2 } },
  'shows its progress': counts,
  'reserves blocks': { ...counts, reservation, begun: 1 },
  'has written a part': { ...counts, placed, begun: 0, runUntil: now + 9 },
  'ends it': { ...counts, status: 'DONE', runUntil: undefined },
  'fails it': { ...counts, status: 'FAILED', reasonCode: 'BROKE_OFF', runUntil: undefined },
  'gives it up': { abandoned: 'gave up', begun: 1 },
};
const tellsItsRunner = ['cuts its file', 'shows its progress', 'gives it up'];
const isOnlyALoss = ['gives it back', 'hands it on'];
const mayComeAfterCancel = ['gives it back', 'hands it on', 'fails it', 'gives it up'];

const anImport = async (database: Database) => {
  const { importRecords: records } = openStores(database);
  const [dataSourceId, importId] = [newId(), newId()];
  await seedEmptyDataSource(database, dataSourceId);
  const file = { objectKey: importId, fileName: 'a.csv', fileSize: 10 };
  await records.create({ importId, dataSourceId, ...file, createTime: now });
  const begin = async (owner: string, at: number) =>
    (await records.begin(dataSourceId, importId, { owner, now: at, until: at + 60_000 })).import;
  const record = () => database.get(keys.import(dataSourceId, importId));
  return { records, dataSourceId, importId, begin, record, held: await begin('first', now) };
};

describe.each(engines)('the record of an import on $name', ({ open }) => {
  it.each(Object.entries(writes))(
    'stays as it is where a runner %s that does not have it any more',
    async (name, write) => {
      const table = await open();
      const { database } = table;
      const expectUnchanged = async (made: Awaited<ReturnType<typeof anImport>>) => {
        const before = await made.record();
        const error = await Promise.resolve(write(made.records, made.held, database)).catch((each) => each);
        if (tellsItsRunner.includes(name)) expect(error).toMatchObject({ word: 'IMPORT_RUNNING' });
        if (isOnlyALoss.includes(name)) expect(error).toBeUndefined();
        expect(await made.record()).toEqual(before);
      };
      const taken = await anImport(database);
      await taken.begin('second', now + 60_001);
      await expectUnchanged(taken);

      const ended = await anImport(database);
      const { agenda } = openStores(database);
      const [others, byTaken] = [await agenda.listed('import'), await taken.record()];
      await ended.records.endAllOf(ended.dataSourceId, now);
      await expectUnchanged(ended);
      expect(await taken.record()).toEqual(byTaken);
      expect(await agenda.listed('import')).toEqual(others.filter(({ id }) => id !== ended.importId));

      const cancelled = await anImport(database);
      await cancelled.records.cancel(cancelled.dataSourceId, cancelled.importId, 'cancelled');
      if (!mayComeAfterCancel.includes(name)) await expectUnchanged(cancelled);
      await table.close();
    },
  );

  it.each(Object.entries(writes))('says what its runner has done that %s', async (name, write) => {
    const table = await open();
    const { records, held, record, begin } = await anImport(table.database);
    await write(records, held, table.database);
    expect({ runUntil: undefined, ...(await record()) }).toMatchObject({ ...written[name], beginTime: now });
    await begin('second', now + 60_001);
    expect(await record()).toMatchObject({ beginTime: now });
    await table.close();
  });

  it('stays as it is where its rows are reserved or written, and it is given back or failed', async () => {
    const table = await open();
    const { database } = table;
    for (const known of ['reserves blocks', 'has written a part']) {
      const { records, dataSourceId, importId, held, record } = await anImport(database);
      await writes[known]!(records, held, database);
      const before = await record();
      const failure = { message: 'never arrived', reasonCode: 'NEVER_ARRIVED' as const };
      await expect(records.fail(dataSourceId, importId, failure, now)).rejects.toThrow(/begun to write/);
      if (known === 'reserves blocks') await records.giveBack(held, now);
      expect(await record()).toEqual(before);
    }
    await table.close();
  });

  it('is failed by its schedule before its rows are reserved, and never once it is done', async () => {
    const table = await open();
    const { database } = table;
    const { records, dataSourceId, importId, record, held } = await anImport(database);
    await writes['cuts its file']!(records, held, database);
    const failure = { message: 'never arrived', reasonCode: 'NEVER_ARRIVED' as const };
    await records.fail(dataSourceId, importId, failure, now);
    expect(await record()).toMatchObject({ status: 'FAILED', reasonCode: 'NEVER_ARRIVED', importCount: 0 });
    const other = await anImport(database);
    await writes['ends it']!(other.records, other.held, database);
    const before = await other.record();
    await expect(other.records.fail(other.dataSourceId, other.importId, failure, now)).rejects.toThrow();
    expect(await other.record()).toEqual(before);
    await table.close();
  });
});

it('stays done, wherever its end overtakes the deletion of its data source', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const { records, dataSourceId, held, record } = await anImport(table.database);
    let status = 'FAILED';
    overtake(async () => {
      const end = writes['ends it']!(records, held, table.database);
      await Promise.resolve(end).then(
        () => {
          status = 'DONE';
        },
        () => {},
      );
    });
    await openStores(slow).importRecords.endAllOf(dataSourceId, now);
    expect(await record()).toMatchObject({ status });
  });
});

it('is listed, wherever another import of its data source begins meanwhile', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const { dataSourceId } = await anImport(table.database);
    const create = async (database: Database) => {
      const file = { objectKey: 'x', fileName: 'a.csv', fileSize: 10, createTime: now };
      await openStores(database).importRecords.create({ importId: newId(), dataSourceId, ...file });
      created += 1;
    };
    let created = 1;
    overtake(() => create(table.database));
    await create(slow);
    const { total, rows } = await openStores(table.database).importRecords.page(dataSourceId, 0, 10);
    expect([total, new Set(rows.map(({ importId }) => importId)).size]).toEqual([created, created]);
  });
});
