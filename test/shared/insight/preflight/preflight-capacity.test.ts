import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../../shared/app/runtime/imports.ts';
import { contactItem } from '../../../../shared/contacts/index.ts';
import { doNotCall, withoutCountry } from '../../../../shared/contacts/rules.ts';
import { PreflightReader } from '../../../../shared/insight/preflight/preflight-reader.ts';
import type { Preflight } from '../../../../shared/insight/rules/preflight.ts';
import { createTask } from '../../../../shared/tasks/rules.ts';
import { aDraft, aService, newId, start } from '../../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { meter } from '../../../support/engines/meter.ts';
import { directoryPages, frameItems, seededPhone } from '../../../support/engines/seed-contacts.ts';

describe('what a pre-flight costs', () => {
  let table: OpenTable;
  let reader: PreflightReader;
  let measure: ReturnType<typeof meter>['measure'];

  beforeAll(async () => {
    table = await engines[0]!.open();
    ({ measure } = meter(table.client));
    const database = table.database.lagging;
    reader = new PreflightReader({ ...openStores(database), database, phones: async () => withoutCountry });
  });
  afterAll(() => table.close());

  const aSourceOf = async (count: number, id = newId()) => {
    await table.database.putAll([...frameItems(id, count)]);
    return id;
  };
  const cost = async (contacts: number, listed: number, excluded: readonly number[] = []) => {
    await aSourceOf(listed, doNotCall.id);
    const excludedDataSourceIds: string[] = [];
    for (const count of excluded) excludedDataSourceIds.push(await aSourceOf(count));
    const dataSourceId = await aSourceOf(contacts);
    const task = createTask({ taskName: 'x', dataSourceId, excludedDataSourceIds }, '', start);
    let found: Preflight | undefined;
    const usage = await measure(async () => {
      found = await reader.of(task);
    });
    expect(found).toMatchObject({ total: contacts, blocked: Math.min(contacts, listed) });
    return usage;
  };

  it('is at most 30 read units for 10,000 contacts against 1,000, and nothing is written', async () => {
    const { rcu, wcu } = await cost(10_000, 1_000);
    expect(rcu).toBeLessThanOrEqual(15);
    expect(wcu).toBe(0);
  });

  it('grows with the numbers read: a tenth of 2,000 read units for a tenth of a million', async () => {
    const tenth = await cost(100_000, 100_000, [10_000, 10_000, 10_000, 10_000, 10_000]);
    const hundredth = await cost(10_000, 10_000, [1_000, 1_000, 1_000, 1_000, 1_000]);
    expect(tenth.rcu).toBeLessThanOrEqual(185);
    expect(tenth.rcu / hundredth.rcu).toBeLessThanOrEqual(10);
    expect(tenth.depth).toBeLessThanOrEqual(8);
  });

  it('estimates by a sample what a filter selects of a long list, and refuses a longer one', async () => {
    await aSourceOf(0, doNotCall.id);
    const contactFilter = [{ field: 'plan', is: 'equal' as const, value: 'gold' }];
    const long = await aSourceOf(100_100);
    const of = (dataSourceId: string) =>
      reader.of(createTask({ taskName: 'x', dataSourceId, contactFilter }, '', start));
    const contacts = ['gold', 'tin', 'tin', 'tin'].map((plan, seq) =>
      contactItem(long, seq, { phoneNumber: seededPhone(seq), fields: { plan } }, start),
    );
    await table.database.putAll(contacts);
    expect(await of(long)).toMatchObject({ total: 100_100, notSelected: 75_075, estimated: true });
    const longer = newId();
    await table.database.putAll([...directoryPages(longer, 4_000_001)]);
    await expect(of(longer)).rejects.toMatchObject({ word: 'TOO_MANY_CONTACTS' });
  });

  it('stays bounded however many contacts other tasks have, and says that it did not see all', async () => {
    const service = aService(table.database);
    const task = async (dataSourceId: string) => {
      const { id } = await aDraft(service, dataSourceId);
      await service.tasks.move(id, 'publish', (draft) => draft);
      return id;
    };
    await aSourceOf(0, doNotCall.id);
    const [own, small] = [await aSourceOf(1_000), await aSourceOf(500)];
    const [same, seen] = [await task(own), await task(small)];
    const see = () => reader.of(createTask({ taskName: 'x', dataSourceId: own }, '', start));
    const others: string[] = [];
    for (let i = 0; i < 200; i++) others.push(await task(await aSourceOf(0)));
    expect(await see()).toMatchObject({ alsoInComplete: false });
    for (const id of others) await service.tasks.move(id, 'stop', (stopped) => stopped);
    expect(await see()).toMatchObject({ alsoInComplete: true });
    for (let i = 0; i < 5; i++) await task(await aSourceOf(100_000));
    let found: Preflight | undefined;
    const { rcu } = await measure(async () => {
      found = await see();
    });
    expect(found).toMatchObject({ alsoInComplete: false, total: 1_000 });
    expect(found?.alsoIn.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining([same, seen]));
    expect(found?.alsoIn).toHaveLength(5);
    expect(rcu).toBeLessThanOrEqual(300);
  });
});
