import type { DataSource } from '../../domain/contacts/data-source.ts';
import { Directory } from '../directory/index.ts';
import { type Database, keyRange, keys, recordOf } from '../table/index.ts';
import { namesOf } from './field-names.ts';

/** What an overview of a task shows of its data source. */
export type SeenDataSource = {
  name: string;
  directory: Directory;
  /** Some contacts have their own time zone. */
  hasOwnZones: boolean;
};

/** In one read: these items are neighbours. A deleted data source has only its name; empty for an unknown id. */
export const readDataSourceSeen = async (database: Database, id: string): Promise<SeenDataSource> => {
  const [record, fields] = [keys.dataSource(id), keys.fieldNames(id)];
  const items = await database.queryAll(keyRange(record.pk, keys.directoryPrefix, record.sk));
  const found = items.find(({ sk }) => sk === record.sk || sk === keys.goneDataSource(id).sk);
  return {
    name: found === undefined ? '' : recordOf<Pick<DataSource, 'dataSourceName'>>(found).dataSourceName,
    directory: new Directory(items.filter(({ sk }) => sk.startsWith(keys.directoryPrefix))),
    hasOwnZones: namesOf(items.find(({ sk }) => sk === fields.sk)).has('timeZone'),
  };
};
