import { spawnSync } from 'node:child_process';
import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('noted-syncs.c', import.meta.url));

/** LD_PRELOAD is Linux's. */
export const canCutPower = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

if (!canCutPower) console.log('Tests of a power cut left out: no C compiler on this machine, or not Linux');

/** The variables with which a process notes in that folder what it forces to the disk. */
export const notingSyncs = (folder: string): Record<string, string> => {
  const library = path.join(folder, 'noted-syncs.so');
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  if (status !== 0) throw new Error(String(stderr));
  return { LD_PRELOAD: library, SYNC_NOTES: path.join(folder, 'syncs.txt') };
};

/** How often a file was forced to the disk, and the bytes that the disk has, by inode. */
export const notedSyncs = async ({ SYNC_NOTES = '' }: Record<string, string>) => {
  const lines = (await readFile(SYNC_NOTES, 'utf8')).trimEnd().split('\n');
  const sizes = new Map<number, number>();
  for (const line of lines) {
    const [inode = 0, size = 0] = line.split(' ').map(Number);
    sizes.set(inode, Math.max(size, sizes.get(inode) ?? 0));
  }
  return { count: lines.length, sizes };
};

/**
 * Leaves of the files in the folder what the disk has, after the process was killed. A file that
 * was never forced is empty. The names of files are taken as they are.
 */
export const cutPower = async (folder: string, sizes: ReadonlyMap<number, number>): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const { ino, size } = await stat(file);
    await truncate(file, Math.min(sizes.get(ino) ?? 0, size));
  }
};
