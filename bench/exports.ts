import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleAll } from '../lib/bundling/bundling.ts';
import { routes } from '../shared/app/all-routes.ts';
import { itemOfCall } from '../shared/calls/call-records.ts';
import { detailsOf } from '../shared/calls/rules/call.ts';
import { firstDirectoryPage } from '../shared/contacts/directory-page.ts';
import { createDataSource } from '../shared/contacts/rules/data-source.ts';
import { type Route, usualResources } from '../shared/platform/api/route.ts';
import { type Item, keys } from '../shared/platform/table/keys.ts';
import { createTask } from '../shared/tasks/rules/task.ts';
import { proxyEvent } from '../test/support/aws/proxy-event.ts';
import { seededPhone, seedItems, seedTime } from '../test/support/engines/seed-contacts.ts';
import { openBackend } from './backend.ts';
import { startFunction } from './child.ts';
import type { Cell, Table } from './table.ts';

const { batchExport, exportCalls } = routes;

const formats = ['csv', 'excel'];
/** The id of a data source with contacts, and of a task with as many calls. */
const fullId = '0000000000000001';
const emptyId = '0000000000000002';
/** `most`: larger exports are refused, above 200 MB. */
const rowsOf = [
  { rows: 'contacts', route: batchExport, most: 1_000_000 },
  { rows: 'calls', route: exportCalls, most: 500_000 },
];

const callItem = (seq: number): Item =>
  itemOfCall({
    taskId: fullId,
    dataSourceId: fullId,
    seq,
    nonce: 'abcdefghij',
    attempt: 1,
    duration: 42,
    phoneNumber: seededPhone(seq),
    callerNumber: '+861000000000',
    outcome: 'success',
    reason: null,
    startTime: seedTime + seq * 1000,
    endTime: seedTime + (seq + 60) * 1000,
    final: true,
    callbackTime: null,
    doNotCall: null,
    reportedBy: 'dialer',
    updateTime: null,
    ...detailsOf({
      disposition: 'promised',
      data: { amount: seq, paysOn: '2026-12-01' },
      summary: 'Promises to pay by the end of the month, by bank transfer.',
      recordingUrl: `https://recordings.example.com/${seq}.wav`,
      providerCallId: `provider-${seq}`,
    }),
    isErased: false,
    counted: '',
    version: 1,
  });

function* itemsOf(count: number): Generator<Item> {
  for (const id of [fullId, emptyId]) {
    const record = createDataSource({ dataSourceName: id }, id, seedTime);
    yield { ...keys.dataSource(id), version: 0, number: 0, ...record };
    yield { ...keys.task(id), version: 0, ...createTask({ taskName: id, dataSourceId: id }, id, seedTime) };
    yield { ...keys.dataNames(id), names: ['amount', 'paysOn'] };
  }
  yield firstDirectoryPage(emptyId);
  yield* seedItems(fullId, count);
  for (let seq = 0; seq < Math.min(count, rowsOf[1]!.most); seq++) yield callItem(seq);
}

/** Measures in a fresh process. An empty export comes first, to load the code. */
const exported = async (
  route: Route,
  folder: string,
  environment: Record<string, string>,
  format: string,
) => {
  const { invoke, measured, stop } = await startFunction(folder, environment);
  const { timeout = usualResources.timeout } = route;
  const run = (id: string) =>
    invoke(proxyEvent(route, { params: { id }, query: { format } }), timeout * 1000);
  await run(emptyId);
  let bytes = 0;
  const usage = await measured(async () => {
    bytes = await run(fullId);
  });
  await stop();
  return { bytes, ...usage };
};

/** The deployed export function from table to client: size of the file, rows a second, memory. */
export const measureExports = async (
  sizes: readonly number[],
  onDone: (name: string) => void,
): Promise<Table> => {
  const target = await mkdtemp(path.join(tmpdir(), 'bench-export-'));
  const rows: Cell[][] = [];
  try {
    const bundles = await bundleAll(target);
    for (const count of sizes) {
      const { environment, close } = await openBackend(itemsOf(count));
      for (const { rows: what, route, most } of rowsOf) {
        const made = Math.min(count, most);
        const folder = bundles.get(route.id)?.folder ?? '';
        for (const format of formats) {
          const { bytes, seconds, before, peak } = await exported(route, folder, environment, format);
          const growth = peak && before && peak - before;
          rows.push([what, format, made, bytes / 1e6, made / seconds, before, peak, growth]);
          onDone(`export ${what} ${format} ${made}`);
        }
      }
      await close();
    }
  } finally {
    await rm(target, { recursive: true, force: true });
  }
  return {
    title: 'Exports: the deployed functions from table to client',
    note: 'The bundle runs in its own process, table and bucket in another. Memory of the process in MB: after an empty export, at its peak, and the difference (Linux only).',
    columns: ['of', 'format', 'rows', 'file, MB', 'rows/s', 'before', 'peak', 'growth'],
    rows,
  };
};
