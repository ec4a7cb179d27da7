import { type Database, migrateBy } from '../table/index.ts';
import { from2 } from './from-2.ts';

export { adoptLiveTasks } from './live-tasks.ts';

/** In order, one for each format since the first that is read. */
const migrations = [from2];

/** Brings the table to the format of this version. Answers the format it began with. @throws OtherDataFormat */
export const migrate = (database: Database): Promise<number> => migrateBy(database, migrations);
