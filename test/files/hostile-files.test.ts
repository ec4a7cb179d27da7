import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileFiles } from '../support/hostile-files.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'hostile-files-'));
const reader = join(folder, 'reader.mjs');
/** A reader that hangs is ended; otherwise it would outlive the tests. */
const patience = 60_000;

beforeAll(async () => {
  await build({
    entryPoints: [new URL('../support/read-in-process.ts', import.meta.url).pathname],
    outfile: reader,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Each in a process of its own, so that memory grown by one file is not there for the next to use. */
describe('a hostile file is refused in time and within memory', () => {
  const files = hostileFiles();

  it('is one of at least 30', () => {
    expect(files.length).toBeGreaterThanOrEqual(30);
    expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
  });

  it.each(files)('$name', async ({ bytes, code }) => {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    const { stdout, stderr } = await run(process.execPath, [reader, path], { timeout: patience });
    const outcome = JSON.parse(stdout);
    expect(outcome.code).toBe(code);
    expect(outcome.milliseconds).toBeLessThan(2_000);
    expect(outcome.grownMegabytes).toBeLessThan(128);
    expect(stderr).toBe('');
  });
});
