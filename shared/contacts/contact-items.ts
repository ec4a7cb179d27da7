import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { type Condition, ifPresent, partitionRange, setIfUnchanged } from '../platform/table/expressions.ts';
import { type Item, keys } from '../platform/table/keys.ts';
import { optimistic, unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import {
  type Contact,
  type ContactStatus,
  contactId,
  contactStatus,
  type Fields,
  type NewContact,
} from './rules/contact.ts';

/**
 * Custom fields are one JSON string: it is smaller than a map, and no field name can clash with an
 * attribute. `v` is the version of fields and phone number. Dialing changes `status`, `callCount`
 * and `leases`, the number of leases so far, without a new version.
 */
export const contactItem = (
  dataSourceId: string,
  seq: number,
  { phoneNumber, fields }: NewContact,
  now: number,
): Item => ({
  ...keys.contact(dataSourceId, seq),
  phone: phoneNumber,
  fields: JSON.stringify(fields),
  status: contactStatus.notDialed,
  callCount: 0,
  created: now,
  v: 1,
});

/** Each task has a mark for its call to the contact, because several may call it at once. */
const markPrefix = 'call#';
export const inCallMark = (taskId: string) => `${markPrefix}${taskId}`;

/** The tasks that have a mark on the contact. */
export const tasksInCall = (item: Item): string[] =>
  Object.keys(item)
    .filter((name) => name.startsWith(markPrefix))
    .map((name) => name.slice(markPrefix.length));

/** When the last open lease of the contact ends. @returns undefined if it has no open lease */
const callUntilOf = (item: Item): number | undefined => {
  let until: number | undefined;
  for (const name in item) {
    if (name.startsWith(markPrefix)) until = Math.max(until ?? 0, item[name] as number);
  }
  return until;
};

export const contactOfItem = (dataSourceId: string, item: Item): Contact => {
  const seq = Number(item.sk);
  const callUntil = callUntilOf(item);
  return {
    id: contactId(dataSourceId, seq),
    dataSourceId,
    seq,
    phoneNumber: item.phone as string,
    fields: JSON.parse(item.fields as string) as Fields,
    status: item.status as ContactStatus,
    callCount: item.callCount as number,
    createTime: item.created as number,
    ...(item.updated === undefined ? {} : { updateTime: item.updated as number }),
    ...(callUntil === undefined ? {} : { callUntil }),
  };
};

type Called = { taskId: string; dataSourceId: string; seq: number };

/**
 * Marks the contact as called by a task.
 * @returns the contact as it is now; undefined if it was deleted
 */
export const showInCall = (
  database: Database,
  { taskId, dataSourceId, seq }: Called,
  until: Instant,
): Promise<Item | undefined> =>
  unlessLost(() =>
    database.update(keys.contact(dataSourceId, seq), {
      UpdateExpression: 'SET #call = :until ADD leases :one',
      ...ifPresent,
      ExpressionAttributeNames: { '#call': inCallMark(taskId) },
      ExpressionAttributeValues: { ':until': until, ':one': 1 },
    }),
  );

/**
 * Removes the mark of a call that was not made, unless the mark is of a later call.
 * @returns the contact as it is now; undefined if it had no such mark
 */
export const showNoCall = (
  database: Database,
  { taskId, dataSourceId, seq }: Called,
  until: Instant,
): Promise<Item | undefined> =>
  unlessLost(() =>
    database.update(keys.contact(dataSourceId, seq), {
      UpdateExpression: 'REMOVE #call',
      ConditionExpression: '#call = :until',
      ExpressionAttributeNames: { '#call': inCallMark(taskId) },
      ExpressionAttributeValues: { ':until': until },
    }),
  );

/** A contact that had a number before. */
type FormerContact = { dataSourceId: string; seq: number };

const writesAtOnce = 8;
const queriesAtOnce = 16;

const isCalled = (item: Item): boolean =>
  Number(item.leases ?? 0) > 0 || Number(item.callCount ?? 0) > 0 || tasksInCall(item).length > 0;

/** The contact was not leased since it was read. */
export const ifNotLeasedSince = ({ leases }: Item): Condition =>
  leases === undefined
    ? { ConditionExpression: 'attribute_not_exists(leases)' }
    : { ConditionExpression: 'leases = :leases', ExpressionAttributeValues: { ':leases': leases } };

/**
 * Calls are found by the number that was called. So a contact that was called and is deleted leaves
 * a pointer from its number.
 */
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
 * Keeps the numbers of contacts that are about to be deleted or to get another number: as a pointer
 * from the number, and for a call in progress at its lease. Both are harmless if the contact is not
 * changed after all.
 */
export const rememberNumbers = async (
  database: Database,
  dataSourceId: string,
  items: readonly Item[],
): Promise<void> => {
  const called = items.filter(isCalled);
  if (called.length === 0) return;
  await pointFromNumbers(database, dataSourceId, called);
  const inCall = called.flatMap((item) => tasksInCall(item).map((taskId) => ({ taskId, item })));
  await concurrently(inCall, writesAtOnce, ({ taskId, item }) =>
    noteCalledNumber(database, taskId, Number(item.sk), item.phone as string),
  );
};

/** Notes the number at the lease, unless it has noted an earlier one. That one is being called. */
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

/**
 * Contacts that were called under one of these spellings of a number. They may have another number
 * now, or be deleted.
 */
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

/** For a number that was erased. */
export const forgetFormerContacts = async (
  database: Database,
  spellings: readonly string[],
): Promise<void> => {
  await database.deleteAll(await readPointers(database, spellings));
};
