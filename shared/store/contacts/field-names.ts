import { knownFields } from '../../domain/contacts/contact.ts';
import { invalid } from '../../domain/errors.ts';
import { type Database, type Item, keys, optimistic, type Update } from '../table/index.ts';

/** An export has a column for each name; a spreadsheet with more than 1000 columns cannot be read. */
const maxNames = 1000;
/** Fields whose order is remembered: the columns of one file. More would not fit in the item beside the longest names. */
const maxOrdered = 200;

export const namesOf = (item: Item | undefined) =>
  (item?.names as Set<string> | undefined) ?? new Set<string>();

export const readFieldNames = async (database: Database, dataSourceId: string): Promise<string[]> =>
  [...namesOf(await database.get(keys.fieldNames(dataSourceId)))].sort();

/** The fields of the first imported files, in the order of their columns; the contract's own fields are among them. */
const orderOf = (item: Item | undefined) => (item?.order as string[] | undefined) ?? [];

/**
 * All fields in the order of the columns of the imported files. Fields that came another way follow: the contract's
 * own, then custom fields by name.
 */
export const readFieldOrder = async (database: Database, dataSourceId: string): Promise<string[]> => {
  const item = await database.get(keys.fieldNames(dataSourceId));
  const fields = ['phoneNumber', ...knownFields, ...[...namesOf(item)].sort()];
  const isInUse = new Set(fields);
  return [...new Set([...orderOf(item).filter((name) => isInUse.has(name)), ...fields])];
};

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
 * that every field of a contact has a column. `order`: the fields of a file in the order of its columns.
 * @throws ServiceError invalid when the data source would have too many names
 */
export const rememberFieldNames = async (
  database: Database,
  dataSourceId: string,
  names: readonly string[],
  order: readonly string[] = [],
): Promise<void> => {
  if (names.length === 0 && order.length === 0) return;
  const key = keys.fieldNames(dataSourceId);
  await optimistic(async () => {
    const item = await database.get(key);
    const fresh = freshOf(namesOf(item), names);
    const known = orderOf(item);
    const added = order
      .filter((name) => !known.includes(name))
      .slice(0, Math.max(0, maxOrdered - known.length));
    if (fresh.length > 0 || added.length > 0) await database.update(key, additionOf(fresh, added));
  });
};

const additionOf = (fresh: readonly string[], added: readonly string[]): Update => ({
  UpdateExpression: [
    added.length > 0 ? 'SET #order = list_append(if_not_exists(#order, :none), :added)' : '',
    fresh.length > 0 ? 'ADD #names :fresh' : '',
  ].join(' '),
  ...(fresh.length > 0
    ? { ConditionExpression: 'attribute_not_exists(#names) OR size(#names) <= :room' }
    : {}),
  ExpressionAttributeNames: {
    ...(added.length > 0 ? { '#order': 'order' } : {}),
    ...(fresh.length > 0 ? { '#names': 'names' } : {}),
  },
  ExpressionAttributeValues: {
    ...(added.length > 0 ? { ':none': [], ':added': added } : {}),
    ...(fresh.length > 0 ? { ':fresh': new Set(fresh), ':room': maxNames - fresh.length } : {}),
  },
});
