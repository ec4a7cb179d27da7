import { type Migration, migrateBy } from '../platform/table/data-format.ts';
import type { Database } from '../platform/table/database.ts';

/** One for each format since the oldest that can be read, which is the present one. */
const migrations: readonly Migration[] = [];

/**
 * Brings the table to the format of this version.
 * @returns the format before the migration
 * @throws OtherDataFormat
 */
export const migrate = (database: Database): Promise<number> => migrateBy(database, migrations);
