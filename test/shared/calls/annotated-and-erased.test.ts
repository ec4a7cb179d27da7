import { expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { readFormerContacts } from '../../../shared/contacts/contact-items.ts';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { createDataSource } from '../../../shared/contacts/rules/data-source.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { aDraft, aService, hour, leaseFrom, move, newId, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';

it.each([
  ['annotation', 'erasure'],
  ['erasure', 'annotation'],
  ['result', 'erasure'],
  ['erasure', 'result'],
] as const)(
  'nothing of an erased person is left, wherever its %s is overtaken by its %s',
  async (slower, faster) => {
    await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
      const { database } = table;
      const service = aService(database);
      const { dataSources, contacts } = openStores(database);
      const { id } = await dataSources.add(createDataSource({ dataSourceName: 'one' }, newId(), start));
      await contacts.add(id, { phoneNumber: '13800138000', fields: {} }, start);
      const draft = await aDraft(service, id, { maxDialCount: 1, dispositions: [{ code: 'interested' }] });
      const task = await move(service, draft, 'publish', start);
      const [call] = await leaseFrom(service, task, start);
      const { callId, phoneNumber } = call!;
      const report = (seen = database) => {
        const sent = { callId, outcome: 'success', duration: 1, summary: 'of the call' } as const;
        return aService(seen).dialer.results.report(sent, start);
      };
      const isReported = slower !== 'result' && faster !== 'result';
      if (isReported) await report();
      const erase = (seen = database) =>
        createRuntime(serviceSettings({}), seen).erasures.erase({ phoneNumber, keepDoNotCall: false }, start);
      let disposition: string | null = null;
      const annotate = async (seen = database) => {
        // Refused, once the person is erased.
        await aService(seen)
          .dialer.annotations.annotate(
            { callId, summary: 'found out later', disposition: 'interested' },
            start,
          )
          .then(
            () => {
              disposition = 'interested';
            },
            (error: Error) => expect(error.message).toMatch(/erased/),
          );
      };
      const steps = { annotation: annotate, erasure: erase, result: report };
      overtake(() => steps[faster]());
      await steps[slower](slow);
      // Refused where it was counted before.
      if (faster === 'result') await report().catch(({ word }) => expect(word).toBe('LEASE_LOST'));
      await erase();
      const { call: record } = await createRuntime(serviceSettings({}), database).callReader.detail(
        callId,
        start,
      );
      const erased = { phoneNumber: null, summary: null, isErased: true };
      expect(record).toMatchObject({ ...erased, outcome: 'success', disposition });
    });
  },
);

it('every call to an erased number is forgotten, wherever its erasure broke off', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const { database } = table;
    const service = aService(database);
    const { dataSources, contacts } = openStores(database);
    const { id } = await dataSources.add(createDataSource({ dataSourceName: 'one' }, newId(), start));
    const phoneNumber = '13800138000';
    /** By a task of its own. */
    const reported = async (at: number) => {
      const task = await move(service, await aDraft(service, id, { maxDialCount: 1 }), 'publish', at);
      const calls = await leaseFrom(service, task, at);
      const { callId } = calls.find((call) => call.phoneNumber === phoneNumber)!;
      await service.dialer.results.report(
        { callId, outcome: 'success', duration: 1, summary: 'of a call' },
        at,
      );
      return callId;
    };
    const former = await contacts.add(id, { phoneNumber, fields: {} }, start);
    const first = await reported(start);
    const changes = { phoneNumber: '13900139000', changes: new Map() };
    await contacts.update(id, contactId(id, former.seq), changes, start);
    await contacts.add(id, { phoneNumber, fields: {} }, start);
    const second = await reported(start + hour);
    const erase = (seen: Database, at: number) =>
      createRuntime(serviceSettings({}), seen).erasures.erase({ phoneNumber, keepDoNotCall: false }, at);
    overtake(() => Promise.reject(new Error('the process ended')));
    await erase(slow, start + hour).catch(() => undefined);
    await erase(database, start + 2 * hour);
    const reader = createRuntime(serviceSettings({}), database).callReader;
    for (const callId of [first, second])
      expect((await reader.detail(callId, start)).call).toMatchObject({ summary: null, isErased: true });
    expect(await readFormerContacts(database, [phoneNumber])).toEqual([]);
  });
});
