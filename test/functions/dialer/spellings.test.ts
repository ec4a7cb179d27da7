import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { type Api, startApi, succeeded } from '../../support/service/api.ts';

const list = 'do-not-call';
/** The same subscriber, as people in China write the number. */
const spellingsOf = (subscriber: string) =>
  ['', '+86', '0086', '0', '86'].map((prefix) => `${prefix}${subscriber}`);

describe.each(engines)('one number in several spellings on $name', (engine) => {
  let table: OpenTable;
  let before: Api;
  let after: Api;
  let limited: Api;

  /** The same service before and after its country was set. */
  beforeAll(async () => {
    table = await engine.open();
    const same = { open: async () => ({ ...table, close: async () => {} }) };
    before = await startApi({ engine: same });
    after = await startApi({ engine: same, country: 'CN' });
    limited = await startApi({ engine: same, country: 'CN', maxCallsPerNumberPerDay: 1 });
  });
  afterAll(async () => {
    await before.stop();
    await after.stop();
    await limited.stop();
    await table.close();
  });

  /** The numbers that the service calls, which has a country now. */
  const calledIn = async (dataSourceId: string, rules: object = {}, service = after) => {
    const { id } = await after.aTaskIn(1, { dataSourceId, ...rules });
    const calls = await new DialingApi(service).lease({ taskId: id, limit: 20 });
    return calls.map(({ phoneNumber }) => phoneNumber);
  };
  const aSourceOf = async (service: Api, phoneNumbers: readonly string[]) => {
    const { id } = await after.aDataSource();
    for (const phoneNumber of phoneNumbers) await service.aContact(id, { phoneNumber });
    return id;
  };

  it.each(spellingsOf('13810000333'))(
    'is not called where a list holds it as %s since before the country was set',
    async (listed) => {
      const excludedDataSourceIds = [await aSourceOf(before, [listed, '13810000999'])];
      const stored = await aSourceOf(before, [...spellingsOf('13810000333'), '13810000111']);
      expect(await calledIn(stored, { excludedDataSourceIds })).toEqual(['13810000111']);
      const added = await aSourceOf(after, ['13810000333']);
      expect(await calledIn(added, { excludedDataSourceIds })).toEqual([]);
    },
  );

  it.each(spellingsOf('13810000444'))(
    'is not called where it was put on do-not-call as %s afterwards',
    async (phoneNumber) => {
      const stored = await aSourceOf(before, [...spellingsOf('13810000444'), '13810000222']);
      const { id: contactId } = await after.aContact(list, { phoneNumber });
      expect(await calledIn(stored)).toEqual(['13810000222']);
      succeeded(await after.post(`/api/dataSource/${list}/contact/delete`, { contactId }));
    },
  );

  it('is called once a day, however often it was stored', async () => {
    const stored = await aSourceOf(before, spellingsOf('13810000555'));
    await after.aContact(stored, { phoneNumber: '13910000555' });
    const called = await calledIn(stored, {}, limited);
    expect(called).toHaveLength(2);
    expect(called).toContain('+8613910000555');
    // The others were leased before the limit refused them: they show no call.
    const statuses = (await new DialingApi(after).contacts(stored)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([0, 0, 0, 0, 4, 4]);
    expect(await calledIn(await aSourceOf(after, ['13810000555']), {}, limited)).toEqual([]);
  });

  it('may be called again after its call was given back, though it was stored before the country was set', async () => {
    const { id } = await after.aTaskIn(1, { dataSourceId: await aSourceOf(before, ['13810000888']) });
    const dialing = new DialingApi(limited);
    for (let times = 0; times < 2; times++) {
      const { callId } = await dialing.leaseOne({ taskId: id });
      succeeded(await limited.post('/api/dialer/release', { callId }));
    }
  });

  it('is several numbers without a country', async () => {
    const stored = await aSourceOf(before, spellingsOf('13810000666'));
    const excludedDataSourceIds = [await aSourceOf(before, ['13810000666'])];
    expect(await calledIn(stored, { excludedDataSourceIds }, before)).toEqual(
      spellingsOf('13810000666').slice(1),
    );
  });

  it('is deleted by its number, whether it was stored before the country was set or since', async () => {
    const stored = await aSourceOf(before, ['13810000888']);
    await after.aContact(stored, { phoneNumber: '13810000889' });
    const named = { phoneNumbers: ['13810000888', '13810000889'] };
    const answer = await after.post(`/api/dataSource/${stored}/contact/batchDelete`, named);
    expect(succeeded(answer)).toEqual({ deleteCount: 2, notFound: [] });
  });

  it('of another subscriber, or another country, is called', async () => {
    const excludedDataSourceIds = [await aSourceOf(before, ['13810000777', '2025550123'])];
    const others = ['+12025550123', '+8613810000778', '10086'];
    expect(await calledIn(await aSourceOf(after, others), { excludedDataSourceIds })).toEqual(others);
  });
});
