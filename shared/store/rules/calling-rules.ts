import type { Contact } from '../../domain/contacts/contact.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import { openFrom } from '../../domain/schedule.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { isTimeZone } from '../../domain/zones.ts';
import { contactOfItem, readFieldNames } from '../contacts/index.ts';
import { readCounts } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { keys } from '../table/index.ts';
import { CallsOfDay } from './calls-of-day.ts';
import { ListedNumbers } from './listed-numbers.ts';

/** What holds for the contacts of one task beside its own hours. */
export type TaskRules = {
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** The numbers that are not called. */
  listed: ListedNumbers;
};

export type RuleSettings = {
  /** IANA name of the service's time zone. */
  zone: string;
  /** Calls to one phone number in one day of the service, in all tasks; 0: any number. */
  callsPerNumber: number;
};

/**
 * A contact that is about to be called, as the task knows it in that version, with its phone number where that is
 * known: it may be another by now.
 */
type Callee = { seq: number; version?: number; phoneNumber?: string };

/**
 * From when on a contact may be called: now, and where calls are counted this one counts for its number, or later.
 * `notBefore`: when the number may be called again, where this call is its last today.
 */
export type Admission = { due: Instant; phoneNumber?: string; notBefore?: Instant };

export type Verdict =
  | { is: 'called'; contact: Contact }
  | { is: 'deferred'; due: Instant }
  | { is: 'blocked' }
  | { is: 'gone' };

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
    const filled = lists.filter((_, i) => counts[i]! > 0);
    return { hasOwnZones, listed: new ListedNumbers(this.#database, filled) };
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

  /**
   * When each contact of the task may be called by its own hours, from now on, and where calls are counted its number.
   * It may lag a moment: what is read here only spares the writes of a lease that `verdict` would refuse.
   */
  async openings(
    task: Task,
    candidates: readonly Callee[],
    { hasOwnZones }: TaskRules,
    now: Instant,
  ): Promise<Admission[]> {
    const { areLimited } = this.#calls;
    const isRead = ({ phoneNumber }: Callee) => hasOwnZones || (areLimited && phoneNumber === undefined);
    const read = candidates.filter(isRead).map(({ seq }) => keys.contact(task.dataSourceId, seq));
    const items = read.length > 0 ? await this.#database.lagging.batchGet(read) : [];
    const contacts = items.flatMap((item) => (item ? [contactOfItem(task.dataSourceId, item)] : []));
    const known = new Map(contacts.map((contact) => [contact.seq, contact]));
    return candidates.map(({ seq }) => {
      const contact = known.get(seq);
      if (contact === undefined) return { due: now };
      const { phoneNumber } = contact;
      return { due: this.opening(task, now, contact), ...(areLimited && { phoneNumber }) };
    });
  }

  /**
   * Counts the call that a contact is about to get, once for each of its versions: dialers that meet at a contact,
   * and one that comes after another has died there, count the same call. Not for a number on a list, which will not be
   * called. Whoever would have to wait is read first, since its number may be another by now; one that was deleted is
   * admitted, to be found gone.
   */
  async admit(task: Task, callee: Callee, listed: ReadonlySet<string>, now: Instant): Promise<Admission> {
    const known = callee.phoneNumber;
    if (!this.#calls.areLimited || (known !== undefined && listed.has(known))) return { due: now };
    const admitted = known === undefined ? undefined : await this.#count(task, callee, known, now);
    if (admitted) return admitted;
    const item = await this.#database.get(keys.contact(task.dataSourceId, callee.seq));
    if (item === undefined) return { due: now };
    const contact = contactOfItem(task.dataSourceId, item);
    const { phoneNumber } = contact;
    const counted = phoneNumber === known ? undefined : await this.#count(task, callee, phoneNumber, now);
    return counted ?? { due: this.opening(task, this.#calls.nextDay(now), contact), phoneNumber };
  }

  async #count(task: Task, callee: Callee, phoneNumber: string, now: Instant) {
    const left = await this.#calls.count(phoneNumber, callName(task.id, callee), now);
    if (left === undefined) return undefined;
    return { due: now, phoneNumber, ...(left === 0 && { notBefore: this.#calls.nextDay(now) }) };
  }

  /**
   * Whether a contact that was leased is called: now, not at all, or from a later moment on; `undefined` was deleted.
   * The call that was counted with its admission counts for the number it has now, or for none.
   */
  async verdict(
    task: Task,
    callee: Callee,
    contact: Contact | undefined,
    listed: ReadonlySet<string>,
    now: Instant,
  ): Promise<Verdict> {
    const verdict = await this.#verdict(task, callee, contact, listed, now);
    if (verdict.is !== 'called' || callee.phoneNumber !== contact?.phoneNumber)
      await this.takeBack(task.id, callee, now);
    return verdict;
  }

  /** The call that was counted when the contact was admitted, today, is not made. */
  async takeBack(taskId: string, callee: Callee, now: Instant): Promise<void> {
    const { phoneNumber } = callee;
    if (!this.#calls.areLimited || phoneNumber === undefined) return;
    await this.#calls.uncount(phoneNumber, callName(taskId, callee), now);
  }

  async #verdict(
    task: Task,
    callee: Callee,
    contact: Contact | undefined,
    listed: ReadonlySet<string>,
    now: Instant,
  ): Promise<Verdict> {
    if (contact === undefined) return { is: 'gone' };
    const { phoneNumber } = contact;
    if (listed.has(phoneNumber)) return { is: 'blocked' };
    const opening = this.opening(task, now, contact);
    if (opening !== now) return { is: 'deferred', due: opening };
    if (callee.phoneNumber === phoneNumber) return { is: 'called', contact };
    const { due } = await this.admit(task, { ...callee, phoneNumber }, listed, now);
    return due === now ? { is: 'called', contact } : { is: 'deferred', due };
  }
}

/** The same for all who are about to call the contact as it is. */
const callName = (taskId: string, { seq, version = 0 }: Callee) =>
  [taskId, seq.toString(36), version.toString(36)].join('-');
