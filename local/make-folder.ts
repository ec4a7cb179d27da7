import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Makes one level at a time: Node's own recursive mkdir never ends below /proc. */
export const makeFolder = async (folder: string): Promise<void> => {
  const absolute = path.resolve(folder);
  const parent = path.dirname(absolute);
  try {
    await mkdir(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(absolute)).isDirectory()) return;
    if (code !== 'ENOENT' || parent === absolute || (await exists(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(absolute);
  }
};

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
