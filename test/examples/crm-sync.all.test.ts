import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DialingApi } from '../support/dialing/dialing-api.ts';
import { examples, hasPython, runPython, startPython } from '../support/run/python.ts';
import { type Api, accessToken, succeeded } from '../support/service/api.ts';
import { pollUntil, startEventService } from '../support/service/event-service.ts';
import { aDataDir } from '../support/service/service-process.ts';

const sync = path.join(examples, 'crm_sync.py');
const numberOf = (customer: number) => `+4930${String(customer).padStart(7, '0')}`;

/** The customers of a CRM in their file, and a service to sync them with. */
const aCrm = async () => {
  const api = await startEventService();
  const folder = await aDataDir();
  const arguments_ = [sync, 'customers.csv', 'CRM customers'];
  const settings = { BASE_URL: api.url, TOKEN: accessToken };
  return {
    api,
    folder,
    write: (rows: readonly string[]) =>
      writeFile(
        path.join(folder, 'customers.csv'),
        ['phoneNumber,customerId,plan', ...rows, ''].join('\r\n'),
      ),
    run: () => runPython(arguments_, folder, settings),
    start: () => startPython(arguments_, folder, settings),
    results: async () => (await readdir(folder)).filter((name) => name.startsWith('results-')).sort(),
    read: (name: string) => readFile(path.join(folder, name), 'utf8'),
  };
};

const customers = (numbers: readonly number[], plan = 'gold') =>
  numbers.map((number) => `${numberOf(number)},${number},${plan}`);

const contactsOf = async (api: Api) => {
  const [source] = succeeded(await api.get('/api/dataSource/list')).rows;
  const { rows } = succeeded(await api.get(`/api/dataSource/${source?.id}/contacts`, { pageSize: 500 }));
  return { id: source?.id as string, rows };
};

describe.skipIf(!hasPython)('the nightly sync in Python', () => {
  it('adds, changes and deletes contacts as the CRM does, and keeps those that it refuses', async () => {
    const { api, write, run, start } = await aCrm();
    await write(customers([1, 2, 3, 4]));
    expect(await run()).toEqual(['4 customers, 0 refused, 0 deleted, 0 results']);
    // Customer 2 has another number, 3 another plan, 4 is gone, and the number of 1 cannot be read.
    await write([`+49305550002,2,gold`, ...customers([3], 'silver'), 'none,1,gold']);
    const second = start();
    expect(await second.ended).toBe(0);
    expect(second.lines).toEqual(['2 customers, 1 refused, 2 deleted, 0 results']);
    expect(second.stderr()).toContain('customer 1');
    const { rows } = await contactsOf(api);
    expect(rows.map(({ customerId, phoneNumber, plan }) => [customerId, phoneNumber, plan]).sort()).toEqual([
      ['1', numberOf(1), 'gold'],
      ['2', '+49305550002', 'gold'],
      ['3', numberOf(3), 'silver'],
    ]);
  });

  it('deletes nothing when the file is cut', async () => {
    const { api, write, run, start } = await aCrm();
    await write(customers(Array.from({ length: 30 }, (_, i) => i)));
    await run();
    await write(customers([1, 2, 3]));
    const cut = start();
    expect(await cut.ended).toBe(1);
    expect(cut.stderr()).toContain('27 of 30 contacts');
    expect((await contactsOf(api)).rows).toHaveLength(30);
  });

  it('brings each outcome back once, also when a run was killed before its end', async () => {
    const { api, folder, write, run, results, read } = await aCrm();
    const dialing = new DialingApi(api);
    await write(customers([1, 2]));
    await run();
    const { id: dataSourceId } = await contactsOf(api);
    await api.aTaskIn(1, { dataSourceId });
    const call = async (disposition: string) => {
      const { callId } = await dialing.leaseOne({ limit: 1 });
      const result = { callId, outcome: 'success', duration: 5, disposition };
      succeeded(await api.post('/api/dialer/result', result));
      await pollUntil(api, (events) => events.some(({ data }) => data.callId === callId), {
        types: 'contact.settled',
      });
      return callId;
    };
    const first = await results();
    const callId = await call('renews');
    const state = await read('crm_sync.json');
    expect(await run()).toEqual(['2 customers, 0 refused, 0 deleted, 1 results']);
    const [written = '', ...others] = (await results()).filter((name) => !first.includes(name));
    expect(others).toEqual([]);
    const text = await read(written);
    expect(text.trimEnd().split('\r\n')).toHaveLength(2);
    expect(text).toMatch(new RegExp(`^[^,]*${callId.slice(0, 16)}[^,]*,1,success,,[^,]*,renews,$`, 'm'));
    // As if that run had been killed before it stored its place.
    await writeFile(path.join(folder, 'crm_sync.json'), state);
    await rm(path.join(folder, written));
    await run();
    expect(await read(written)).toBe(text);
    await call('declines');
    expect(await run()).toEqual(['2 customers, 0 refused, 0 deleted, 1 results']);
  });
});
