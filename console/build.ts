import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const builds = path.join(repository, 'dist/console');
/** Everything the page is made from; types alone change nothing in it. */
const sources = ['console', 'client', 'shared', 'package-lock.json'];

const filesBelow = async (name: string): Promise<string[]> => {
  const whole = path.join(repository, name);
  const entries = await readdir(whole, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [name];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(path.join('client', 'generated')));
};

/** Its name changes with the page's sources and with nothing else. */
const buildFolder = async (): Promise<string> => {
  const names = (await Promise.all(sources.map(filesBelow))).flat().sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\0`).update(await readFile(path.join(repository, name)));
  return path.join(builds, hash.digest('hex').slice(0, 16));
};

/** Put in place whole: two processes may build at the same moment. */
const buildInto = async (folder: string): Promise<void> => {
  const draft = `${folder}.${process.pid}`;
  const { build } = await import('vite');
  await build({ configFile: path.join(repository, 'console/vite.config.ts'), build: { outDir: draft } });
  await rename(draft, folder).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
};

const removeOthers = async (folder: string): Promise<void> => {
  const kept = path.basename(folder);
  const stale = (await readdir(builds)).filter((name) => !name.startsWith(kept));
  await Promise.all(stale.map((name) => rm(path.join(builds, name), { recursive: true, force: true })));
};

/** Its sources have not changed since it was built the last time. */
export const isConsoleBuilt = async (): Promise<boolean> => existsSync(await buildFolder());

/** The folder with the built page; built only when its sources have changed since the last time. */
export const builtConsole = async (): Promise<string> => {
  const folder = await buildFolder();
  if (existsSync(folder)) return folder;
  await mkdir(builds, { recursive: true });
  await buildInto(folder);
  await removeOthers(folder);
  return folder;
};
