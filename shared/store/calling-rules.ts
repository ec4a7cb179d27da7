import type { Contact } from '../domain/contact.ts';
import { doNotCall } from '../domain/data-source.ts';
import { openFrom } from '../domain/schedule.ts';
import type { Task } from '../domain/task.ts';
import type { Instant } from '../domain/time.ts';
import { isTimeZone } from '../domain/zones.ts';
import { CallsOfDay } from './calls-of-day.ts';
import { contactOfItem } from './contacts/contact-items.ts';
import { readCounts } from './contacts/directory.ts';
import { readFieldNames } from './contacts/field-names.ts';
import type { Database } from './database.ts';
import { keys } from './keys.ts';

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

/** A contact, with its phone number where that is known: as it was when the contact was taken up. */
type Numbered = { seq: number; phoneNumber?: string };

export type Verdict = { is: 'called' } | { is: 'blocked' } | { is: 'deferred'; due: Instant };

/** `openFrom` looks no further; whoever is never open is looked at again then. */
const closedForMs = 400 * 24 * 3600 * 1000;

/** Who may be called, and when: looked up when a call is leased. */
export class CallingRules {
  readonly #database: Database;
  readonly #zone: string;
  readonly #calls: CallsOfDay;

  constructor(database: Database, { zone, callsPerNumber }: RuleSettings) {
    this.#database = database;
    this.#zone = zone;
    this.#calls = new CallsOfDay(database, zone, callsPerNumber);
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
    return openFrom({ ...task, timeZone }, now, this.#zone) ?? now + closedForMs;
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
   * the writes of a lease that `verdict` would refuse. Whoever is known by a number that may be called is not read.
   */
  async openings(
    task: Task,
    candidates: readonly Numbered[],
    { hasOwnZones }: TaskRules,
    now: Instant,
  ): Promise<Instant[]> {
    if (!this.#calls.areLimited && !hasOwnZones) return candidates.map(() => now);
    const known = hasOwnZones ? [] : candidates.flatMap(({ phoneNumber }) => phoneNumber ?? []);
    const spent = await this.#calls.spent(known, now);
    const free = new Set(known.filter((number) => !spent.has(number)));
    const others = candidates.filter(({ phoneNumber = '' }) => !free.has(phoneNumber));
    const openings = await this.#openingsOf(task, others, now);
    return candidates.map(({ seq }) => openings.get(seq) ?? now);
  }

  /** By the contacts as they are stored; without those that were deleted. */
  async #openingsOf(task: Task, numbered: readonly Numbered[], now: Instant): Promise<Map<number, Instant>> {
    const itemKeys = numbered.map(({ seq }) => keys.contact(task.dataSourceId, seq));
    const items = await this.#database.lagging.batchGet(itemKeys);
    const contacts = items.flatMap((item) => (item ? [contactOfItem(task.dataSourceId, item)] : []));
    const numbers = contacts.map(({ phoneNumber }) => phoneNumber);
    const spent = await this.#calls.spent(numbers, now);
    const from = ({ phoneNumber }: Contact) => (spent.has(phoneNumber) ? this.#calls.nextDay(now) : now);
    return new Map(
      contacts.map((contact) => [contact.seq, this.opening(task, from(contact), contact)] as const),
    );
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
    if (await this.#calls.count(contact.phoneNumber, callId, now)) return { is: 'called' };
    return { is: 'deferred', due: this.opening(task, this.#calls.nextDay(now), contact) };
  }
}
