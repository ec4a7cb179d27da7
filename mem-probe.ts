import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { embeddedClientConfig, openEmbeddedDynamoDb } from './local/dynamodb/embedded-dynamodb.ts';
import { serve } from './local/service.ts';
import { openDiskTable } from './test/support/disk-table.ts';
import { seedContacts } from './test/support/seed-contacts.ts';

const dataDir = '/tmp/probe-data';
const n = Number(process.argv[2]);
const id = '0123456789abcdef';
const fresh = !existsSync(dataDir);
const { database } = await openDiskTable(dataDir);
const { url } = await serve(
  { port: 0, host: '127.0.0.1', dataDir, accessToken: 't', timeZone: 'UTC' },
  database,
);
const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
if (fresh) {
  const a = await (
    await fetch(`${url}/api/dataSource/add`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ dataSourceName: 'x' }),
    })
  ).json();
  await seedContacts(database, a.data.id, n);
  console.log('seeded');
  process.exit(0);
}
const list = await (await fetch(`${url}/api/dataSource/list`, { headers })).json();
const ds = list.data.rows[0].id;
const show = () => {
  const m = process.memoryUsage();
  return Object.fromEntries(Object.entries(m).map(([k, v]) => [k, Math.round(v / 1048576)]));
};
console.log('before', show());
const max: any = show();
const t = setInterval(() => {
  const m = show();
  for (const k in m) max[k] = Math.max(max[k], (m as any)[k]);
}, 5);
const r = await fetch(`${url}/api/dataSource/${ds}/contact/batchExport?format=${process.argv[3]}`, {
  headers,
});
console.log('rendered', show(), 'max', max);
let b = 0;
for await (const c of r.body as any) b += c.length;
console.log('done', b, show(), 'max', max);
process.exit(0);
