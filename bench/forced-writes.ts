import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../local/service.ts';
import { fileForm, madeUpContacts } from '../local/simulation/made-up.ts';
import { ServiceClient } from '../local/simulation/service-client.ts';
import { log } from '../shared/platform/observability/log.ts';
import { serviceSettings } from '../shared/platform/settings/settings.ts';
import type { Table } from './table.ts';

const accessToken = 'bench';
const contactCount = 1000;
const roundMs = 2000;
const clientCounts = [1, 8, 64] as const;

/** On the disk of the project: the folder for temporary files may be in memory. */
const parent = fileURLToPath(new URL('../.cache/', import.meta.url));

/** A local service with its data in a folder, and a list of contacts to change. */
const openService = async (forcesWrites: boolean) => {
  await mkdir(parent, { recursive: true });
  const dataDir = await mkdtemp(path.join(parent, 'bench-'));
  const settings = { port: 0, host: '127.0.0.1', dataDir, accessToken, forcesWrites, ...serviceSettings({}) };
  const running = await startService(settings);
  const service = new ServiceClient(running.url, accessToken);
  const source = await service.request<{ id: string }>('POST', '/api/dataSource/add', {
    dataSourceName: 'a',
  });
  const folder = `/api/dataSource/${source.id}`;
  await service.request(
    'POST',
    `${folder}/contact/batchImport`,
    fileForm(madeUpContacts(contactCount), 'a.csv'),
  );
  const { rows } = await service.request<{ rows: { id: string }[] }>(
    'GET',
    `${folder}/contacts?pageSize=500`,
  );
  let changes = 0;
  const change = () => {
    const { id: contactId } = rows[changes++ % rows.length]!;
    const body = { contactId, customerName: `name ${changes}` };
    return service.request('POST', `${folder}/contact/update`, body);
  };
  const close = async () => {
    await running.close();
    await rm(dataDir, { recursive: true });
  };
  return { change, close };
};

/** Requests a second of so many clients, each of which waits for its answer. */
const rateOf = async (change: () => Promise<unknown>, clients: number): Promise<number> => {
  const begun = performance.now();
  const end = begun + roundMs;
  let answered = 0;
  const client = async () => {
    for (; performance.now() < end; answered++) await change();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (answered * 1000) / (performance.now() - begun);
};

/** What DATA_SYNC=always costs. Rounds take turns, so a busy moment meets both. */
export const measureForcedWrites = async (rounds: number, onStep: (name: string) => void): Promise<Table> => {
  log.setLogLevel('SILENT');
  const services = [await openService(false), await openService(true)] as const;
  const best = clientCounts.map(() => [0, 0] as [number, number]);
  try {
    for (let round = 1; round <= rounds; round++)
      for (const [at, clients] of clientCounts.entries())
        for (const [side, { change }] of services.entries()) {
          onStep(`forced writes, round ${round}, ${clients} clients`);
          best[at]![side] = Math.max(best[at]![side]!, await rateOf(change, clients));
        }
  } finally {
    for (const { close } of services) await close();
  }
  return {
    title: 'Local mode: each write forced to the disk (DATA_SYNC=always)',
    note: `Changes of contacts over HTTP a second, by clients that wait for each answer; the best of ${rounds} rounds. Writes that arrive together are forced together. The disk of the machine decides.`,
    columns: ['clients', 'without', 'DATA_SYNC=always', 'share'],
    rows: clientCounts.map((clients, at) => {
      const [without, forced] = best[at]!;
      return [clients, without, forced, forced / without];
    }),
  };
};
