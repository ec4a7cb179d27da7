import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
const textOf = (file: string) => readFile(path.join(folder, file), 'utf8');

it('the examples have fewer than 120 lines each, and their page names them all', async () => {
  const page = await textOf('README.md');
  const programs = (await readdir(folder)).filter((name) => name.endsWith('.py'));
  for (const program of programs) {
    expect(page).toContain(`(${program})`);
    const lines = (await textOf(program)).trimEnd().split('\n');
    expect(lines.length, program).toBeLessThan(120);
    expect(Math.max(...lines.map((line) => line.length)), program).toBeLessThanOrEqual(100);
  }
});
