import type { EffectRecord } from '../platform/requests/effects.ts';
import { ServiceError } from '../platform/rules/errors.ts';
import { allEnded, backoff, concurrently } from '../platform/table/concurrency.ts';
import { type Database, Lost, type TransactItem } from '../platform/table/database.ts';
import {
  type Condition,
  ifAbsent,
  ifPresent,
  keyRange,
  onlyIf,
  partitionRange,
  setAttributes,
  type Update,
} from '../platform/table/expressions.ts';
import { type Item, type Key, keys } from '../platform/table/keys.ts';
import { tryWrite, tryWriteOnce } from '../platform/table/optimistic.ts';
import { type Instant, minuteMs, secondMs } from '../platform/time/time.ts';
import { contactItem, contactOfItem } from './contact-items.ts';
import { readNextSeq } from './directory.ts';
import type { Contact, NewContact } from './rules/contact.ts';
import { ContactSlot } from './store/contact-slot.ts';

/** A contact to be added together with others. `also`: further steps of the transaction. */
type Addition = {
  added: NewContact;
  time: Instant;
  also?: (contact: Contact) => TransactItem[];
};

/**
 * Adds contacts in one transaction, as many as fit in their block. Each number must be free.
 * @returns how many were added, from the first on
 * @throws Lost, TransactionRefused if another writer came first
 */
export const addTogether = async (
  database: Database,
  dataSourceId: string,
  additions: readonly Addition[],
  now: Instant,
): Promise<number> => {
  const seq = await readNextSeq(database, dataSourceId);
  const slot = await ContactSlot.readFree(database, dataSourceId, seq);
  if (!slot.isNext) throw new Lost();
  const some = additions.slice(0, slot.room);
  const phoneNumbers = some.map(({ added }) => added.phoneNumber);
  await slot.announce(phoneNumbers);
  await database.transact([
    ...Object.values(slot.add(phoneNumbers, now)),
    ...some.flatMap(({ added, time, also }, at) => {
      const guard = { ...keys.phone(dataSourceId, added.phoneNumber), seq: seq + at };
      const contact = contactItem(dataSourceId, seq + at, added, time);
      return [
        database.putOf(guard, ifAbsent),
        database.putOf(contact),
        ...(also?.(contactOfItem(dataSourceId, contact)) ?? []),
      ];
    }),
  ]);
  return some.length;
};

/** A contact that waits. `record`: the effect record of a request with a key. */
type Waiting = { key: Key; added: NewContact; time: Instant; record?: TransactItem };

/** Each contact writes up to four items of a transaction, which has at most 100. */
const addedAtMost = 24;
/** The pauses between all looks take half a second together. */
const looksAtMost = 25;
/**
 * After this many looks a request adds all contacts itself, because the process of the first one
 * may have died.
 */
const patience = 6;
/** Milliseconds. Longer than a request waits, so an older item is that of a process that died. */
const waitsAtMostMs = 3 * secondMs;

/** Lists of contacts. */
const readsAtOnce = 16;

const ifNotAdded: Condition = { ConditionExpression: 'attribute_not_exists(seq)' };

const tooManyChanges = () => new ServiceError('TOO_MANY_CHANGES', 'too many concurrent changes; retry later');

export const phoneTaken = (phoneNumber: string) =>
  new ServiceError('PHONE_NUMBER_TAKEN', `phone number ${phoneNumber} exists in this data source`);

/**
 * Contacts that are added to one list at the same time. Adding a contact writes the last block and
 * page of its list, so one of two processes that do so at once loses. Its contact waits, as an item
 * of its own. A contact that comes while others wait does not try alone, but waits too. If all
 * tried alone, the waiting ones would hardly ever win, and fewer contacts would be added.
 *
 * The process of the first waiting contact adds all waiting contacts in one transaction, which also
 * writes the sequence number of each contact into its waiting item. The other processes look until
 * they find that number. So a request knows that its contact was added, whatever happens to the
 * contact afterwards. It then deletes its item.
 *
 * If the item is gone without a number, the contact was not added: the phone number was taken, or
 * its person was erased.
 *
 * As many contacts wait as one transaction adds. A further request is turned away at once. A
 * request that has waited for half a second deletes its item on the condition that it has no
 * number, so it has added nothing.
 *
 * If the process of the first contact dies, each other process adds all contacts itself after a few
 * looks, also those of dead processes. An item that is older than three seconds is no longer read.
 * It expires.
 */
export class WaitingContacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether a contact waits, or waited until a moment ago. Only a hint: the read may lag. */
  async isAny(dataSourceId: string, now: Instant): Promise<boolean> {
    return (await this.#database.lagging.queryAll({ ...rangeOf(dataSourceId, now), Limit: 1 })).length > 0;
  }

  /** @throws ServiceError conflict (phone number), TOO_MANY_CHANGES */
  async add(
    dataSourceId: string,
    added: NewContact,
    time: Instant,
    effectRecord: EffectRecord<Contact>,
  ): Promise<Contact> {
    const items = await this.#database.queryAll(rangeOf(dataSourceId, time));
    if (items.filter(isWaiting).length >= addedAtMost) throw tooManyChanges();
    const mark = String(Math.floor(Math.random() * 2 ** 48));
    const contactAt = (seq: number) =>
      contactOfItem(dataSourceId, contactItem(dataSourceId, seq, added, time));
    const [record] = effectRecord(contactAt(0));
    const waiting = {
      key: keys.waitingContact(dataSourceId, time, mark),
      added,
      time,
      ...(record && { record }),
    };
    const seq = await this.#wait(dataSourceId, waiting);
    if (seq !== undefined) return contactAt(seq);
    const guard = await this.#database.get(keys.phone(dataSourceId, added.phoneNumber));
    throw guard === undefined ? tooManyChanges() : phoneTaken(added.phoneNumber);
  }

  /**
   * Afterwards the waiting item is deleted, also after an error.
   * @returns the sequence number; undefined if the contact was not added
   */
  async #wait(dataSourceId: string, waiting: Waiting): Promise<number | undefined> {
    try {
      await tryWrite(() => this.#database.put(itemOf(waiting)));
      return await this.#untilAdded(dataSourceId, waiting);
    } finally {
      await tryWrite(() => this.#database.delete(waiting.key)).catch(() => undefined);
    }
  }

  async #untilAdded(dataSourceId: string, { key, time }: Waiting): Promise<number | undefined> {
    for (let looks = 1; looks <= looksAtMost; looks++) {
      const items = await this.#database.queryAll(rangeOf(dataSourceId, time));
      const own = items.find(({ sk }) => sk === key.sk);
      if (own === undefined || !isWaiting(own)) return own?.seq as number | undefined;
      const waiting = items.filter(isWaiting);
      if (waiting[0] === own || looks % patience === 0)
        await tryWriteOnce(() => this.#addAll(dataSourceId, waiting.map(waitingOf), time));
      else await backoff(2);
    }
    if (await this.#takeBack(key)) return undefined;
    return (await this.#database.get(key))?.seq as number | undefined;
  }

  /** @returns whether the contact was not added, and will not be */
  #takeBack(key: Key): Promise<boolean> {
    return tryWrite(() => this.#database.delete(key, ifNotAdded));
  }

  /**
   * Adds contacts whose number is free. Of several contacts with the same number, the later ones
   * are tried in the next run.
   */
  async #addAll(dataSourceId: string, waiting: readonly Waiting[], now: Instant): Promise<void> {
    const guardOf = ({ added }: Waiting) => keys.phone(dataSourceId, added.phoneNumber);
    const first = waiting.slice(0, addedAtMost).toReversed();
    const unique = [...new Map(first.map((each) => [each.added.phoneNumber, each])).values()].toReversed();
    const records = unique.flatMap(({ record }) => (record ? [keyOf(record)] : []));
    const found = await this.#database.batchGet([...unique.map(guardOf), ...records]);
    const isThere = ({ pk }: Key) =>
      found.some((item) => item?.pk === pk && !(Number(item.ttl) < now / secondMs));
    const isOver = (each: Waiting) =>
      isThere(guardOf(each)) || (each.record !== undefined && isThere(keyOf(each.record)));
    const over = unique.filter(isOver);
    await allEnded(over.map(({ key }) => this.#takeBack(key)));
    const additions = unique
      .filter((each) => !over.includes(each))
      .map(
        ({ key, added, time, record }): Addition => ({
          added,
          time,
          also: (contact) => [
            this.#database.updateOf(key, addedAs(contact)),
            ...(record ? [{ Put: { ...record.Put!, Item: { ...record.Put!.Item, result: contact } } }] : []),
          ],
        }),
      );
    if (additions.length > 0) await addTogether(this.#database, dataSourceId, additions, now);
  }
}

/** For numbers that are erased. A contact of a process that died must not be added later. */
export const forgetWaitingContacts = async (
  database: Database,
  dataSourceIds: readonly string[],
  phoneNumbers: readonly string[],
): Promise<void> => {
  await concurrently(dataSourceIds, readsAtOnce, async (id) => {
    const items = await database.lagging.queryAll(partitionRange(keys.waitingContacts(id)));
    const waiting = items.filter(({ phone }) => phoneNumbers.includes(phone as string));
    await allEnded(waiting.map(({ pk, sk }) => tryWrite(() => database.delete({ pk, sk }))));
  });
};

/** Items that are not too old, the oldest first. */
const rangeOf = (dataSourceId: string, now: Instant) =>
  keyRange(
    keys.waitingContacts(dataSourceId),
    keys.waitingContact(dataSourceId, now - waitsAtMostMs, '').sk,
    '~',
  );

const isWaiting = ({ seq }: Item): boolean => seq === undefined;

/** The item keeps no data of the person. */
const addedAs = ({ seq }: Contact): Update =>
  onlyIf(setAttributes({ seq }, ['phone', 'fields', 'record']), ifPresent);

const keyOf = ({ Put }: TransactItem): Key => {
  const { pk, sk } = Put!.Item as Key;
  return { pk, sk };
};

const itemOf = ({ key, added, time, record }: Waiting): Item => ({
  ...key,
  phone: added.phoneNumber,
  fields: JSON.stringify(added.fields),
  time,
  ...(record && { record }),
  ttl: Math.ceil((time + minuteMs) / secondMs),
});

const waitingOf = ({ pk, sk, phone, fields, time, record }: Item): Waiting => ({
  key: { pk, sk },
  added: { phoneNumber: phone as string, fields: JSON.parse(fields as string) },
  time: time as Instant,
  ...(record !== undefined && { record: record as TransactItem }),
});
