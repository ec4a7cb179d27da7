import type { Instant } from '../time/time.ts';
import type { Database } from './database.ts';
import { ifAbsent } from './expressions.ts';
import { type Item, keys } from './keys.ts';
import { unlessLost } from './optimistic.ts';

/**
 * Goes up with every change of the layout of the table or the bucket, together with a migration
 * from the format before. A release whose data the release before would misread has a new format,
 * and the release before refuses it in one line. Format 2 is that of 0.2 and 0.3, format 3 that of
 * 0.4.
 */
export const dataFormat = 3;
/**
 * The functions of this version serve data from this format on until `npm run migrate` has run, so
 * a new format is no outage. It equals `dataFormat` only if a change cannot be read in both
 * formats. Then the functions refuse to serve until the migration has ended.
 */
const oldestServed = 3;
/** The format of 0.4. Older data must first be opened by 0.4. */
const oldestRead = 3;
/** Data of 0.1 has no format number. */
const firstRecorded = 2;

/** The data has another format. Only its number was read, and nothing was written. */
export class OtherDataFormat extends Error {}

/** Brings a table from one format to the next. */
export type Migration = {
  /** The format before the migration. The format after it is the next one. */
  readonly from: number;
  /**
   * Runs while the functions of this version use the table, so an item is written only if it has
   * not changed since it was read. It may be interrupted anywhere and is then run again from the
   * start, so repeating a write must change nothing.
   */
  readonly run: (database: Database) => Promise<void>;
};

/** Ends of messages about data of another format. */
export const ofVersion01 = 'was written by version 0.1, whose data this version does not read';
export const ofVersion02Or03 = 'was written by version 0.2 or 0.3: open it with version 0.4 first';
export const ofLaterVersion = (format: number, known = dataFormat) =>
  `holds data of format ${format}, written by a later version; this one reads format ${known}`;

/**
 * Whether `migrate` can bring data of the format to that of this version.
 * @throws OtherDataFormat
 */
export const assertReadable = (format: number, known = dataFormat): void => {
  if (format > known) throw new OtherDataFormat(`the table ${ofLaterVersion(format, known)}`);
  if (!(format >= firstRecorded)) throw new OtherDataFormat(`the table ${ofVersion01}`);
  if (format < oldestRead) throw new OtherDataFormat(`the table ${ofVersion02Or03}`);
};

/** Whether anything was ever added. Every task and every data source has an entry in a list. */
const isUsed = async (database: Database): Promise<boolean> => {
  const counts = (['task', 'dataSource'] as const).map((kind) => keys.listCount(keys.list(kind)));
  return (await Promise.all(counts.map((key) => database.get(key)))).some((item) => item !== undefined);
};

/**
 * Records the format of a new table. Only processes that may write the format call it, because a
 * wrong format stops the service. A second process finds it recorded. A table that has data and no
 * format is left as it is, and refused afterwards.
 */
export const setUpTable = async (database: Database, format = dataFormat): Promise<void> => {
  if ((await database.get(keys.format)) !== undefined || (await isUsed(database))) return;
  const item: Item = { ...keys.format, format, setUpTime: Date.now() };
  await unlessLost(() => database.put(item, ifAbsent));
};

/**
 * @returns the format of the table's data; undefined for an empty table that is not set up
 * @throws OtherDataFormat
 */
const formatOf = async (database: Database, known: number): Promise<number | undefined> => {
  let recorded = await database.get(keys.format);
  if (recorded === undefined) {
    if (!(await isUsed(database))) return undefined;
    // The format is recorded before anything is added. Another process may have done both since the
    // first read.
    recorded = await database.get(keys.format);
  }
  if (recorded?.restoredFrom !== undefined)
    throw new OtherDataFormat(`the table holds half a copy of ${recorded.restoredFrom}: run npm run restore`);
  const format = Number(recorded?.format ?? firstRecorded - 1);
  assertReadable(format, known);
  return format;
};

/**
 * For processes that use the table without migrating it. An empty table has no other format.
 * @throws OtherDataFormat
 */
export const assertFormat = async (
  database: Database,
  known = dataFormat,
  oldest = oldestServed,
): Promise<void> => {
  const format = (await formatOf(database, known)) ?? known;
  if (format >= oldest) return;
  throw new OtherDataFormat(
    `the table holds data of format ${format}; this version serves format ${oldest} and later: run npm run migrate`,
  );
};

/** Two migrations at the same time record the same. */
const recordStep = (database: Database, from: number) =>
  unlessLost(() =>
    database.update(keys.format, {
      UpdateExpression: 'SET #format = :to',
      ConditionExpression: '#format = :from',
      ExpressionAttributeNames: { '#format': 'format' },
      ExpressionAttributeValues: { ':from': from, ':to': from + 1 },
    }),
  );

/**
 * When the table was first used.
 * @returns 0 if nothing was added yet, and no process has set it up
 */
export const readSetUpTime = async (database: Database): Promise<Instant> =>
  ((await database.get(keys.format))?.setUpTime as Instant | undefined) ?? 0;

/**
 * Brings the table to the format of this version, step by step. After an interruption it continues
 * with the same step.
 * @returns the format before the migration
 * @throws OtherDataFormat
 */
export const migrateBy = async (
  database: Database,
  steps: readonly Migration[],
  known = dataFormat,
): Promise<number> => {
  const began = await formatOf(database, known);
  if (began === undefined) throw new OtherDataFormat('the table holds no data of this service');
  for (let format = began; format < known; format++) {
    const step = steps.find(({ from }) => from === format);
    if (step === undefined) throw new Error(`there is no migration from format ${format}`);
    await step.run(database);
    await recordStep(database, format);
  }
  return began;
};
