import type { Condition, Database, Item } from '../table/index.ts';
import { concurrently, keys, optimistic, partitionRange, setIfUnchanged } from '../table/index.ts';
import { calledByTasks } from './contact-items.ts';

/** A contact that had a number once. */
export type FormerContact = { dataSourceId: string; seq: number };

const writesAtOnce = 8;
const queriesAtOnce = 16;

const isCalled = (item: Item): boolean =>
  Number(item.leases ?? 0) > 0 || Number(item.callCount ?? 0) > 0 || calledByTasks(item).length > 0;

/** No lease of the contact was given since it was read. */
export const ifNotLeasedSince = ({ leases }: Item): Condition =>
  leases === undefined
    ? { ConditionExpression: 'attribute_not_exists(leases)' }
    : { ConditionExpression: 'leases = :leases', ExpressionAttributeValues: { ':leases': leases } };

/** Calls are found by the number that was called, so a contact that was called and is deleted leaves a pointer from it. */
export const pointFromNumbers = async (
  database: Database,
  dataSourceId: string,
  items: readonly Item[],
): Promise<void> => {
  const called = items.filter(isCalled);
  await database.putAll(
    called.map(({ phone, sk }) => keys.formerNumber(phone as string, dataSourceId, Number(sk))),
  );
};

/**
 * Keeps the number of contacts that are about to be deleted, or to get another number: by a pointer from it, and for a call in
 * progress at its lease. If the contact is not changed after all, neither does harm.
 */
export const rememberNumbers = async (
  database: Database,
  dataSourceId: string,
  items: readonly Item[],
): Promise<void> => {
  const called = items.filter(isCalled);
  if (called.length === 0) return;
  await pointFromNumbers(database, dataSourceId, called);
  const inCall = called.flatMap((item) => calledByTasks(item).map((taskId) => ({ taskId, item })));
  await concurrently(inCall, writesAtOnce, ({ taskId, item }) =>
    noteCalledNumber(database, taskId, Number(item.sk), item.phone as string),
  );
};

/** At the lease, unless it has noted an earlier number: that one is being called. */
const noteCalledNumber = (database: Database, taskId: string, seq: number, phoneNumber: string) =>
  optimistic(async () => {
    const key = keys.taskContact(taskId, seq);
    const item = await database.get(key);
    if (item?.nonce === undefined || item.called !== undefined) return;
    await database.update(key, setIfUnchanged(item.v as number, { called: phoneNumber }));
  });

const readPointers = async (database: Database, spellings: readonly string[]): Promise<Item[]> => {
  const items = await concurrently(spellings, queriesAtOnce, (spelling) =>
    database.queryAll(partitionRange(keys.formerNumbers(spelling))),
  );
  return items.flat();
};

/** The contacts that were called under one of these spellings of a number, and may have another number now or be deleted. */
export const readFormerContacts = async (
  database: Database,
  spellings: readonly string[],
): Promise<FormerContact[]> => {
  const pointers = await readPointers(database, spellings);
  const contacts = pointers.map(({ sk }) => {
    const [dataSourceId = '', seq] = sk.split('#');
    return { dataSourceId, seq: Number(seq) };
  });
  return [...new Map(contacts.map((each) => [`${each.dataSourceId}#${each.seq}`, each])).values()];
};

/** The number was erased. */
export const forgetFormerContacts = async (
  database: Database,
  spellings: readonly string[],
): Promise<void> => {
  await database.deleteAll(await readPointers(database, spellings));
};
