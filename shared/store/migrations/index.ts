import type { Agenda } from '../agenda/index.ts';
import { type Database, dataFormat, keys, migrateBy } from '../table/index.ts';
import { from2 } from './from-2.ts';
import { adoptLiveTasks } from './live-tasks.ts';

/** In order, one for each format since the first that is read. */
const migrations = [from2];

/** Brings the table to the format of this version. Answers the format it began with. @throws OtherDataFormat */
export const migrate = (database: Database): Promise<number> => migrateBy(database, migrations);

/**
 * While a stage is updated, functions of both releases run for minutes. Called every minute from then on until
 * `npm run migrate` has run, so that no task waits for calls that functions of the release before have put on their lists.
 */
export const adoptOldWork = async (database: Database, agenda: Agenda): Promise<void> => {
  const format = (await database.get(keys.format))?.format;
  if (Number(format ?? dataFormat) < dataFormat) await adoptLiveTasks(database, agenda);
};
