import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDamagedLog, writtenIn } from './log-check.ts';
import { manifestOf } from './manifest.ts';
import { isWholeTable } from './table-check.ts';

/** Lies beside the folder, which is LevelDB's own. Sizes in bytes, by the names of the files. */
const closedFile = (folder: string) => `${folder}-closed.json`;
type Closed = { manifest: string; sizes: Record<string, number> };

const levelFile = /^MANIFEST-\d+$|^\d+\.(ldb|log|sst)$/;
const numberOf = (name: string) => Number.parseInt(name, 10);

const manifestName = (folder: string) => readFileSync(path.join(folder, 'CURRENT'), 'utf8').trim();

/**
 * Records the files of a LevelDB that was just closed. A log that ends early is then told from one that the end of the machine
 * cut off, whose last writes are lost.
 */
export const recordClosed = (folder: string): void => {
  const names = readdirSync(folder).filter((name) => levelFile.test(name));
  const sizes = Object.fromEntries(names.map((name) => [name, statSync(path.join(folder, name)).size]));
  const closed: Closed = { manifest: manifestName(folder), sizes };
  try {
    writeFileSync(closedFile(folder), JSON.stringify(closed));
  } catch {
    // The disk is full: the data is there, and less is checked at the next start.
  }
};

const readClosed = (folder: string): Closed | undefined => {
  try {
    return JSON.parse(readFileSync(closedFile(folder), 'utf8')) as Closed;
  } catch {
    return undefined;
  }
};

/** LevelDB writes a new manifest whenever it is opened: of another manifest, the record says nothing. */
const changeSinceClosed = (folder: string, manifest: string): string | undefined => {
  const closed = readClosed(folder);
  if (closed?.manifest !== manifest) return undefined;
  for (const [name, size] of Object.entries(closed.sizes)) {
    const file = path.join(folder, name);
    if (!existsSync(file)) return `its file ${name} is missing`;
    const found = statSync(file).size;
    if (found !== size) return `its file ${name} has ${found} bytes instead of ${size}`;
  }
  return undefined;
};

const damagedTable = (
  folder: string,
  names: readonly string[],
  tables: Iterable<number>,
): string | undefined => {
  for (const number of tables) {
    const name = names.find((each) => /\.(ldb|sst)$/.test(each) && numberOf(each) === number);
    if (name === undefined) return `its file ${String(number).padStart(6, '0')}.ldb is missing`;
    if (!isWholeTable(readFileSync(path.join(folder, name)))) return `its file ${name} is damaged`;
  }
  return undefined;
};

/** What is missing or damaged of the LevelDB in that folder; `undefined` when nothing is. Changes nothing. */
export const folderProblem = (folder: string): string | undefined => {
  if (!existsSync(path.join(folder, 'CURRENT'))) return undefined;
  const current = manifestName(folder);
  const changed = changeSinceClosed(folder, current);
  if (changed !== undefined) return changed;
  const names = readdirSync(folder);
  const logs = names.filter((name) => name.endsWith('.log'));
  const damaged = logs.find((name) => isDamagedLog(readFileSync(path.join(folder, name))));
  if (damaged !== undefined) return `its write-ahead log ${damaged} is damaged`;
  const file = path.join(folder, current);
  if (!existsSync(file)) return `its file ${current} is missing`;
  const { logNumber, tables } = manifestOf(writtenIn(readFileSync(file)));
  if (logNumber !== undefined && !logs.some((name) => numberOf(name) >= logNumber))
    return 'its write-ahead log is missing';
  return damagedTable(folder, names, tables.keys());
};
