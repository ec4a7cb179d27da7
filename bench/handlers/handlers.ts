import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seededFields, seededPhone } from '../../test/support/engines/seed-contacts.ts';
import { forked, resultOf } from '../child.ts';
import type { Table } from '../table.ts';
import { type Call, type Load, load } from './load.ts';
import { sharesIn } from './profile.ts';

const clientCounts = [1, 16, 64];
const accessToken = 'bench';
const seeded = 1000;
export const handlerSteps = clientCounts.length * 4;

const served = async (kind: 'service' | 'constant', nodeOptions: readonly string[] = []) => {
  const child = forked(new URL('served.ts', import.meta.url), [kind], nodeOptions);
  const url = await resultOf<string>(child);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.send('stop');
    await ended;
  };
  return { url, stop };
};

const posted = async (
  url: string,
  route: string,
  body: string | FormData,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(url + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
    body,
  });
  const { code, message, data } = (await response.json()) as {
    code: number;
    message: string;
    data: { id: string };
  };
  if (code !== 0) throw new Error(`${route}: ${message}`);
  return data;
};

/** Makes a data source with contacts through the API. */
const aDataSource = async (url: string): Promise<string> => {
  const json = { 'content-type': 'application/json' };
  const { id } = await posted(url, '/api/dataSource/add', JSON.stringify({ dataSourceName: 'bench' }), json);
  const rows = Array.from({ length: seeded }, (_, seq) =>
    [seededPhone(seq), ...Object.values(seededFields(seq)).map((text) => `"${text}"`)].join(','),
  );
  const titles = ['phoneNumber', ...Object.keys(seededFields(0))].join(',');
  const form = new FormData();
  form.append('file', new Blob([[titles, ...rows].join('\n')]), 'contacts.csv');
  await posted(url, `/api/dataSource/${id}/contact/batchImport`, form);
  return id;
};

const callsTo = (id: string): Record<string, () => Call> => {
  let added = seeded;
  return {
    list: () => ({ method: 'GET', path: `/api/dataSource/${id}/contacts` }),
    detail: () => ({ method: 'GET', path: `/api/dataSource/detail/${id}` }),
    add: () => {
      const body = JSON.stringify({ phoneNumber: seededPhone(added), ...seededFields(added++) });
      return { method: 'POST', path: `/api/dataSource/${id}/contact/add`, body };
    },
  };
};

/** Requests a second and latency of the local server, and of a server that only answers a constant. */
export const measureHandlers = async (
  durationMs: number,
  onDone: (name: string) => void,
): Promise<Table[]> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-profile-'));
  const rows: (string | number)[][] = [];
  const measure = async (name: string, url: string, next: () => Call) => {
    const loads: Load[] = [];
    for (const clients of clientCounts) {
      loads.push(await load(url, accessToken, clients, durationMs, next));
      onDone(`${name}, ${clients} clients`);
    }
    rows.push([name, ...loads.flatMap(({ perSecond, p50, p99 }) => [perSecond, p50, p99])]);
  };
  const constant = await served('constant');
  await measure('constant answer of node:http', constant.url, () => ({ method: 'GET', path: '/' }));
  await constant.stop();
  const service = await served('service', ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  for (const [name, next] of Object.entries(callsTo(await aDataSource(service.url)))) {
    await measure(name, service.url, next);
  }
  await service.stop();
  const shares = await sharesIn(folder);
  await rm(folder, { recursive: true });
  return [
    {
      title: 'Handlers: the local server under load (requests a second, milliseconds)',
      note: 'The service runs in memory in one process and is profiled while it runs. The clients share the machine with it.',
      columns: [
        'request',
        ...clientCounts.flatMap((n) => [`${n} client${n === 1 ? '' : 's'}, req/s`, 'p50', 'p99']),
      ],
      rows,
    },
    {
      title: 'Handlers: where the server spends its time',
      columns: ['part', 'share of busy time, %'],
      rows: shares.map(([part, share]) => [part, share * 100]),
    },
  ];
};
