import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

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

it('the OpenAPI document makes a client that compiles', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'outbound-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const generator = path.join(path.dirname(resolve('@hey-api/openapi-ts/package.json')), 'bin/run.js');
  await run(generator, ['-i', './docs/openapi.json', '-o', path.join(folder, 'client'), '--silent']);
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
