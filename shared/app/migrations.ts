import { type Migration, migrateBy } from '../platform/table/data-format.ts';
import type { Database } from '../platform/table/database.ts';

/** In order, one for each format since the oldest that is read: none, since that is the format of this version. */
const migrations: readonly Migration[] = [];

/** Brings the table to the format of this version. Answers the format it began with. @throws OtherDataFormat */
export const migrate = (database: Database): Promise<number> => migrateBy(database, migrations);
