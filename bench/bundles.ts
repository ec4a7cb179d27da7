import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleAll } from '../lib/bundling/bundling.ts';
import { deployedFunctions } from '../lib/deployed-functions.ts';
import type { Table } from './table.ts';

type BundleRow = {
  name: string;
  /** Bytes that Node reads before the first event. */
  startBytes: number;
  /** Bytes of all modules in the folder, including modules loaded on demand, plain and compressed. */
  allBytes: number;
  gzipBytes: number;
  /** Median processor time to import the module in a fresh process, in milliseconds. */
  loadMs: number;
};

const run = promisify(execFile);
const script = `
globalThis.awslambda = { streamifyResponse: (handler) => handler };
const begun = process.cpuUsage();
await import(process.argv[1]);
const { user, system } = process.cpuUsage(begun);
process.stdout.write(String((user + system) / 1000));
process.exit(0);
`;

const loadTime = async (file: string, runs: number): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script, file]);
    times.push(Number(stdout));
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
};

const sizesOf = async (folder: string): Promise<Pick<BundleRow, 'allBytes' | 'gzipBytes'>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
  const modules = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  return {
    allBytes: modules.reduce((sum, module) => sum + module.length, 0),
    gzipBytes: modules.reduce((sum, module) => sum + gzipSync(module).length, 0),
  };
};

/** The minimum for any function on DynamoDB: the SDK's client and no code of ours. */
const sdkAlone = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
export const handler = (input) =>
  DynamoDBDocumentClient.from(new DynamoDBClient({})).send(input ? new GetCommand(input) : new QueryCommand({}));
`;

const compared = async (folder: string, name: string, source: string) => {
  const home = path.join(folder, name);
  await mkdir(home);
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    write: false,
  });
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  await writeFile(path.join(home, 'index.mjs'), text);
  return { id: name, folder: home, startBytes: text.length };
};

/** Size and load time of each function's bundle, after an empty module and the SDK alone. */
const measured = async (runs: number, onDone: (name: string) => void): Promise<BundleRow[]> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'outbound-bundles-'));
  try {
    const bundles = [
      await compared(folder, 'an empty module', 'export const handler = async () => {};\n'),
      await compared(folder, 'the DynamoDB client alone', sdkAlone),
      ...(await bundleAll(folder)).values(),
    ];
    const rows: BundleRow[] = [];
    for (const { id, folder: home, startBytes } of bundles) {
      const loadMs = await loadTime(path.join(home, 'index.mjs'), runs);
      rows.push({ name: id, startBytes, ...(await sizesOf(home)), loadMs });
      onDone(id);
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

export const bundleSteps = deployedFunctions.length + 2;

export const measureBundles = async (runs: number, onDone: (name: string) => void): Promise<Table> => ({
  title: 'Bundles: what a function loads before its first event',
  note: `KB loaded at the start, KB of all modules (the S3 client and file readers are loaded when a request needs them), and KB of all modules packed by gzip. The load is processor time of Node.js ${process.version} without its own start (median of ${runs} fresh processes). AWS runs nodejs24.x. Node 20 takes longer for the many files of a bundle, but less for the client alone: see [ADR 10](adr/0010-functions-built-together.md).`,
  columns: ['function', 'KB at start', 'KB in all', 'KB gzip', 'load, ms'],
  rows: (await measured(runs, onDone)).map(({ name, startBytes, allBytes, gzipBytes, loadMs }) => [
    name,
    startBytes / 1000,
    allBytes / 1000,
    gzipBytes / 1000,
    loadMs,
  ]),
});
