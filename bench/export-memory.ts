import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openDiskTable } from '../test/support/disk-table.ts';
import { forgetPeak, memoryNow, peakMemory } from '../test/support/process-usage.ts';
import { seedContacts } from '../test/support/seed-contacts.ts';

/**
 * How much memory the whole service grows by while it exports, for each number of contacts on the command
 * line (10,000 and 200,000 if none). Linux only. `npx tsx bench/export-memory.ts 10000 1000000`
 */
const sizes = process.argv.slice(2).map(Number);
const script = path.join(import.meta.dirname, '../test/support/service-in-process.ts');
const headers = { authorization: 'Bearer local-dev-token', 'content-type': 'application/json' };

const started = async (dataDir: string) => {
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'ERROR', NODE_NO_WARNINGS: '1' },
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, pid: child.pid as number, stop };
};

const aDataSource = async (dataDir: string): Promise<string> => {
  const { url, stop } = await started(dataDir);
  const body = JSON.stringify({ dataSourceName: 'large' });
  const answer = await fetch(`${url}/api/dataSource/add`, { method: 'POST', headers, body });
  const { data } = (await answer.json()) as { data: { id: string } };
  await stop();
  return data.id;
};

/** In a fresh process each time; an export of nothing first, so that loading code is not counted. */
const growthOf = async (dataDir: string, id: string, empty: string, format: string) => {
  const { url, pid, stop } = await started(dataDir);
  const download = async (dataSourceId: string) => {
    const address = `${url}/api/dataSource/${dataSourceId}/contact/batchExport?format=${format}`;
    const { body } = await fetch(address, { headers });
    let bytes = 0;
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    return bytes;
  };
  await download(empty);
  const before = memoryNow(pid);
  forgetPeak(pid);
  const begun = performance.now();
  const bytes = await download(id);
  const seconds = (performance.now() - begun) / 1000;
  const growth = peakMemory(pid) - before;
  await stop();
  return { megabytes: bytes / 1024 ** 2, seconds, growth };
};

const measure = async (contacts: number) => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'export-memory-'));
  try {
    const id = await aDataSource(dataDir);
    const table = await openDiskTable(dataDir);
    const empty = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
    await seedContacts(table.database, id, contacts);
    await table.close();
    for (const format of ['csv', 'excel']) {
      const { megabytes, seconds, growth } = await growthOf(dataDir, id, empty, format);
      const figures = [
        `${megabytes.toFixed(1)} MB`,
        `${seconds.toFixed(1)} s`,
        `grown by ${growth.toFixed(0)} MB`,
      ];
      process.stdout.write(`${contacts} contacts as ${format}: ${figures.join(', ')}\n`);
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
};

for (const contacts of sizes.length > 0 ? sizes : [10_000, 200_000]) await measure(contacts);
