import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path, { basename } from 'node:path';
import { bundleAll } from '../lib/bundling/bundling.ts';
import { importFile } from '../shared/app/event-functions.ts';
import { openStores } from '../shared/app/runtime/imports.ts';
import { firstDirectoryPage } from '../shared/contacts/directory-page.ts';
import { createDataSource } from '../shared/contacts/rules/data-source.ts';
import { csvRows } from '../shared/files/csv-writer.ts';
import { xlsxRows } from '../shared/files/xlsx-writer.ts';
import { droppedImport } from '../shared/imports/import-objects.ts';
import { highestMaxRows } from '../shared/platform/rules/files.ts';
import { Database } from '../shared/platform/table/database.ts';
import { keys } from '../shared/platform/table/keys.ts';
import { meter } from '../test/support/engines/meter.ts';
import { seedTime } from '../test/support/engines/seed-contacts.ts';
import { openBackend } from './backend.ts';
import { startFunction } from './child.ts';
import { rowsOf, titles } from './files/exporters.ts';
import { clientOf } from './operations.ts';
import { tableName } from './seeding.ts';
import type { Cell, Table } from './table.ts';

const formats = { csv: csvRows, xlsx: xlsxRows };
type Format = keyof typeof formats;
const warmUp = '0000000000000001';
const target = '0000000000000002';
const batchSize = 1000;
const sequencer = '1';
/** Only to notice an import that does not end. */
const mostRuns = 20;

async function* batches(count: number): AsyncGenerator<string[][]> {
  for (let from = 0; from < count; from += batchSize) yield rowsOf(from, Math.min(batchSize, count - from));
}

const writeContacts = async (file: string, format: Format, count: number) => {
  await writeFile(file, formats[format](titles, batches(count)));
  return (await stat(file)).size;
};

function* emptySources() {
  for (const id of [warmUp, target] as const) {
    const record = createDataSource({ dataSourceName: id }, id, seedTime);
    yield { ...keys.dataSource(id), version: 0, number: 0, ...record };
    yield firstDirectoryPage(id);
  }
}

/** Imports in a fresh process. A small file comes first, so that loading code is not counted. */
const importedBy = async (folder: string, small: string, file: string, count: number) => {
  const { engine, objects, environment, close } = await openBackend(emptySources());
  const limits = { IMPORT_MAX_ROWS: String(highestMaxRows), POWERTOOLS_LOG_LEVEL: 'SILENT' };
  const { invoke, measured, stop } = await startFunction(folder, { ...environment, ...limits });
  /** Puts the file into the bucket. `run` imports it until the time of the function is up. */
  const dropped = async (id: string, path: string) => {
    const key = `imports/${id}/${basename(path)}`;
    const size = await objects.putStream(key, createReadStream(path), 'application/octet-stream');
    const run = () => invoke({ detail: { object: { key, size, sequencer } } }, importFile.timeout * 1000);
    return { run, importId: droppedImport(key, sequencer).importId };
  };
  await (await dropped(warmUp, small)).run();
  const { run, importId } = await dropped(target, file);
  const records = openStores(new Database(clientOf(engine), tableName)).importRecords;
  const state = () => records.find(target, importId);
  let runs = 0;
  let written = { wcu: 0, calls: 0 };
  const usage = await measured(async () => {
    // The engine's own handler is metered: the function is in another process.
    written = await meter({ config: engine } as never).measure(async () => {
      while ((await state())?.status !== 'DONE' && runs < mostRuns) {
        await run();
        runs++;
      }
    });
  });
  const done = await state();
  await stop();
  await close();
  if (done?.successCount !== count) throw new Error(`${done?.successCount} of ${count} rows were imported`);
  return { wcu: written.wcu / count, calls: written.calls / count, runs, ...usage };
};

/** A file of many rows: the deployed function from bucket to table. */
export const measureLargeImports = async (
  sizes: readonly number[],
  onDone: (name: string) => void,
): Promise<Table> => {
  const place = await mkdtemp(path.join(tmpdir(), 'bench-import-'));
  const rows: Cell[][] = [];
  try {
    const folder = (await bundleAll(place)).get(importFile.id)?.folder ?? '';
    for (const format of Object.keys(formats) as Format[]) {
      const small = path.join(place, `small.${format}`);
      await writeContacts(small, format, 100);
      let usual: number | undefined;
      for (const count of sizes) {
        const file = path.join(place, `${count}.${format}`);
        const bytes = await writeContacts(file, format, count);
        const { wcu, calls, runs, seconds, before, peak } = await importedBy(folder, small, file, count);
        usual ??= peak;
        rows.push([
          format,
          count,
          bytes / 1e6,
          wcu,
          calls,
          runs,
          count / seconds,
          before,
          peak,
          peak && usual && peak / usual,
        ]);
        onDone(`large import ${format} ${count}`);
        await rm(file);
      }
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  return {
    title: 'Large imports: the deployed function from bucket to table',
    note:
      'The bundle runs in its own process, table and bucket in another. A run ends when the time of the function is nearly up, ' +
      'and the next one goes on. Memory of the process in MB: after an import of 100 rows, at its peak, and the peak compared ' +
      'with that of 10,000 rows (Linux only).',
    columns: 'format|rows|file, MB|WCU a row|calls a row|runs|rows/s|before|peak|peak / 10k'.split('|'),
    rows,
  };
};
