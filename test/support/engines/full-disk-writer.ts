import { spawnSync } from 'node:child_process';
import { startService } from '../../../local/service.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';

/**
 * Run under a limit on the size of files: writes until one is refused, gets room again, and prints
 * what came of the writes and reads in between. Argument: folder.
 */
process.on('SIGXFSZ', () => {});
const accessToken = 'local-dev-token';
const usual = { port: 0, host: '127.0.0.1', accessToken, ...serviceSettings({}) };
const { url, close } = await startService({ ...usual, dataDir: process.argv[2] ?? '' });
const limit = (bytes: string) => spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}`]);

const send = async (method: string, path: string, body?: object | string) => {
  const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, 'idempotency-key': crypto.randomUUID() },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { message, data } = (await response.json()) as { message: string; data: Record<string, unknown> };
  return { answer: [response.status, response.headers.get('x-error-code'), message], data };
};
const { data: source } = await send('POST', '/api/dataSource/add', { dataSourceName: 'full' });
const text = 'x'.repeat(1000);
const fields = Object.fromEntries(Array.from({ length: 7 }, (_, each) => [`field${each}`, text]));
const contacts = `/api/dataSource/${source.id}/contact`;
const add = async (number: number) =>
  (await send('POST', `${contacts}/add`, { phoneNumber: String(1000 + number), ...fields })).answer;
const count = async () => (await send('GET', `${contacts}s`)).data.total;

const file = 'phoneNumber\n'.padEnd(5000, '13800138000\n');
const upload = await send('POST', `${contacts}/importUpload`, { fileName: 'a.csv', fileSize: file.length });

let written = 0;
let refused = await add(written);
while (refused[0] === 200 && ++written < 1000) refused = await add(written);
limit('1000:unlimited');
const uploadFile = async () => (await send('PUT', String(upload.data.uploadUrl), file)).answer;
const refusedAgain = [await add(written), await uploadFile(), await uploadFile()];
const readMeanwhile = (await count()) === written;
limit('unlimited');
const [writtenAgain] = await add(written);
const kept = (await count()) === written + 1;
await close();
process.stdout.write(JSON.stringify({ refused, refusedAgain, readMeanwhile, writtenAgain, kept }));
