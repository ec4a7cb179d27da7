import type { Contact } from '../domain/contact.ts';
import { doNotCall } from '../domain/data-source.ts';
import { openFrom } from '../domain/schedule.ts';
import type { Task } from '../domain/task.ts';
import { type Instant, timeIn } from '../domain/time.ts';
import { isTimeZone } from '../domain/zones.ts';
import { contactOfItem } from './contacts/contact-items.ts';
import { readCounts } from './contacts/directory.ts';
import { readFieldNames } from './contacts/field-names.ts';
import type { Database, Update } from './database.ts';
import { keys } from './keys.ts';
import { once, type Trace } from './once.ts';
import { unlessLost } from './optimistic.ts';

/** What holds for the contacts of one task beside its own hours. */
export type TaskRules = {
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** The lists, with anybody on them, of those who are not called. */
  lists: readonly string[];
};

export type RuleSettings = {
  /** IANA name of the service's time zone. */
  zone: string;
  /** Calls to one phone number in one day of the service, in all tasks; 0: any number. */
  callsPerNumber: number;
};

export type Verdict = { is: 'called' } | { is: 'blocked' } | { is: 'deferred'; due: Instant };

/** `openFrom` looks no further; whoever is never open is looked at again then. */
const closedForMs = 400 * 24 * 3600 * 1000;
const dayMs = 24 * 3600 * 1000;
const secondMs = 1000;

/** Who may be called, and when: looked up when a call is leased. */
export class CallingRules {
  readonly #database: Database;
  readonly #settings: RuleSettings;
  readonly #wallClock: (instant: Instant) => string;

  constructor(database: Database, settings: RuleSettings) {
    this.#database = database;
    this.#settings = settings;
    this.#wallClock = timeIn(settings.zone);
  }

  async of({ dataSourceId, excludedDataSourceIds = [] }: Task): Promise<TaskRules> {
    const lists = [doNotCall.id, ...excludedDataSourceIds];
    const [hasOwnZones, counts] = await Promise.all([
      this.hasOwnZones(dataSourceId),
      readCounts(this.#database, lists),
    ]);
    return { hasOwnZones, lists: lists.filter((_, i) => counts[i]! > 0) };
  }

  async hasOwnZones(dataSourceId: string): Promise<boolean> {
    return (await readFieldNames(this.#database, dataSourceId)).includes('timeZone');
  }

  /** The first moment from now on in the task's hours, or in those of a zone of the contact's own. */
  opening(task: Task, now: Instant, contact?: Pick<Contact, 'fields'>): Instant {
    const own = contact?.fields.timeZone;
    const timeZone = own !== undefined && isTimeZone(own) ? own : task.timeZone;
    return openFrom({ ...task, timeZone }, now, this.#settings.zone) ?? now + closedForMs;
  }

  /** Those of the phone numbers that are on one of the lists. */
  async listed(lists: readonly string[], phones: readonly string[]): Promise<Set<string>> {
    if (lists.length === 0 || phones.length === 0) return new Set();
    const pairs = phones.flatMap((phone) => lists.map((list) => ({ phone, key: keys.phone(list, phone) })));
    const guards = await this.#database.batchGet(pairs.map(({ key }) => key));
    return new Set(pairs.flatMap(({ phone }, i) => (guards[i] === undefined ? [] : [phone])));
  }

  /**
   * When each contact of the task may be called, from now on. It may lag a moment: what is read here only spares
   * the writes of a lease that `verdict` would refuse.
   */
  async openings(
    task: Task,
    seqs: readonly number[],
    { hasOwnZones }: TaskRules,
    now: Instant,
  ): Promise<Instant[]> {
    const { callsPerNumber } = this.#settings;
    if (seqs.length === 0 || (callsPerNumber === 0 && !hasOwnZones)) return seqs.map(() => now);
    const { lagging } = this.#database;
    const items = await lagging.batchGet(seqs.map((seq) => keys.contact(task.dataSourceId, seq)));
    const contacts = items.map((item) => item && contactOfItem(task.dataSourceId, item));
    const numbers = callsPerNumber === 0 ? [] : contacts.map((contact) => contact?.phoneNumber ?? '');
    const counts = await lagging.batchGet(numbers.map((phone) => keys.callsOfDay(phone, this.#day(now))));
    return contacts.map((contact, i) => {
      const isSpent = Number(counts[i]?.calls ?? 0) >= callsPerNumber && callsPerNumber > 0;
      return contact ? this.opening(task, isSpent ? this.#nextDay(now) : now, contact) : now;
    });
  }

  /** Whether a contact that was leased is called: now, not at all, or from a later moment on. Counts the call. */
  async verdict(
    task: Task,
    contact: Contact,
    callId: string,
    listed: ReadonlySet<string>,
    now: Instant,
  ): Promise<Verdict> {
    if (listed.has(contact.phoneNumber)) return { is: 'blocked' };
    const due = this.opening(task, now, contact);
    if (due !== now) return { is: 'deferred', due };
    if (this.#settings.callsPerNumber === 0) return { is: 'called' };
    const count = (trace: Trace<boolean>) => this.#count(contact.phoneNumber, now, trace);
    if (await once(this.#database, `counted#${callId}`, count)) return { is: 'called' };
    return { is: 'deferred', due: this.opening(task, this.#nextDay(now), contact) };
  }

  /** Counts a call to the number today; not when there were enough. */
  async #count(phone: string, now: Instant, trace: Trace<boolean>): Promise<boolean> {
    const key = keys.callsOfDay(phone, this.#day(now));
    const update: Update = {
      UpdateExpression: 'SET #ttl = :ttl ADD calls :one',
      ConditionExpression: 'attribute_not_exists(calls) OR calls < :most',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':one': 1,
        ':most': this.#settings.callsPerNumber,
        ':ttl': Math.ceil((now + 3 * dayMs) / secondMs),
      },
    };
    const also = trace(true);
    const counted = await unlessLost(async () => {
      // A transaction costs twice as much.
      if (also.length === 0) await this.#database.update(key, update);
      else await this.#database.transact([this.#database.updateOf(key, update), ...also]);
      return true;
    });
    return counted ?? false;
  }

  #day = (now: Instant): string => this.#wallClock(now).slice(0, 10);

  #nextDay(now: Instant): Instant {
    const notToday = { dailyStartTime: '00:00', dailyEndTime: '24:00', excludedDates: [this.#day(now)] };
    return openFrom(notToday, now, this.#settings.zone) ?? now + dayMs;
  }
}
