import { invalid } from '../../domain/errors.ts';
import type { Database, Item } from '../table/index.ts';
import { keys, optimistic } from '../table/index.ts';

/** An export has a column for each name; a spreadsheet with more than 1000 columns cannot be read. */
const maxNames = 1000;

export const namesOf = (item: Item | undefined) =>
  (item?.names as Set<string> | undefined) ?? new Set<string>();

export const readFieldNames = async (database: Database, dataSourceId: string): Promise<string[]> =>
  [...namesOf(await database.get(keys.fieldNames(dataSourceId)))].sort();

/** The names that are new. @throws ServiceError invalid when the data source would have too many */
const freshOf = (known: ReadonlySet<string>, names: readonly string[]): string[] => {
  const fresh = names.filter((name) => !known.has(name));
  if (fresh.length > 0 && known.size + fresh.length > maxNames) {
    throw invalid(fresh[0]!, `a data source has at most ${maxNames} different custom fields`, 'TOO_MANY');
  }
  return fresh;
};

/** @throws ServiceError invalid when the data source would have too many names */
export const assertRoomForNames = async (
  database: Database,
  dataSourceId: string,
  names: readonly string[],
): Promise<void> => {
  freshOf(namesOf(await database.get(keys.fieldNames(dataSourceId))), names);
};

/**
 * Remembers custom field names; writes only when a name is new. Called before the contact is written, so
 * that every field of a contact has a column.
 * @throws ServiceError invalid when the data source would have too many names
 */
export const rememberFieldNames = async (
  database: Database,
  dataSourceId: string,
  names: readonly string[],
): Promise<void> => {
  if (names.length === 0) return;
  const key = keys.fieldNames(dataSourceId);
  await optimistic(async () => {
    const fresh = freshOf(namesOf(await database.get(key)), names);
    if (fresh.length === 0) return;
    await database.update(key, {
      UpdateExpression: 'ADD #names :fresh',
      ConditionExpression: 'attribute_not_exists(#names) OR size(#names) <= :room',
      ExpressionAttributeNames: { '#names': 'names' },
      ExpressionAttributeValues: { ':fresh': new Set(fresh), ':room': maxNames - fresh.length },
    });
  });
};
