import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDamagedLog, isWholeTable, manifestOf, writtenIn } from './level-files.ts';

/** Beside the folder, because the folder is LevelDB's own. */
const recordFile = (folder: string) => `${folder}-files.json`;
/**
 * Files by their names, with their sizes in bytes. For a closed LevelDB, all its files. For an open
 * one, its logs: they are at least this long on the disk, even after a crash of the machine.
 */
type FolderRecord = { manifest: string; isClosed: boolean; sizes: Record<string, number> };

const levelFile = /^MANIFEST-\d+$|^\d+\.(ldb|log|sst)$/;
const isLog = (name: string) => name.endsWith('.log');
const numberOf = (name: string) => Number.parseInt(name, 10);

const manifestName = (folder: string) => readFileSync(path.join(folder, 'CURRENT'), 'utf8').trim();

const recordOf = (folder: string, isClosed: boolean): FolderRecord => {
  const isRecorded = isClosed ? (name: string) => levelFile.test(name) : isLog;
  const names = readdirSync(folder).filter(isRecorded);
  const sizes = Object.fromEntries(names.map((name) => [name, statSync(path.join(folder, name)).size]));
  return { manifest: manifestName(folder), isClosed, sizes };
};

const flushToDisk = async (file: string): Promise<void> => {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Milliseconds until writes are recorded. By then they should be on the disk. */
const recordMs = 1000;

/**
 * Records the files of an open LevelDB, so that a log that was cut later is not mistaken for one
 * whose last writes never reached the disk. If the record cannot be written, for example on a full
 * disk, less is checked at the next start.
 */
export const keepRecord = (folder: string) => {
  let timer: NodeJS.Timeout | undefined;
  let recording = Promise.resolve();
  const record = async (isClosed: boolean) => {
    timer = undefined;
    try {
      const found = recordOf(folder, isClosed);
      for (const name of Object.keys(found.sizes)) await flushToDisk(path.join(folder, name));
      await writeFile(recordFile(folder), JSON.stringify(found));
    } catch {}
  };
  return {
    /** Something was written. */
    note: (): void => {
      timer ??= setTimeout(() => {
        recording = record(false);
      }, recordMs);
    },
    /** The LevelDB was closed. */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await recording;
      await record(true);
    },
  };
};

const readRecord = (folder: string): FolderRecord | undefined => {
  try {
    return JSON.parse(readFileSync(recordFile(folder), 'utf8')) as FolderRecord;
  } catch {
    return undefined;
  }
};

/** LevelDB writes a new manifest whenever it is opened. Another manifest has no record. */
const changeSinceRecord = (folder: string, manifest: string): string | undefined => {
  const record = readRecord(folder);
  if (record?.manifest !== manifest) return undefined;
  const { isClosed, sizes } = record;
  for (const [name, size] of Object.entries(sizes)) {
    const file = path.join(folder, name);
    // An open LevelDB deletes a log when its data is in a table file.
    if (!existsSync(file) && !isClosed) continue;
    if (!existsSync(file)) return `its file ${name} is missing`;
    const found = statSync(file).size;
    if (found < size || (isClosed && found > size))
      return `its file ${name} has ${found} bytes instead of ${size}`;
  }
  return undefined;
};

const tableName = (names: readonly string[], number: number) =>
  names.find((each) => /\.(ldb|sst)$/.test(each) && numberOf(each) === number);

const damagedTable = (
  folder: string,
  names: readonly string[],
  tables: Iterable<number>,
): string | undefined => {
  for (const number of tables) {
    const name = tableName(names, number);
    if (name === undefined) return `its file ${String(number).padStart(6, '0')}.ldb is missing`;
    if (!isWholeTable(readFileSync(path.join(folder, name)))) return `its file ${name} is damaged`;
  }
  return undefined;
};

/**
 * What is missing or damaged in the folder of a LevelDB. Changes nothing.
 * @returns undefined if the folder is complete
 */
export const folderProblem = (folder: string): string | undefined => {
  if (!existsSync(path.join(folder, 'CURRENT'))) return undefined;
  const current = manifestName(folder);
  const changed = changeSinceRecord(folder, current);
  if (changed !== undefined) return changed;
  const names = readdirSync(folder);
  const logs = names.filter(isLog);
  const damaged = logs.find((name) => isDamagedLog(readFileSync(path.join(folder, name))));
  if (damaged !== undefined) return `its write-ahead log ${damaged} is damaged`;
  const file = path.join(folder, current);
  if (!existsSync(file)) return `its file ${current} is missing`;
  const { logNumber, tables } = manifestOf(writtenIn(readFileSync(file)));
  if (logNumber !== undefined && !logs.some((name) => numberOf(name) >= logNumber))
    return 'its write-ahead log is missing';
  return damagedTable(folder, names, tables.keys());
};

/**
 * The same for the table files of an open LevelDB, file by file, so that requests are answered in
 * between. A file that is missing was merged into another one meanwhile.
 */
export const openFolderProblem = async (folder: string): Promise<string | undefined> => {
  const { tables } = manifestOf(writtenIn(await readFile(path.join(folder, manifestName(folder)))));
  const names = await readdir(folder);
  for (const number of tables.keys()) {
    const name = tableName(names, number);
    const bytes = name && (await readFile(path.join(folder, name)).catch(() => undefined));
    if (bytes && !isWholeTable(bytes)) return `its file ${name} is damaged`;
  }
  return undefined;
};
