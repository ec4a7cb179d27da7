import { describe, expect, it } from 'vitest';
import { DialingApi, TestClock } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { succeeded, useApi } from '../../support/service/api.ts';

describe.each(engines)('a contact that was deferred on $name', (engine) => {
  const clock = new TestClock();
  const api = useApi({ engine, now: clock.now, maxCallsPerNumberPerDay: 1 });
  const dialing = new DialingApi(api);

  const aTaskFor = async (contact: { phoneNumber: string; timeZone?: string }, rules: object) => {
    const { id: dataSourceId } = await api.aDataSource();
    const { id: contactId } = await api.aContact(dataSourceId, contact);
    const { id } = await api.aTaskIn(1, { dataSourceId, callInterval: 0, ...rules });
    const update = async (changes: object) =>
      succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/update`, { contactId, ...changes }));
    return { id, contactId, update };
  };
  /** Dialers that name no task find it too, long before its check time. */
  const leased = async () => (await dialing.lease({})).map(({ phoneNumber }) => phoneNumber);

  it('for its zone is considered again when the zone is corrected', async () => {
    const hours = { dailyStartTime: '09:00', dailyEndTime: '18:00' };
    const contact = { phoneNumber: '+12025550101', timeZone: 'America/Los_Angeles' };
    const { id, update } = await aTaskFor(contact, hours);
    expect(await leased()).toEqual([]);
    await update({ customerName: 'Li' });
    expect(await leased()).toEqual([]);
    await update({ timeZone: 'America/New_York' });
    expect(await leased()).toEqual([]);
    await update({ timeZone: 'Europe/Berlin' });
    expect(await leased()).toEqual(['+12025550101']);
    succeeded(await dialing.operate('stop', id));
  });

  it('for the daily limit is considered again when the number is corrected, and called once', async () => {
    const first = await aTaskFor({ phoneNumber: '+12025550102' }, {});
    expect(await leased()).toEqual(['+12025550102']);
    const second = await aTaskFor({ phoneNumber: '+12025550102' }, {});
    expect(await leased()).toEqual([]);
    await second.update({ phoneNumber: '+12025550103' });
    expect(await leased()).toEqual(['+12025550103']);
    expect(await leased()).toEqual([]);
    for (const { id } of [first, second]) succeeded(await dialing.operate('stop', id));
  });

  it('keeps the wait of its retry', async () => {
    const rules = { callInterval: 3600, maxDialCount: 2 };
    const { id, update } = await aTaskFor({ phoneNumber: '+12025550104', timeZone: 'UTC' }, rules);
    await dialing.report((await dialing.leaseOne({ taskId: id })).callId, 'failed');
    await update({ phoneNumber: '+12025550105' });
    expect(await leased()).toEqual([]);
    clock.advance(3600);
    expect(await leased()).toEqual(['+12025550105']);
  });
});
