import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'hostile-files-'));
const reader = join(folder, 'reader.mjs');
/** A reader that hangs is ended; otherwise it would outlive the tests. */
const patience = 600_000;

type Usage = {
  name: string;
  expected: string;
  outcome: string;
  milliseconds: number;
  megabytes: number;
};

/** One process reads them all, the largest file there may be first: times count beside its own only. */
describe('a hostile file', () => {
  let largest: Usage;
  let hostile: Usage[] = [];

  beforeAll(async () => {
    await build({
      entryPoints: {
        reader: new URL('../support/read-in-process.ts', import.meta.url).pathname,
        'sheetjs-child': new URL('../../shared/files/excel/sheetjs-child.mjs', import.meta.url).pathname,
      },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const { stdout, stderr } = await run(process.execPath, ['--expose-gc', reader], { timeout: patience });
    expect(stderr).toBe('');
    const usages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Usage);
    [largest, ...hostile] = usages as [Usage, ...Usage[]];
  }, patience);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is refused as what it is, whichever of many it is', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(60);
    expect([largest, ...hostile].filter(({ outcome, expected }) => outcome !== expected)).toEqual([]);
  });

  it('takes less time than three times the largest file there may be', () => {
    const limit = 3 * largest.milliseconds;
    expect(hostile.filter(({ milliseconds }) => milliseconds >= limit)).toEqual([]);
  });

  it('takes less than 128 MB', () => {
    expect(hostile.filter(({ megabytes }) => megabytes >= 128)).toEqual([]);
  });
});
