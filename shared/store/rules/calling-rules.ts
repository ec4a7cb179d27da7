import type { Contact } from '../../domain/contacts/contact.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import { type CallDecision, mayCall } from '../../domain/dialing/may-call.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { contactOfItem, readFieldNames } from '../contacts/index.ts';
import { readCounts } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { keys } from '../table/index.ts';
import { CallsOfDay } from './calls-of-day.ts';

/** What holds for the contacts of one task beside its own hours. */
export type TaskRules = {
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** The exclusion lists that have contacts. */
  exclusionLists: readonly string[];
};

export type RuleSettings = {
  /** IANA name of the service's time zone. */
  zone: string;
  /** Calls to one phone number in one day of the service, in all tasks; 0: no limit. */
  callsPerNumber: number;
};

/** Reads what decides whether contacts may be called, and asks `mayCall`. */
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
    return { hasOwnZones, exclusionLists: lists.filter((_, i) => counts[i]! > 0) };
  }

  async hasOwnZones(dataSourceId: string): Promise<boolean> {
    return (await readFieldNames(this.#database, dataSourceId)).includes('timeZone');
  }

  /**
   * Before the lease, from reads that may lag: spares the writes of a lease for a contact that has to wait. Only `later`
   * is to be acted on; the lease finds out the rest.
   */
  async preview(
    task: Task,
    { hasOwnZones }: TaskRules,
    seqs: readonly number[],
    now: Instant,
  ): Promise<CallDecision[]> {
    if (!hasOwnZones && !this.#calls.areLimited) return seqs.map(() => ({ is: 'call' }));
    const read = seqs.map((seq) => keys.contact(task.dataSourceId, seq));
    const items = await this.#database.lagging.batchGet(read);
    const contacts = items.map((item) => item && contactOfItem(task.dataSourceId, item));
    const usedUp = await this.#calls.usedUp(phoneNumbersOf(contacts), now);
    return contacts.map((contact) => {
      const isUsedUp = contact !== undefined && usedUp.has(contact.phoneNumber);
      return mayCall({
        ...this.#facts(task, contact, now),
        ...(isUsedUp && { numberFreeFrom: this.#calls.nextDay(now) }),
      });
    });
  }

  /**
   * After the lease, from the contacts as they are now. A call that may be made is counted for its number. Two dialers
   * that lease contacts with the same number both count, and the limit refuses one of them.
   */
  async decide(
    task: Task,
    { exclusionLists }: TaskRules,
    calls: readonly { callId: string; contact: Contact | undefined }[],
    now: Instant,
  ): Promise<CallDecision[]> {
    const numbers = phoneNumbersOf(calls.map(({ contact }) => contact));
    const excluded = await this.#excludedAmong(numbers, exclusionLists);
    const decisions = calls.map(async ({ callId, contact }) => {
      const isExcluded = contact !== undefined && excluded.has(contact.phoneNumber);
      const facts = { ...this.#facts(task, contact, now), isExcluded };
      const decision = mayCall(facts);
      if (contact === undefined || decision.is !== 'call') return decision;
      if (await this.#calls.count(contact.phoneNumber, callId, now)) return decision;
      return mayCall({ ...facts, numberFreeFrom: this.#calls.nextDay(now) });
    });
    return Promise.all(decisions);
  }

  /** The call was given back: it does not count for its number, unless the number was changed meanwhile. */
  async uncount(dataSourceId: string, seq: number, callId: string, now: Instant): Promise<void> {
    if (!this.#calls.areLimited) return;
    const item = await this.#database.get(keys.contact(dataSourceId, seq));
    if (item) await this.#calls.uncount(contactOfItem(dataSourceId, item).phoneNumber, callId, now);
  }

  async #excludedAmong(numbers: readonly string[], lists: readonly string[]): Promise<ReadonlySet<string>> {
    const pairs = numbers.flatMap((number) =>
      lists.map((list) => ({ number, key: keys.phone(list, number) })),
    );
    const guards = pairs.length > 0 ? await this.#database.batchGet(pairs.map(({ key }) => key)) : [];
    return new Set(pairs.flatMap(({ number }, i) => (guards[i] === undefined ? [] : [number])));
  }

  #facts = (schedule: Task, contact: Contact | undefined, now: Instant) => ({
    schedule,
    serviceZone: this.#zone,
    contact,
    now,
  });
}

const phoneNumbersOf = (contacts: readonly (Contact | undefined)[]): string[] =>
  contacts.flatMap((contact) => contact?.phoneNumber ?? []);
