import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Call, DialingApi } from '../../support/dialing/dialing-api.ts';
import { imported, listed, phoneAt, phones } from '../../support/files/contact-files.ts';
import { csvFile } from '../../support/files/file-rows.ts';
import { anImportOf, withSmallParts } from '../../support/files/large-files.ts';
import { succeeded, useApi } from '../../support/service/api.ts';

const known = 2000;
const added = known / 4;
const dialers = 16;

/** Half of the contacts match before the import, another half after it. */
const planBefore = (at: number) => (at % 2 === 0 ? 'gold' : 'none');
const planAfter = (at: number) => (at % 4 < 2 ? 'gold' : 'none');
const rowsOf = (count: number, planOf: (at: number) => string, first = 0) =>
  Array.from({ length: count }, (_, i) => [phoneAt(first + i), planOf(first + i)]);

const api = useApi({ importMaxRows: 1_000_000 });
const dialing = new DialingApi(api);

it(`calls whom the filter selects, once, while an import updates every contact under ${dialers} dialers`, async () => {
  const titles = ['phoneNumber', 'plan'];
  const { id } = await api.aDataSource();
  for (let at = 0; at < known; at += 10_000) {
    const count = Math.min(10_000, known - at);
    await imported(api, id, await csvFile(titles, rowsOf(count, planBefore, at)));
  }
  const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
  const { id: taskId } = await api.aTaskIn(1, {
    ...{ dataSourceId: id, contactFilter, maxDialCount: 1, keepOpen: true },
  });
  withSmallParts(known / 6);
  const file = await csvFile(titles, rowsOf(known + added, planAfter));
  const { importId, importer } = await anImportOf(api.database, id, file, { onDuplicate: 'update' });

  const called: Call[] = [];
  let hasEnded = false;
  const dial = async () => {
    for (;;) {
      const isLast = hasEnded;
      const lease = succeeded(await dialing.leaseAnswer({ taskId, limit: 5 }));
      const calls = lease.calls as Call[];
      called.push(...calls);
      for (const { callId } of calls) await dialing.report(callId, 'success');
      if (calls.length > 0 || Number(lease.retryAfterSeconds) <= 1) continue;
      if (isLast) return;
      await sleep(5);
    }
  };
  const importing = importer.run(id, importId).finally(() => {
    hasEnded = true;
  });
  await Promise.all([importing, ...Array.from({ length: dialers }, dial)]);

  expect(await importer.find(id, importId)).toMatchObject({
    ...{ status: 'DONE', importCount: known + added, failCount: 0 },
    ...{ successCount: known + added, updateCount: known },
  });
  const contacts = await listed(api, id);
  const all = Array.from({ length: known + added }, (_, at) => phoneAt(at));
  expect(phones(contacts)).toEqual(all);
  expect(contacts.map(({ plan }) => plan)).toEqual(all.map((_, at) => planAfter(at)));

  // Each call was leased with the fields that its contact had then.
  expect(called.every(({ fields }) => fields.plan === 'gold')).toBe(true);
  const numbers = called.map(({ phoneNumber }) => phoneNumber);
  expect(new Set(numbers).size).toBe(numbers.length);
  const wasCalled = new Set(numbers);
  const ever = new Set(
    all.filter((_, at) => planAfter(at) === 'gold' || (at < known && planBefore(at) === 'gold')),
  );
  expect(numbers.filter((number) => !ever.has(number))).toEqual([]);
  expect(all.filter((number, at) => planAfter(at) === 'gold' && !wasCalled.has(number))).toEqual([]);
  expect(succeeded(await api.get(`/api/task/${taskId}/overview`))).toMatchObject({
    contacts: {
      ...{ total: all.length, reached: numbers.length, notSelected: all.length - numbers.length },
      ...{ notDialed: 0, waiting: 0, inCall: 0, blocked: 0 },
    },
    calls: { total: numbers.length, success: numbers.length },
  });
});
