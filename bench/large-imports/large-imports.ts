import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleAll } from '../../lib/bundling/bundling.ts';
import { importFile } from '../../shared/app/event-functions.ts';
import { openStores } from '../../shared/app/open-stores.ts';
import { firstDirectoryPage } from '../../shared/contacts/directory/directory-page.ts';
import { createDataSource } from '../../shared/contacts/rules.ts';
import { csvRows } from '../../shared/files/csv/csv-writer.ts';
import { xlsxRows } from '../../shared/files/excel/xlsx-writer.ts';
import { droppedImport } from '../../shared/imports/index.ts';
import { highestMaxRows } from '../../shared/platform/rules/index.ts';
import { Database, keys } from '../../shared/platform/table/index.ts';
import { meter } from '../../test/support/engines/meter.ts';
import { seedTime } from '../../test/support/engines/seed-contacts.ts';
import { canMeasure, forgetPeak, memoryNow, peakMemory } from '../../test/support/service/process-usage.ts';
import { openBackend } from '../backend.ts';
import { forked, resultOf } from '../child.ts';
import { rowsOf, titles } from '../files/exporters.ts';
import { clientOf } from '../operations.ts';
import { tableName } from '../seeding.ts';
import type { Cell, Table } from '../table.ts';

const formats = { csv: csvRows, xlsx: xlsxRows };
type Format = keyof typeof formats;
/** What else reads such a file, as fast as it can and without a check. */
const alone = { csv: ['csvParse', 'sheetJs'], xlsx: ['sheetJs'] } as const;
const [warmUp, measured] = ['0000000000000001', '0000000000000002'];
const batchSize = 1000;
const sequencer = '1';
/** Only so that an import that does not end is noticed. */
const mostRuns = 20;

/** About the seconds that one size takes, for the progress bar. */
const weightOf = (count: number) => 2 * (4 + count / 2500);
export const largeImportWeight = (sizes: readonly number[]) =>
  sizes.reduce((sum, count) => sum + weightOf(count), 0);

async function* batches(count: number): AsyncGenerator<string[][]> {
  for (let from = 0; from < count; from += batchSize) yield rowsOf(from, Math.min(batchSize, count - from));
}

const writeContacts = async (file: string, format: Format, count: number) => {
  await writeFile(file, formats[format](titles, batches(count)));
  return (await stat(file)).size;
};

function* emptySources() {
  for (const id of [warmUp, measured] as const) {
    const record = createDataSource({ dataSourceName: id }, id, seedTime);
    yield { ...keys.dataSource(id), version: 0, number: 0, ...record };
    yield firstDirectoryPage(id);
  }
}

type Backend = Awaited<ReturnType<typeof openBackend>>;

const startFunction = async (folder: string, { environment, objects }: Backend) => {
  const runner = fileURLToPath(new URL('function.mjs', import.meta.url));
  const child = fork(runner, [path.join(folder, 'index.mjs')], {
    env: { ...environment, IMPORT_MAX_ROWS: String(highestMaxRows), POWERTOOLS_LOG_LEVEL: 'SILENT' },
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  /** Puts the file into the bucket. `run` imports it until the time of the function is up. */
  const dropped = async (dataSourceId: string, file: string) => {
    const key = `imports/${dataSourceId}/${path.basename(file)}`;
    const size = await objects.putStream(key, createReadStream(file), 'application/octet-stream');
    const event = { detail: { object: { key, size, sequencer } } };
    const run = async () => {
      child.send({ event, timeoutMs: importFile.timeout * 1000 });
      await once(child, 'message');
    };
    return { run, importId: droppedImport(key, sequencer).importId };
  };
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { pid: child.pid ?? 0, dropped, stop };
};

/** Imports in a fresh process. A small file comes first, so that loading code is not counted. */
const importedBy = async (folder: string, small: string, file: string, count: number) => {
  const backend = await openBackend(emptySources());
  const { pid, dropped, stop } = await startFunction(folder, backend);
  await (await dropped(warmUp, small)).run();
  const { run, importId } = await dropped(measured, file);
  const records = openStores(new Database(clientOf(backend.engine), tableName)).importRecords;
  const state = () => records.find(measured, importId);
  const before = canMeasure ? memoryNow(pid) : undefined;
  if (canMeasure) forgetPeak(pid);
  const start = performance.now();
  let runs = 0;
  // The engine's own handler is metered: the function is in another process.
  const { wcu, calls } = await meter({ config: backend.engine } as never).measure(async () => {
    while ((await state())?.status !== 'DONE' && runs < mostRuns) {
      await run();
      runs++;
    }
  });
  const seconds = (performance.now() - start) / 1000;
  const peak = canMeasure ? peakMemory(pid) : undefined;
  const done = await state();
  await stop();
  await backend.close();
  if (done?.successCount !== count) throw new Error(`${done?.successCount} of ${count} rows were imported`);
  return { wcu: wcu / count, calls: calls / count, runs, rowsPerSecond: count / seconds, before, peak };
};

/** `undefined` if the tool does not read the whole file. */
const readBy = (tool: string, file: string, count: number): Promise<number | undefined> => {
  const args = [tool, file, String(count)];
  const child = forked(new URL('reader.ts', import.meta.url), args, ['--max-old-space-size=12000']);
  return resultOf<number>(child).catch(() => undefined);
};

/** A file of many rows: the deployed function from bucket to table, and its reader beside others. */
export const measureLargeImports = async (
  sizes: readonly number[],
  onDone: (name: string, weight: number) => void,
): Promise<Table> => {
  const target = await mkdtemp(path.join(tmpdir(), 'bench-import-'));
  const rows: Cell[][] = [];
  try {
    const folder = (await bundleAll(target)).get(importFile.id)?.folder ?? '';
    for (const format of Object.keys(formats) as Format[]) {
      const small = path.join(target, `small.${format}`);
      await writeContacts(small, format, 100);
      let usual: number | undefined;
      for (const count of sizes) {
        const file = path.join(target, `${count}.${format}`);
        const bytes = await writeContacts(file, format, count);
        const { wcu, calls, runs, rowsPerSecond, before, peak } = await importedBy(
          folder,
          small,
          file,
          count,
        );
        usual ??= peak;
        const read = await readBy('ours', file, count);
        const peers = { csvParse: undefined, sheetJs: undefined } as Record<string, number | undefined>;
        for (const tool of alone[format]) peers[tool] = await readBy(tool, file, count);
        rows.push([
          ...[format, count, bytes / 1e6, wcu, calls, runs, rowsPerSecond, before, peak],
          ...[peak && usual && peak / usual, read, peers.csvParse, peers.sheetJs],
        ]);
        onDone(`large import ${format} ${count}`, weightOf(count) / 2);
        await rm(file);
      }
    }
  } finally {
    await rm(target, { recursive: true, force: true });
  }
  return {
    title: 'Large imports: the deployed function from bucket to table',
    note:
      'The bundle runs in its own process, table and bucket in another. A run ends when the time of the function is nearly up, ' +
      'and the next one goes on. Memory of the process in MB: after an import of 100 rows, at its peak, and the peak compared ' +
      'with that of 10,000 rows (Linux only). "Read" is our reader alone with every check of the rows, beside csv-parse and ' +
      'SheetJS alone, which check nothing. No figure: the tool does not read such a file, or not the whole of it.',
    columns: [
      ...['format', 'rows', 'file, MB', 'WCU a row', 'calls a row', 'runs', 'rows/s', 'before', 'peak'],
      ...['peak / 10k', 'read, rows/s', 'csv-parse, rows/s', 'SheetJS, rows/s'],
    ],
    rows,
  };
};
