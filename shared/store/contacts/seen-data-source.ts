import type { DataSource } from '../../domain/contacts/data-source.ts';
import { Directory } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { keys, recordOf } from '../table/index.ts';
import { namesOf } from './field-names.ts';

/** A data source as the tasks that call its contacts show it. */
export type SeenDataSource = {
  name: string;
  directory: Directory;
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
};

/** In one read: its items lie side by side. Empty for an unknown id. */
export const readDataSourceSeen = async (database: Database, id: string): Promise<SeenDataSource> => {
  const [record, fields] = [keys.dataSource(id), keys.fieldNames(id)];
  const items = await database.queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': record.pk, ':first': keys.directoryPrefix, ':last': record.sk },
  });
  const found = items.find(({ sk }) => sk === record.sk);
  return {
    name: found === undefined ? '' : recordOf<DataSource>(found).dataSourceName,
    directory: new Directory(items.filter(({ sk }) => sk.startsWith(keys.directoryPrefix))),
    hasOwnZones: namesOf(items.find(({ sk }) => sk === fields.sk)).has('timeZone'),
  };
};
