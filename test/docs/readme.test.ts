import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startApi } from '../support/service/api.ts';

const run = promisify(execFile);

/** What the README tells to paste against a running service, in its order. */
const pasted = async (url: string) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const calls = blocks.filter((block) => block.includes('BASE'));
  expect(calls.length).toBeGreaterThan(5);
  return `set -eu\n${calls.join('')}`.replace('http://127.0.0.1:3000', url);
};

it('the calls of the README can be pasted whole, and again', async () => {
  const api = await startApi();
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'outbound-readme-'));
  const script = await pasted(api.url);
  for (const _ of ['first', 'again']) {
    const { stdout } = await run('bash', ['-c', script], { cwd });
    expect(stdout).toContain('"successCount":2');
    expect(stdout).toContain('"totalDuration":42');
  }
  await api.stop();
  await rm(cwd, { recursive: true });
});
