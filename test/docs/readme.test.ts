import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startApi, succeeded } from '../support/service/api.ts';

const run = promisify(execFile);

/** The blocks of a page that call a running service, in their order. The AWS CLI is not installed everywhere. */
const callsOf = async (page: string): Promise<string[]> => {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.filter((block) => /BASE|\$ID/.test(block) && !block.includes('aws '));
};

/** In the order in which they are to be pasted. */
const apiPages = ['docs/api.md', 'docs/api-tasks.md', 'docs/api-contacts.md', 'docs/api-files.md'];

/** What the README and the API guide tell to paste against a running service. */
const pasted = async (url: string) => {
  const readme = await callsOf('README.md');
  const guide = (await Promise.all(apiPages.map(callsOf))).flat();
  expect(readme.length).toBeGreaterThanOrEqual(5);
  expect(guide.length).toBeGreaterThanOrEqual(5);
  return `set -eu\n${[...readme, ...guide].join('')}`.replace('http://127.0.0.1:3000', url);
};

it('the calls of the README and the API guide can be pasted whole, and again', async () => {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'outbound-readme-'));
  const api = await startApi({ dataDir: path.join(cwd, '.data') });
  const script = await pasted(api.url);
  for (const _ of ['first', 'again']) {
    const { stdout } = await run('bash', ['-c', script], { cwd });
    expect(stdout).toContain('"successCount":2');
    expect(stdout).toContain('"totalDuration":42');
    expect(stdout).toContain('"status":"DONE"');
    expect(stdout).toContain('DUPLICATE');
    // The task of the pages still calls: a simulator that is started now has work.
    const { calls } = succeeded(await api.post('/api/dialer/lease', {}));
    expect(calls).not.toEqual([]);
  }
  const ignored = await readFile(new URL('../../.gitignore', import.meta.url), 'utf8');
  for (const entry of await readdir(cwd)) expect(ignored.split('\n')).toContain(`${entry}/`);
  await api.stop();
  await rm(cwd, { recursive: true });
});
