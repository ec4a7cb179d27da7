import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Service, startService } from '../../../local/service.ts';
import { settingsFrom } from '../../../local/settings.ts';
import { ServiceClient } from '../../../local/simulation/service-client.ts';

const accessToken = 'fixture';
const answersFile = 'answers.json';

type Added = { id: string };
/** What a service over the folder answers, whatever the clock says. */
export type Answers = {
  dataSourceId: string;
  taskId: string;
  contacts: unknown;
  task: unknown;
  due: string[];
  /** From 0.4 on. */
  calls?: unknown;
  webhooks?: unknown;
};

const serviceIn = (dataDir: string): Promise<Service> =>
  startService(settingsFrom({ PORT: '0', DATA_DIR: dataDir, LOCAL_ACCESS_TOKEN: accessToken }));

const withClient = async <T>(dataDir: string, use: (client: ServiceClient) => Promise<T>): Promise<T> => {
  const service = await serviceIn(dataDir);
  try {
    return await use(new ServiceClient(service.url, accessToken));
  } finally {
    await service.close();
  }
};

const csv = [
  'phoneNumber,customerName,plan',
  ...Array.from({ length: 300 }, (_, i) => `+1312555${1000 + i},N${i},gold`),
];

/** A task in the middle of its life: calls of every outcome, some due again, most not made yet. */
const fill = async (client: ServiceClient) => {
  const post = <T>(address: string, body: object | FormData) => client.request<T>('POST', address, body);
  const { id: dataSourceId } = await post<Added>('/api/dataSource/add', { dataSourceName: 'Kept' });
  const form = new FormData();
  form.set('file', new Blob([csv.join('\r\n')]), 'contacts.csv');
  await post(`/api/dataSource/${dataSourceId}/contact/batchImport`, form);
  const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
  const dispositions = [{ code: 'promised', label: 'Promises to pay' }];
  const rules = { maxDialCount: 2, callInterval: 0, keepOpen: true, contactFilter, dispositions };
  const { id: taskId } = await post<Added>('/api/task/add', { taskName: 'Running', dataSourceId, ...rules });
  await post('/api/task/publish', { id: taskId });
  const calls = await client.lease(9, 60, taskId);
  for (const [i, { callId }] of calls.entries()) {
    const outcome = (['success', 'failed', 'noAnswer'] as const)[i % 3] ?? 'failed';
    const result = { callId, outcome, duration: 10 * i, summary: `Call ${i}`, data: { answer: i } };
    await post('/api/dialer/result', result);
  }
  await post('/api/dialer/annotate', { callId: calls[0]?.callId, disposition: 'promised' });
  const { id } = await post<Added>('/api/webhook/add', { url: 'https://receiver.example.com' });
  await post('/api/webhook/update', { id, enabled: false });
  return { dataSourceId, taskId };
};

/** Asks what the folder is known by; leases last, which changes it. */
const ask = async (client: ServiceClient, dataSourceId: string, taskId: string): Promise<Answers> => {
  const contacts = await client.request('GET', `/api/dataSource/${dataSourceId}/contacts?pageSize=20`);
  const task = await client.request('GET', `/api/task/detail/${taskId}`);
  const calls = await client.request('GET', `/api/task/${taskId}/calls?pageSize=20`);
  const webhooks = await client.request('GET', '/api/webhook/list');
  const due = (await client.lease(20, 10, taskId)).map(({ phoneNumber }) => phoneNumber).sort();
  return { dataSourceId, taskId, contacts, task, calls, webhooks, due };
};

/** Writes a folder of this version's format, and beside its data what a service answers over it. */
export const writeDataFolder = async (folder: string, scratch: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  const { dataSourceId, taskId } = await withClient(folder, fill);
  // No more than noise.
  for (const name of ['LOG', 'LOG.old']) await rm(path.join(folder, 'dynamodb', name), { force: true });
  await cp(folder, scratch, { recursive: true });
  const answers = await withClient(scratch, (client) => ask(client, dataSourceId, taskId));
  await writeFile(path.join(folder, answersFile), `${JSON.stringify(answers, null, 2)}\n`);
};

/**
 * What a folder was known by when it was written, and what a service of today answers over a copy
 * of it.
 */
export const readDataFolder = async (folder: string, scratch: string) => {
  await cp(folder, scratch, { recursive: true });
  const written = JSON.parse(await readFile(path.join(scratch, answersFile), 'utf8')) as Answers;
  const answered = await withClient(scratch, (client) => ask(client, written.dataSourceId, written.taskId));
  return { written, answered };
};

export const dataFixtures = path.join(import.meta.dirname, '../../fixtures/data');

/** The versions of which a folder is kept. */
export const keptVersions = (): Promise<string[]> =>
  readdir(dataFixtures).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
