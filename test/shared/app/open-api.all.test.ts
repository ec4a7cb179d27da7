import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApiClient, dataOf } from '../../../client/client.ts';

const root = path.join(import.meta.dirname, '../../..');
const resolve = createRequire(import.meta.url).resolve;
/** The program of a package, without a shell or npx around it. */
const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 10 ** 8,
  });

it('the OpenAPI document passes the linter without a warning', async () => {
  const { stdout } = await run(resolve('@redocly/cli/bin/cli.js'), [
    ...['lint', 'docs/openapi.json', '--format', 'json'],
  ]);
  expect((JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: unknown[] }).problems).toEqual([]);
});

/** The client that Hey API makes of the document, in a folder of its own. */
const aGeneratedClient = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'outbound-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const generator = path.join(path.dirname(resolve('@hey-api/openapi-ts/package.json')), 'bin/run.js');
  await run(generator, ['-i', './docs/openapi.json', '-o', path.join(folder, 'client'), '--silent']);
  return folder;
};

it('the OpenAPI document makes a client that compiles', async () => {
  const folder = await aGeneratedClient();
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await writeFile(
    path.join(folder, 'use.ts'),
    `import { addContact, batchImport, type Contact, type ErrorCode } from './client/index.ts';
     export const add = () => addContact({ path: { id: 'x' }, body: { phoneNumber: '123', plan: 'gold' } });
     export const send = (file: Blob) => batchImport({ path: { id: 'x' }, body: { file, dryRun: true } });
     export const status = ({ status }: Contact): number => status;
     export const code: ErrorCode = 'NAME_TAKEN';\n`,
  );
  const compiler = path.join(path.dirname(resolve('@typescript/native/package.json')), 'bin/tsc');
  const { stdout } = await run(compiler, ['-p', folder, '--allowImportingTsExtensions']).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toBe('');
});

describe('a client made from this document, when a later release adds fields', () => {
  const webhook = { id: 'w', url: 'https://crm.example/hook', color: 'red', history: [{ by: 'ann' }] };
  const answer = { code: 0, message: 'success', data: { rows: [webhook], total: 1 }, trace: 'abc' };

  const aLaterService = async (): Promise<string> => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('reads the answer: the client of this project', async () => {
    const api = createApiClient({ baseUrl: await aLaterService(), token: () => 'any' });
    expect(await dataOf(api.GET('/api/webhook/list'))).toEqual(answer.data);
  });

  it('reads the answer: the client that Hey API makes', async () => {
    const folder = await aGeneratedClient();
    const file = path.join(folder, 'client.mjs');
    await build({
      entryPoints: [path.join(folder, 'client/index.ts')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: file,
    });
    const { listWebhooks } = await import(pathToFileURL(file).href);
    expect(await listWebhooks({ baseUrl: await aLaterService() })).toMatchObject({ data: answer });
  });
});
