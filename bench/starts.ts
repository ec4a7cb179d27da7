import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleAll } from '../lib/bundling/bundling.ts';
import type { Table } from './table.ts';

/** One function of each kind. They differ in what they need, and so in their start. */
const functions = [
  'listTasks',
  'addTask',
  'addContact',
  'batchImport',
  'leaseCalls',
  'reportResult',
  'doDueWork',
];

const run = promisify(execFile);
const script = `
globalThis.awslambda = { streamifyResponse: (handler) => handler };
const begun = process.cpuUsage();
await import(process.argv[1]);
const { user, system } = process.cpuUsage(begun);
process.stdout.write(String((user + system) / 1000));
process.exit(0);
`;
const loadMs = async (file: string): Promise<number> => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script, file]);
  return Number(stdout);
};
const medianOf = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** The minimum for any function on DynamoDB: the SDK's client and no code of ours. */
const clientAlone = async (folder: string) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
export const handler = (input) =>
  DynamoDBDocumentClient.from(new DynamoDBClient({})).send(input ? new GetCommand(input) : new QueryCommand({}));
`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    write: false,
  });
  const file = path.join(folder, 'client-alone.mjs');
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  await writeFile(file, text);
  return { name: 'the DynamoDB client alone', file, startBytes: text.length };
};

/**
 * What a function loads before its first event, compared with the SDK alone. Rounds take turns, so
 * that a busy moment affects all.
 */
export const measureStarts = async (rounds: number, onStep: (name: string) => void): Promise<Table> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'outbound-starts-'));
  try {
    const bundles = await bundleAll(folder);
    const alone = await clientAlone(folder);
    const measured = [
      alone,
      ...functions.map((name) => {
        const bundle = bundles.get(name);
        if (bundle === undefined) throw new Error(`there is no function ${name}`);
        return { name, file: path.join(bundle.folder, 'index.mjs'), startBytes: bundle.startBytes };
      }),
    ].map((start) => ({ ...start, times: [] as number[] }));
    for (let round = 1; round <= rounds; round++) {
      onStep(`starts, round ${round}`);
      for (const { file, times } of measured) times.push(await loadMs(file));
    }
    const least = medianOf(measured[0]?.times ?? []);
    return {
      title: 'Starts: what a function loads before its first event',
      note: `KB loaded at the start (the S3 client and file readers are loaded when a request needs them), and processor time of Node.js ${process.version} without its own start, median of ${rounds} fresh processes. AWS runs nodejs24.x; [ADR 10](../docs/adr/0010-functions-built-together.md) compares the versions. A function may take 1.25 times as long as the client alone.`,
      columns: ['function', 'KB at start', 'load, ms', 'times the client'],
      rows: measured.map(({ name, startBytes, times }) => [
        name,
        startBytes / 1000,
        medianOf(times),
        medianOf(times) / least,
      ]),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
