import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import timers from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ServiceClient } from '../../local/simulation/service-client.ts';
import { MainRoad } from '../../local/smoke/main-road.ts';
import { Steps } from '../../local/smoke/steps.ts';
import { forked, resultOf } from '../child.ts';
import { keepRun } from '../load-runs.ts';
import type { Usage } from './service.ts';

/**
 * `npm run endurance -- --minutes 30`: runs local mode under a light load. Each round uses every main function and
 * reads every view of its data. The result says whether memory stays flat and handles are closed.
 */
const help = `npm run endurance -- --minutes 30 [--pause 500]
  --minutes N  duration, 1 by default
  --pause MS   pause between two rounds of about 60 requests, 500 by default`;

const minuteMs = 60_000;
const megabyte = 1024 * 1024;
const samples = 60;
const quietMs = 90_000;
/** The share of the run in which the engine's caches fill up and the code is compiled. */
const warmUp = 0.4;
/** Growth that still counts as flat. It is more than the variation between two garbage collections. */
const flat = 0.05;
/** Shorter runs are less reliable and are not recorded in docs/performance.md. */
const keptFromMinutes = 30;
const accessToken = 'endurance';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    pause: { type: 'string', default: '500' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
const runMs = Number(values.minutes) * minuteMs;
const pauseMs = Number(values.pause);

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
process.env.POWERTOOLS_LOG_LEVEL = 'ERROR';

type Sample = Usage & { minutes: number; requests: number };

let requests = 0;
/** Counts every request, including the client's retries. */
const counted = globalThis.fetch;
globalThis.fetch = (...args) => {
  requests++;
  return counted(...args);
};

/** Reads what operators see of the task and the data source of a round. */
const viewsOf = (dataSourceId: string, taskId: string) => [
  '/api/task/list?taskName=endurance',
  `/api/task/detail/${taskId}`,
  `/api/task/${taskId}/overview`,
  `/api/task/overviews?ids=${taskId}`,
  `/api/task/${taskId}/timeline?bucket=hour`,
  `/api/task/${taskId}/contacts?outcome=all`,
  `/api/task/${taskId}/history`,
  `/api/dataSource/detail/${dataSourceId}`,
  '/api/dataSource/list?dataSourceName=endurance',
  `/api/dataSource/${dataSourceId}/contacts?phoneNumber=555`,
  `/api/dataSource/${dataSourceId}/contact/imports`,
];

let dropped: string | undefined;
/** Imported while the rounds go on; the file of the round before goes, as the service keeps all that it finds. */
const dropFile = async (dataSourceId: string): Promise<void> => {
  if (dropped !== undefined) await rm(dropped, { recursive: true });
  dropped = path.join(dataDir, 'imports', dataSourceId);
  await writeFile(path.join(dropped, 'dropped.csv'), 'phoneNumber\r\n+12015550199\r\n');
};

const round = async (url: string, number: number): Promise<void> => {
  const client = new ServiceClient(url, accessToken);
  const road = new MainRoad(client, new Steps(() => {}), undefined);
  await road.walk(`endurance ${number}`);
  const { dataSourceId = '', taskId = '' } = road.begun;
  await dropFile(dataSourceId);
  for (const view of viewsOf(dataSourceId, taskId)) await client.request('GET', view);
  await client.download(`/api/task/${taskId}/export?format=excel`);
  await client.request('GET', `/api/task/detail/${'0'.repeat(16)}`).catch(() => {});
  await road.cleanUp();
};

/** The slope by least squares: growth of `y` per unit of `x`. */
const slope = (points: readonly { x: number; y: number }[]): number => {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  const over = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  return over / points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
};

const line = ({ minutes, requests: sent, heap, outside, rss, handles }: Sample) =>
  `${minutes.toFixed(1).padStart(6)} min ${String(sent).padStart(8)} requests  heap ${(heap / megabyte).toFixed(1)} MB  outside it ${(outside / megabyte).toFixed(1)} MB  RSS ${(rss / megabyte).toFixed(0)} MB  handles: ${handles.database} database, ${handles.sockets} sockets, ${handles.others.length} others\n`;

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'endurance-'));
const child = forked(new URL('./service.ts', import.meta.url), [dataDir, accessToken], ['--expose-gc']);
const url = await resultOf<string>(child);
const begun = Date.now();
const measure = async (): Promise<Sample> => {
  child.send('measure');
  const [usage] = (await once(child, 'message')) as [Usage];
  return { ...usage, minutes: (Date.now() - begun) / minuteMs, requests };
};

const series: Sample[] = [];
const take = async () => {
  const sample = await measure();
  series.push(sample);
  process.stdout.write(line(sample));
};

await round(url, 0);
await take();
for (let rounds = 1; Date.now() < begun + runMs; rounds++) {
  await round(url, rounds);
  if (Date.now() - begun >= (series.length * runMs) / samples) await take();
  await timers.setTimeout(pauseMs);
}
// After this time, connections that were kept alive are closed.
if (runMs >= quietMs) await timers.setTimeout(quietMs);
await take();

const settled = series.filter(({ minutes }) => minutes * minuteMs >= runMs * warmUp);
const memory = {
  'heap and buffers': (each: Sample) => each.heap + each.outside,
  RSS: (each: Sample) => each.rss,
};
const mean = (samples: readonly Sample[], of: (sample: Sample) => number) =>
  samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;

/** Growth after the warm-up, as a slope and as the second half compared with the first half. */
const grownBy = (name: string, of: (sample: Sample) => number) => {
  const perMinute = slope(settled.map((sample) => ({ x: sample.minutes, y: of(sample) }))) / 1024;
  const half = Math.ceil(settled.length / 2);
  const growth = mean(settled.slice(half), of) / mean(settled.slice(0, half), of) - 1;
  const text = `${perMinute.toFixed(1)} KB a minute, ${(growth * 100).toFixed(1)} % from its first half to its second`;
  process.stdout.write(`${name}, growth after the warm-up: ${text}\n`);
  return { name, growth, text };
};
const growths = Object.entries(memory).map(([name, of]) => grownBy(name, of));
const others = series[0]?.handles.others ?? [];
const leftBehind = series.at(-1)?.handles.others.filter((each) => !others.includes(each)) ?? [];
const left = leftBehind.length === 0 ? 'none' : leftBehind.join(', ');
process.stdout.write(`handles left behind: ${left}\n`);
if (Number(values.minutes) >= keptFromMinutes)
  await keepRun(`npm run endurance -- --minutes ${values.minutes}`, {
    requests,
    ...Object.fromEntries(growths.map(({ name, text }) => [`${name}, growth after the warm-up`, text])),
    'handles left behind': left,
  });

child.send('end');
await once(child, 'exit');
await rm(dataDir, { recursive: true, force: true });
const isFlat = growths.every(({ growth }) => growth < flat) && leftBehind.length === 0;
process.stdout.write(`${isFlat ? 'flat' : 'NOT FLAT'}, ${requests} requests in ${values.minutes} minutes\n`);
process.exitCode = isFlat ? 0 : 1;
