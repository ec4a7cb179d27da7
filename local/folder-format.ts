import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dataFormat, OtherDataFormat, tooNew, tooOld } from '../shared/store/table/index.ts';

/** Lies beside the data: opening a LevelDB, even to read it, changes its files. */
const formatFile = 'format.json';

const formatIn = async (file: string): Promise<number> => {
  try {
    const { format } = JSON.parse(await readFile(file, 'utf8')) as { format?: unknown };
    if (Number.isSafeInteger(format)) return format as number;
  } catch {}
  throw new OtherDataFormat(`${formatFile} holds no format; restore it from a backup`);
};

/** Whether a service has stored its data in the folder. */
export const isDataFolder = (dataDir: string): boolean => existsSync(path.join(dataDir, formatFile));

/** Checks the format before anything is changed. A folder without data has no format yet. @throws OtherDataFormat */
export const assertFolderFormat = async (dataDir: string): Promise<void> => {
  const file = path.join(dataDir, formatFile);
  if (existsSync(file)) {
    const format = await formatIn(file);
    if (format > dataFormat) throw new OtherDataFormat(`${dataDir} ${tooNew(format)}`);
  } else if (existsSync(path.join(dataDir, 'dynamodb'))) {
    throw new OtherDataFormat(`${dataDir} ${tooOld}; move it away, or set DATA_DIR to another folder`);
  }
};

/** Written whole by a rename: with half a file the service would not start any more. */
export const recordFolderFormat = async (dataDir: string): Promise<void> => {
  const draft = path.join(dataDir, `${formatFile}.${process.pid}`);
  await writeFile(draft, `${JSON.stringify({ format: dataFormat })}\n`);
  await rename(draft, path.join(dataDir, formatFile));
};

/** Called before the first data is written: data without this file is of a version that did not write it. */
export const recordNewFolder = async (dataDir: string): Promise<void> => {
  if (!existsSync(path.join(dataDir, formatFile))) await recordFolderFormat(dataDir);
};
