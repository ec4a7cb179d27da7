import { parseArgs } from 'node:util';
import { type Comparison, compare } from './comparison.ts';
import { comparisonTables } from './comparison-tables.ts';
import { measureExports } from './exports.ts';
import { measureFiles } from './files/files.ts';
import { measureForcedWrites } from './forced-writes.ts';
import { measureInsight } from './insight.ts';
import { measureLargeImports } from './large-imports.ts';
import { writePage, writeScale } from './page.ts';
import { Postgres } from './postgres.ts';
import { Progress } from './progress.ts';
import { measureScale, scaleTables } from './scale/scale.ts';
import { measureStarts } from './starts.ts';
import { asText, type Table } from './table.ts';

const groups = [
  'operations',
  'insight',
  'files',
  'largeImports',
  'exports',
  'starts',
  'forcedWrites',
  'scale',
] as const;
type Group = (typeof groups)[number];

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
    only: { type: 'string', default: groups.filter((group) => group !== 'scale').join() },
  },
});
const { full } = values;
// The simulation takes minutes and writes its own part of the page, so it runs alone.
const chosen = values.scale ? (['scale'] as Group[]) : (values.only.split(',') as Group[]);
const unknown = chosen.find((group) => !groups.includes(group));
if (unknown !== undefined) {
  process.stderr.write(`--only takes ${groups.join(', ')}, not "${unknown}"\n`);
  process.exit(1);
}

// The SDK prints this warning once. Here it would appear between the tables.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const sizes = full ? [1_000, 10_000, 100_000, 1_000_000] : [1_000, 10_000];
const fileSizes = full ? [10_000, 100_000, 1_000_000] : [10_000];
const importSizes = full ? [10_000, 1_000_000] : [10_000, 30_000];
const exportSizes = full ? fileSizes : [10_000, 100_000];

const progress = new Progress();
const onStep = (name: string) => progress.step(name);
const tables: Table[] = [];

const show = (...shown: Table[]) => {
  progress.end();
  for (const table of shown) console.log(asText(table));
  tables.push(...shown);
};

const compareAll = async (): Promise<void> => {
  const comparisons: Comparison[] = [];
  if (!Postgres.isInstalled()) console.log('PostgreSQL 15 is not installed: its columns stay empty.');
  const postgres = Postgres.isInstalled() ? await Postgres.start() : undefined;
  try {
    for (const count of sizes) comparisons.push(await compare(count, postgres, onStep));
  } finally {
    await postgres?.stop();
  }
  show(...comparisonTables(comparisons));
};

const run: Record<Group, () => Promise<void>> = {
  operations: compareAll,
  insight: async () => show(await measureInsight(onStep)),
  files: async () => show(await measureFiles(fileSizes, onStep)),
  largeImports: async () => show(await measureLargeImports(importSizes, onStep)),
  exports: async () => show(await measureExports(exportSizes, onStep)),
  starts: async () => show(await measureStarts(full ? 15 : 5, onStep)),
  forcedWrites: async () => show(await measureForcedWrites(full ? 5 : 3, onStep)),
  scale: async () => {
    const measured = await measureScale(onStep);
    show(...scaleTables(measured));
    await writeScale(measured);
  },
};

const announcement = (): string => {
  if (values.scale) return 'This takes some minutes and writes its part of bench/figures.md.';
  if (full) return 'This takes about half an hour on an idle machine and writes bench/figures.md.';
  return 'This takes a few minutes and prints its result. -- --full writes bench/figures.md.';
};

console.log(announcement());
for (const group of chosen) await run[group]();
console.log(`done in ${progress.elapsed}`);
if (full && chosen.length === groups.length - 1) {
  await writePage({ command: 'npm run bench -- --full', tables, elapsed: progress.elapsed });
  console.log('bench/figures.md is written');
}
