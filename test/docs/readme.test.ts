import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import {
  against,
  type Block,
  blocksOf,
  isPasted,
  pastedPages,
  root,
  textOf,
  typed,
} from '../support/docs/pages.ts';
import { isWhole } from '../support/run/extent.ts';
import { hasPython } from '../support/run/python.ts';
import { startApi, succeeded } from '../support/service/api.ts';

const run = promisify(execFile);

/** Python is not everywhere. */
const isHere = ({ language }: Block) => language !== 'python' || hasPython;

/**
 * What the README and the API guide tell to paste against a running service. Programs take seconds
 * to start.
 */
const pasted = (url: string, cwd: string): string => {
  const isTried = (block: Block) =>
    isPasted(block) && (block.file === undefined || (isWhole && isHere(block)));
  const blocks = pastedPages.flatMap(blocksOf).filter(isTried);
  expect(blocks.filter(({ page }) => page === 'README.md').length).toBeGreaterThanOrEqual(4);
  expect(blocks.length).toBeGreaterThanOrEqual(10);
  const script = against(url, `set -eu\n${blocks.map(typed).join('')}`);
  return script.replaceAll('node scripts/run.mjs ', `node ${root}scripts/run.mjs ${cwd}/`);
};

it('the calls of the README and the API guide can be pasted whole, and again', async () => {
  const cwd = await mkdtemp(path.join(os.tmpdir(), 'outbound-readme-'));
  const api = await startApi({ dataDir: path.join(cwd, '.data') });
  // A program of the README imports the client.
  await symlink(path.join(root, 'client'), path.join(cwd, 'client'));
  const script = pasted(api.url, cwd);
  for (const _ of ['first', 'again']) {
    const { stdout } = await run('bash', ['-c', script], { cwd });
    expect(stdout).toContain('"successCount":4');
    expect(stdout).toMatch(/"totalDuration":(42|84|126)\b/);
    expect(stdout).toContain('"status":"DONE"');
    expect(stdout).toContain('DUPLICATE');
    if (isWhole) expect(stdout).toContain('contactStatus: 1');
    if (isWhole && hasPython) expect(stdout).toContain("'contactStatus': 1");
    // Answers do not run together.
    expect(stdout).not.toContain('}{');
    // The task of the pages still calls: a simulator that is started now has work.
    const { calls } = succeeded(await api.post('/api/dialer/lease', {}));
    expect(calls).not.toEqual([]);
  }
  const ignored = (await readFile(new URL('../../.gitignore', import.meta.url), 'utf8')).split('\n');
  const made = (await readdir(cwd)).filter((entry) => entry !== 'client');
  for (const entry of made) expect(ignored).toContain(`${entry}/`);
  await api.stop();
  await rm(cwd, { recursive: true });
});

it('the README has at most 130 lines', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(130);
});
