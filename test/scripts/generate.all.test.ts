import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const project = path.join(import.meta.dirname, '../..');

/**
 * The part of the project that `generate` reads and writes, with nothing noted about an earlier
 * run.
 */
const copied = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'outbound-generate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of [
    'scripts',
    'shared',
    'client',
    'docs/openapi.json',
    'package.json',
    'package-lock.json',
  ])
    await cp(path.join(project, part), path.join(folder, part), { recursive: true });
  await symlink(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
};

it('replaces what is generated without a moment in which a part is missing, and rests when nothing changed', async () => {
  const folder = await copied();
  const generated = (name: string) => path.join(folder, 'shared/app/generated', name);
  const wanted = await readFile(generated('addTask.js'), 'utf8');
  await writeFile(generated('addTask.js'), 'export const body = undefined;\n');
  await writeFile(generated('routeOfLongAgo.js'), '');

  let done = false;
  const making = run(process.execPath, ['scripts/generate.mjs'], { cwd: folder }).finally(() => {
    done = true;
  });
  let looks = 0;
  do {
    const index = await readFile(generated('index.js'), 'utf8');
    const named = [...index.matchAll(/'\.\/(\w+\.js)'/g)].map(([, name = '']) => name);
    expect(named).toContain('addTask.js');
    for (const name of named) await stat(generated(name));
    looks++;
    await rest(2);
  } while (!done);
  await making;
  expect(looks).toBeGreaterThan(1);
  expect(await readFile(generated('addTask.js'), 'utf8')).toBe(wanted);
  await expect(stat(generated('routeOfLongAgo.js'))).rejects.toThrow('ENOENT');

  const note = path.join(folder, '.cache/generated.json');
  const before = await stat(note);
  await run(process.execPath, ['scripts/generate.mjs'], { cwd: folder });
  expect((await stat(note)).ino).toBe(before.ino);
});
