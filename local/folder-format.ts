import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  dataFormat,
  OtherDataFormat,
  ofLaterVersion,
  ofVersion01,
  ofVersion02Or03,
} from '../shared/platform/table/data-format.ts';
import { inOneChunk, writeWhole } from './disk.ts';
import { folderProblem, keepRecord, openFolderProblem } from './dynamodb/folder-check/folder-check.ts';

/** Beside the data, because opening a LevelDB changes its files, even to read it. */
const formatFile = 'format.json';
const tableFolder = 'dynamodb';
/** Version 0.1 wrote no file. */
const firstFormat = 2;
/** The format of 0.4. */
const oldestFormat = 3;

/** `hasTable`: a service has opened its table in the folder. Version 0.2.0 did not record this. */
type FolderFormat = { format: number; hasTable?: boolean };

const readFormat = async (dataDir: string): Promise<FolderFormat> => {
  try {
    const found = JSON.parse(await readFile(path.join(dataDir, formatFile), 'utf8')) as FolderFormat;
    if (Number.isSafeInteger(found.format) && found.format >= firstFormat) return found;
  } catch {}
  throw new OtherDataFormat(`${formatFile} holds no format; restore it from a backup`);
};

/** Whether a service has stored its data in the folder. */
export const isDataFolder = (dataDir: string): boolean => existsSync(path.join(dataDir, formatFile));

/**
 * Checks the format before anything is changed. A folder without data has no format yet.
 * @throws OtherDataFormat
 */
export const assertFolderFormat = async (dataDir: string): Promise<void> => {
  if (isDataFolder(dataDir)) {
    const { format } = await readFormat(dataDir);
    if (format > dataFormat) throw new OtherDataFormat(`${dataDir} ${ofLaterVersion(format)}`);
    if (format < oldestFormat) throw new OtherDataFormat(`${dataDir} ${ofVersion02Or03}`);
  } else if (existsSync(path.join(dataDir, tableFolder))) {
    throw new OtherDataFormat(`${dataDir} ${ofVersion01}; move it away, or set DATA_DIR to another folder`);
  }
};

/** Forced to the disk: without it, or with half of it, the service would not start any more. */
const recordFormat = async (dataDir: string, format: FolderFormat): Promise<void> => {
  const disk = { staging: dataDir, durable: true };
  await writeWhole(disk, path.join(dataDir, formatFile), inOneChunk(`${JSON.stringify(format)}\n`));
};

/** Called before the first data is written. Older versions did not write this file. */
export const recordNewFolder = async (dataDir: string): Promise<void> => {
  if (!isDataFolder(dataDir)) await recordFormat(dataDir, { format: dataFormat });
};

/** Called when the table is open, in the format of this version. */
export const recordTable = async (dataDir: string): Promise<void> => {
  const { format, hasTable } = await readFormat(dataDir);
  if (format !== dataFormat || !hasTable) await recordFormat(dataDir, { format: dataFormat, hasTable: true });
};

/** Records the files of the table while it is open, and when it is closed. */
export const keepTableRecord = (dataDir: string) => keepRecord(path.join(dataDir, tableFolder));

/** What is missing of the data in the folder. @returns undefined if it is complete */
export const dataLoss = async (dataDir: string): Promise<string | undefined> => {
  const folder = path.join(dataDir, tableFolder);
  if (existsSync(folder)) return folderProblem(folder);
  const hadTable = isDataFolder(dataDir) && (await readFormat(dataDir)).hasTable;
  return hadTable ? `its folder ${tableFolder} is missing` : undefined;
};

/** What was damaged of the data in the folder since the service opened it. */
export const dataDamage = (dataDir: string) => openFolderProblem(path.join(dataDir, tableFolder));
