import type { EffectRecord } from '../platform/requests/effects.ts';
import { ServiceError } from '../platform/rules/errors.ts';
import { allEnded, backoff, concurrently } from '../platform/table/concurrency.ts';
import { type Database, Lost, type TransactItem } from '../platform/table/database.ts';
import { ifAbsent, ifPresent, partitionRange } from '../platform/table/expressions.ts';
import { type Item, type Key, keys } from '../platform/table/keys.ts';
import { tryWrite, tryWriteOnce } from '../platform/table/optimistic.ts';
import { type Instant, minuteMs, secondMs } from '../platform/time/time.ts';
import { contactItem, contactOfItem } from './contact-items.ts';
import { readNextSeq } from './directory.ts';
import type { Contact, NewContact } from './rules/contact.ts';
import { ContactSlot } from './store/contact-slot.ts';

/** A contact to be added together with others. `mark`: kept in its guard. `also`: further steps of the transaction. */
type Addition = {
  added: NewContact;
  time: Instant;
  mark?: string;
  also?: (contact: Contact) => TransactItem[];
};

/**
 * Adds contacts in one transaction, as many as their block takes. Answers how many, from the first on. Each number must be free.
 * @throws Lost, TransactionRefused when another writer came first
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
    ...some.flatMap(({ added, time, mark, also }, at) => {
      const guard = { ...keys.phone(dataSourceId, added.phoneNumber), seq: seq + at, ...(mark && { mark }) };
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

/** A contact that waits. `record`: the effect record of its request, where the request has a key. */
type Waiting = { key: Key; added: NewContact; time: Instant; record?: TransactItem };

/** Each writes up to four items of a transaction, which has 100 at most. */
const addedAtMost = 24;
/** The pauses between so many looks take half a second together. */
const looksAtMost = 25;
/** If the same contact has waited longest for so many looks, its process may have died, and the next one takes over. */
const patience = 6;
/** Longer than a request waits. An older contact is that of a process that died. */
const waitsAtMostMs = 10 * secondMs;

/** Lists of contacts. */
const readsAtOnce = 16;

const tooManyChanges = () => new ServiceError('TOO_MANY_CHANGES', 'too many concurrent changes; retry later');

export const phoneTaken = (phoneNumber: string) =>
  new ServiceError('PHONE_NUMBER_TAKEN', `phone number ${phoneNumber} exists in this data source`);

/**
 * Contacts that were to be added to one list at the same time. Adding a contact writes the last block and page of its list, so of
 * two processes that do so at once one loses. Its contact waits, as an item of its own. A contact that comes while others wait does
 * not try alone, but waits too: if all tried alone, those that wait would hardly ever win, and the fewest would be added.
 *
 * The process whose contact waits longest adds all that wait in one transaction, which also takes them off the waiting ones. The
 * other processes look until theirs is gone. Its guard then bears its mark, or belongs to another contact with the same number.
 *
 * As many wait as one transaction adds. A further request is turned away at once, and a request that has waited too long takes
 * its contact back, so it has added nothing.
 *
 * If a process dies, the process of the next contact adds both, or drops the old one after ten seconds. The item expires.
 */
export class WaitingContacts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The contacts that wait, the longest first. */
  async read(dataSourceId: string): Promise<Waiting[]> {
    const range = { ...partitionRange(keys.waitingContacts(dataSourceId)), Limit: addedAtMost };
    return (await this.#database.queryAll(range)).map(waitingOf);
  }

  /** Whether a contact waits. A hint: the read may lag a moment behind. */
  async isAny(dataSourceId: string): Promise<boolean> {
    const range = { ...partitionRange(keys.waitingContacts(dataSourceId)), Limit: 1 };
    return (await this.#database.lagging.queryAll(range)).length > 0;
  }

  /** @throws ServiceError conflict (phone number), TOO_MANY_CHANGES */
  async add(
    dataSourceId: string,
    added: NewContact,
    time: Instant,
    effectRecord: EffectRecord<Contact>,
  ): Promise<Contact> {
    if ((await this.read(dataSourceId)).length >= addedAtMost) throw tooManyChanges();
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
    const isGone = await this.#wait(dataSourceId, waiting);
    if (!isGone && (await tryWrite(() => this.#database.delete(waiting.key, ifPresent))))
      throw tooManyChanges();
    const guard = await this.#database.get(keys.phone(dataSourceId, added.phoneNumber));
    if (guard === undefined) throw tooManyChanges();
    if (guard.mark !== mark) throw phoneTaken(added.phoneNumber);
    return contactAt(guard.seq as number);
  }

  /** Whether the contact no longer waits. After an error it is taken back: its request is not told that it was added. */
  async #wait(dataSourceId: string, waiting: Waiting): Promise<boolean> {
    try {
      await tryWrite(() => this.#database.put(itemOf(waiting)));
      return await this.#untilGone(dataSourceId, waiting);
    } catch (error) {
      await tryWrite(() => this.#database.delete(waiting.key)).catch(() => undefined);
      throw error;
    }
  }

  async #untilGone(dataSourceId: string, { key, time }: Waiting): Promise<boolean> {
    let first: string | undefined;
    for (let looks = 1, sinceFirst = 0; looks <= looksAtMost; looks++) {
      const waiting = await this.read(dataSourceId);
      const place = waiting.findIndex((each) => each.key.sk === key.sk);
      // More contacts may wait than were read.
      if (place < 0 && (await this.#database.get(key)) === undefined) return true;
      sinceFirst = first === waiting[0]?.key.sk ? sinceFirst + 1 : 0;
      first = waiting[0]?.key.sk;
      if (place >= 0 && sinceFirst >= patience * place)
        await tryWriteOnce(() => this.#addAll(dataSourceId, waiting, time));
      else await backoff(2);
    }
    return false;
  }

  /** Adds those whose number is free. Of the same numbers, the later ones are looked at when the first is in the list. */
  async #addAll(dataSourceId: string, waiting: readonly Waiting[], now: Instant): Promise<void> {
    const guardOf = ({ added }: Waiting) => keys.phone(dataSourceId, added.phoneNumber);
    const unique = [...new Map(waiting.toReversed().map((each) => [each.added.phoneNumber, each])).values()];
    const records = unique.flatMap(({ record }) => (record ? [keyOf(record)] : []));
    const found = await this.#database.batchGet([...unique.map(guardOf), ...records]);
    const isThere = ({ pk }: Key) =>
      found.some((item) => item?.pk === pk && !(Number(item.ttl) < now / secondMs));
    const isOver = (each: Waiting) =>
      each.time < now - waitsAtMostMs ||
      isThere(guardOf(each)) ||
      (each.record !== undefined && isThere(keyOf(each.record)));
    const over = unique.filter(isOver);
    await allEnded(over.map(({ key }) => this.#database.delete(key)));
    const additions = unique
      .filter((each) => !over.includes(each))
      .toReversed()
      .map(
        ({ key, added, time, record }): Addition => ({
          added,
          time,
          mark: markOf(key),
          also: (contact) => [
            this.#database.deleteOf(key, ifPresent),
            ...(record ? [{ Put: { ...record.Put!, Item: { ...record.Put!.Item, result: contact } } }] : []),
          ],
        }),
      );
    if (additions.length > 0) await addTogether(this.#database, dataSourceId, additions, now);
  }
}

/** The numbers are erased: a contact of a process that died must not be added later. */
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

const markOf = ({ sk }: Key): string => sk.slice(sk.indexOf('#') + 1);
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
