import { describe, expect, it } from 'vitest';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { deferredOf } from '../../../shared/tasks/task-work.ts';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { succeeded } from '../../support/service/api.ts';

describe.each(engines)('a contact that was deferred on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine, maxCallsPerNumberPerDay: 1 });

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

  it.each([
    ['call', '+12025550101'],
    ['callback', '+12025550107'],
  ])('for its zone is considered again when the zone is corrected: its %s', async (which, phoneNumber) => {
    const hours = { dailyStartTime: '09:00', dailyEndTime: '18:00' };
    const { id, update } = await aTaskFor({ phoneNumber, timeZone: 'UTC' }, hours);
    if (which === 'callback') {
      const { callId } = await dialing.leaseOne({ taskId: id });
      const result = { callId, outcome: 'failed', callbackTime: '2026-05-05 10:00:00' };
      succeeded(await api.post('/api/dialer/result', result));
      clock.advance(24 * 3600);
    }
    await update({ timeZone: 'America/Los_Angeles' });
    expect(await leased()).toEqual([]);
    await update({ customerName: 'Li' });
    expect(await leased()).toEqual([]);
    await update({ timeZone: 'America/New_York' });
    expect(await leased()).toEqual([]);
    await update({ timeZone: 'Europe/Berlin' });
    expect(await leased()).toEqual([phoneNumber]);
    succeeded(await dialing.operate('stop', id));
    clock.time = Date.UTC(2026, 4, 4, 10);
  });

  it('for its zone is considered again when the zone is corrected while the task is paused', async () => {
    const hours = { dailyStartTime: '09:00', dailyEndTime: '18:00' };
    const contact = { phoneNumber: '+12025550106', timeZone: 'America/Los_Angeles' };
    const { id, update } = await aTaskFor(contact, hours);
    expect(await leased()).toEqual([]);
    succeeded(await dialing.operate('pause', id));
    await update({ timeZone: 'Europe/Berlin' });
    expect(await leased()).toEqual([]);
    succeeded(await dialing.operate('resume', id));
    expect(await leased()).toEqual(['+12025550106']);
    succeeded(await dialing.operate('pause', id));
    succeeded(await dialing.operate('stop', id));
  });

  it.each([
    ['running', ['+12025550401', '+12025550402']],
    ['paused', ['+12025550501', '+12025550502']],
  ])(
    'for its zone is considered again by a %s task when an import corrects the zone',
    async (state, phones) => {
      const contacts = phones.map((phoneNumber) => ({ phoneNumber, timeZone: 'America/Los_Angeles' }));
      const hours = { dailyStartTime: '09:00', dailyEndTime: '18:00' };
      const { id, dataSourceId } = await api.aTaskOf(contacts, { callInterval: 0, ...hours });
      expect(await leased()).toEqual([]);
      const corrected = async (customerName: string, timeZone: string) => {
        const contacts = [{ phoneNumber: phones[0], customerName, timeZone }];
        const path = `/api/dataSource/${dataSourceId}/contact/batchAdd`;
        succeeded(await api.post(path, { contacts, onDuplicate: 'update' }));
      };
      if (state === 'paused') succeeded(await dialing.operate('pause', id));
      const isMarked = async () => (await new Agenda(api.database).find(deferredOf(id))) !== undefined;
      await corrected('Li', 'America/Los_Angeles');
      expect(await isMarked()).toBe(false);
      expect(await leased()).toEqual([]);
      await corrected('Li', 'Europe/Berlin');
      expect(await isMarked()).toBe(true);
      if (state === 'paused') succeeded(await dialing.operate('resume', id));
      await expect.poll(leased).toEqual([phones[0]]);
      succeeded(await dialing.operate('stop', id));
    },
  );

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

  let phonesUsed = 10;
  // The clock is at 10:00 on Monday, 4 May 2026.
  it.each([
    ['a day off', { excludedDates: ['2026-05-04'] }, { excludedDates: [] }],
    ['a break', { breaks: [{ start: '09:00', end: '18:00' }] }, { breaks: [] }],
    ['a weekday', { weekdays: [2, 3] }, { weekdays: [1, 2, 3] }],
    ['its last day', { weekdays: [2], callUntil: '2026-05-05 00:00' }, { weekdays: [1], callUntil: null }],
  ])('for the hours of its task is considered again when an adjust changes %s', async (_, before, after) => {
    const phones = ['UTC', 'Europe/Berlin', ''].map((timeZone) => ({
      phoneNumber: `+120255502${phonesUsed++}`,
      ...(timeZone && { timeZone }),
    }));
    const { id } = await api.aTaskOf(phones, { callInterval: 0, ...before });
    const adjust = async (changes: object) =>
      succeeded(await api.post('/api/task/adjust', { id, ...changes }));
    expect(await leased()).toEqual([]);
    await adjust({ callSettings: { language: 'de' } });
    expect(await leased()).toEqual([]);
    await adjust(after);
    expect(await leased()).toEqual(phones.map(({ phoneNumber }) => phoneNumber));
    succeeded(await dialing.operate('stop', id));
  });

  it('for its callback is called first when an adjust opens the task', async () => {
    const rules = { breaks: [{ start: '11:00', end: '23:00' }], maxDialCount: 1 };
    const { id } = await aTaskFor({ phoneNumber: '+12025550301', timeZone: 'UTC' }, rules);
    const { callId } = await dialing.leaseOne({ taskId: id });
    const result = { callId, outcome: 'failed', callbackTime: '2026-05-04 11:30:00' };
    succeeded(await api.post('/api/dialer/result', result));
    succeeded(await api.post('/api/task/adjust', { id, excludedDates: ['2026-05-05'] }));
    clock.advance(24 * 3600);
    expect(await leased()).toEqual([]);
    succeeded(await api.post('/api/task/adjust', { id, breaks: [], excludedDates: [] }));
    expect(await leased()).toEqual(['+12025550301']);
    succeeded(await dialing.operate('stop', id));
    clock.advance(-24 * 3600);
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
