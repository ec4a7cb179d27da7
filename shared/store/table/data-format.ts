import type { Database, Item } from './database.ts';
import { keys } from './keys.ts';
import { Lost } from './optimistic.ts';

/**
 * Counted up with every change of what the table or the bucket hold, and with a migration from the number
 * before. Format 1 is that of 0.1.x, which recorded none; 2 that of 0.2.0.
 */
export const dataFormat = 2;
const firstRecorded = 2;

/** The data is of another format: nothing was read or written besides its number. */
export class OtherDataFormat extends Error {}

/** What brings a table from a format to the next one. */
export type Migration = {
  /** The format it starts from; it ends at the next. */
  readonly from: number;
  /**
   * May be broken off anywhere and is run again from the start: each write must be such that a second one
   * changes nothing.
   */
  readonly run: (database: Database) => Promise<void>;
};

/** In their order, one for each format since the first that was recorded. */
export const migrations: readonly Migration[] = [];

export const tooOld = 'was written by version 0.1, whose data this version does not read';
export const tooNew = (format: number, known = dataFormat) =>
  `holds data of format ${format}, written by a later version; this one reads format ${known}`;

/** @throws OtherDataFormat */
const assertKnown = (format: number, known: number): void => {
  if (format > known) throw new OtherDataFormat(`the table ${tooNew(format, known)}`);
  if (format < firstRecorded) throw new OtherDataFormat(`the table ${tooOld}`);
};

/** Whether anything was ever added: every task and every data source is entered in a list. */
const isUsed = async (database: Database): Promise<boolean> => {
  const counts = (['task', 'dataSource'] as const).map((kind) => keys.listCount(keys.list(kind)));
  return (await Promise.all(counts.map((key) => database.get(key)))).some((item) => item !== undefined);
};

/** Records the format of a table that holds nothing yet; whoever comes second finds it recorded. */
const record = async (database: Database, format: number): Promise<number> => {
  if (await isUsed(database)) return firstRecorded - 1;
  const item: Item = { ...keys.format, format };
  try {
    await database.put(item, { ConditionExpression: 'attribute_not_exists(pk)' });
    return format;
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    return Number((await database.get(keys.format))?.format);
  }
};

/** The format of the table's data; that of an empty table is recorded now. @throws OtherDataFormat */
const formatOf = async (database: Database, known: number): Promise<number> => {
  const recorded = await database.get(keys.format);
  const format = recorded === undefined ? await record(database, known) : Number(recorded.format);
  assertKnown(format, known);
  return format;
};

/** For who reads and writes the table but does not migrate it. @throws OtherDataFormat */
export const assertFormat = async (database: Database, known = dataFormat): Promise<void> => {
  const format = await formatOf(database, known);
  if (format === known) return;
  throw new OtherDataFormat(
    `the table holds data of format ${format}; this version reads format ${known}: run npm run migrate`,
  );
};

/**
 * Brings the table to the format of this version, step by step; broken off, it goes on with the step it
 * was at. Nobody else may write meanwhile. Answers the format it began with. @throws OtherDataFormat
 */
export const migrate = async (
  database: Database,
  known = dataFormat,
  steps = migrations,
): Promise<number> => {
  const began = await formatOf(database, known);
  for (let format = began; format < known; format++) {
    const step = steps.find(({ from }) => from === format);
    if (step === undefined) throw new Error(`there is no migration from format ${format}`);
    await step.run(database);
    await database.put({ ...keys.format, format: format + 1 });
  }
  return began;
};
