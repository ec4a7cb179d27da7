import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleAll } from '../lib/bundling.ts';
import { deployedFunctions } from '../lib/deployed-functions.ts';
import type { Table } from './table.ts';

const run = promisify(execFile);

const timing = (file: string) =>
  `const start = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - start);`;

/** The median of some fresh processes, in milliseconds. */
const loadTime = async (file: string, loads: number): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < loads; i++) {
    const args = ['--no-warnings', '--input-type=module', '-e', timing(file)];
    times.push(Number((await run(process.execPath, args)).stdout));
  }
  return times.sort((a, b) => a - b)[Math.floor(loads / 2)]!;
};

const gzipped = async (folder: string): Promise<number> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.mjs'));
  const sizes = await Promise.all(
    files.map(async (name) => gzipSync(await readFile(path.join(folder, name))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

const sdkAlone = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
export const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'x' }));
export const commands = [GetCommand, QueryCommand];`;

const buildSdk = (outfile: string) =>
  build({
    stdin: { contents: sdkAlone, resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });

export const bundleSteps = deployedFunctions.length + 2;

/** Size and load time of each function as it is deployed. */
export const measureBundles = async (loads: number, onDone: (name: string) => void): Promise<Table> => {
  const target = await mkdtemp(path.join(tmpdir(), 'bench-bundles-'));
  const rows: (string | number)[][] = [];
  const single = async (name: string, file: string) => {
    const text = await readFile(file);
    rows.push([name, text.length / 1024, gzipSync(text).length / 1024, await loadTime(file, loads)]);
    onDone(name);
  };
  const empty = path.join(target, 'empty.mjs');
  await writeFile(empty, 'export {};');
  await single('an empty module', empty);
  const sdk = path.join(target, 'sdk.mjs');
  await buildSdk(sdk);
  await single('the DynamoDB client alone', sdk);
  for (const { id, folder, startBytes } of (await bundleAll(deployedFunctions, target)).values()) {
    const loaded = await loadTime(path.join(folder, 'index.mjs'), loads);
    rows.push([id, startBytes / 1024, (await gzipped(folder)) / 1024, loaded]);
    onDone(id);
  }
  await rm(target, { recursive: true });
  return {
    title: 'Bundles: what a function loads before its first event',
    note: `KB read at start, KB of the whole bundle packed by gzip, load time in milliseconds (median of ${loads} fresh processes, Node.js’s own start not counted).`,
    columns: ['function', 'KB at start', 'KB gzip', 'load, ms'],
    rows,
  };
};
