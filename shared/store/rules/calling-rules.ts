import type { Contact } from '../../domain/contacts/contact.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import { type LongestPhones, mayHavePhone, type Numbering } from '../../domain/contacts/phone-number.ts';
import { type CallDecision, mayCall } from '../../domain/dialing/may-call.ts';
import type { ServiceHours } from '../../domain/schedule.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { contactOfItem, readFieldNames } from '../contacts/index.ts';
import { readDirectories } from '../directory/index.ts';
import { type Database, keys } from '../table/index.ts';
import { CallsOfDay } from './calls-of-day.ts';

type ExclusionList = { id: string; longest: LongestPhones | undefined };

/** What holds for the contacts of one task beside its own hours. */
export type TaskRules = {
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** The exclusion lists that have contacts. */
  exclusionLists: readonly ExclusionList[];
};

export type RuleSettings = ServiceHours & {
  /** Calls to one phone number in one day of the service, in all tasks; 0: no limit. */
  callsPerNumber: number;
  phones: () => Promise<Numbering>;
};

/** Reads what decides whether contacts may be called, and asks `mayCall`. */
export class CallingRules {
  readonly #database: Database;
  readonly #serviceHours: ServiceHours;
  readonly #calls: CallsOfDay;
  readonly #phones: () => Promise<Numbering>;

  constructor(database: Database, { zone, callingHours, callsPerNumber, phones }: RuleSettings) {
    this.#database = database;
    this.#serviceHours = { zone, callingHours };
    this.#calls = new CallsOfDay(database, zone, callsPerNumber);
    this.#phones = phones;
  }

  async of({ dataSourceId, excludedDataSourceIds = [] }: Task): Promise<TaskRules> {
    const lists = [doNotCall.id, ...excludedDataSourceIds];
    const [hasOwnZones, directories] = await Promise.all([
      this.hasOwnZones(dataSourceId),
      readDirectories(this.#database, lists),
    ]);
    const exclusionLists = lists.flatMap((id, i) => {
      const { total, longest } = directories[i]!;
      return total > 0 ? [{ id, longest }] : [];
    });
    return { hasOwnZones, exclusionLists };
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
    const counted = await this.#countedSpellings(contacts);
    const usedUp = await this.#calls.usedUp([...new Set(counted.values())], now);
    return contacts.map((contact) => {
      const isUsedUp = contact !== undefined && usedUp.has(counted.get(contact.phoneNumber) ?? '');
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
  async decideAndCount(
    task: Task,
    { exclusionLists }: TaskRules,
    calls: readonly { callId: string; contact: Contact | undefined }[],
    now: Instant,
  ): Promise<CallDecision[]> {
    const contacts = calls.map(({ contact }) => contact);
    const [excluded, counted] = await Promise.all([
      this.#excludedAmong(phoneNumbersOf(contacts), exclusionLists),
      this.#countedSpellings(contacts),
    ]);
    const decisions = calls.map(async ({ callId, contact }) => {
      const isExcluded = contact !== undefined && excluded.has(contact.phoneNumber);
      const facts = { ...this.#facts(task, contact, now), isExcluded };
      const decision = mayCall(facts);
      if (contact === undefined || decision.is !== 'call') return decision;
      const spelling = counted.get(contact.phoneNumber);
      if (spelling === undefined || (await this.#calls.count(spelling, callId, now))) return decision;
      return mayCall({ ...facts, numberFreeFrom: this.#calls.nextDay(now) });
    });
    return Promise.all(decisions);
  }

  /** The call was given back: it does not count for its number, unless the number was changed meanwhile. */
  async uncount(dataSourceId: string, seq: number, callId: string, now: Instant): Promise<void> {
    if (!this.#calls.areLimited) return;
    const item = await this.#database.get(keys.contact(dataSourceId, seq));
    if (item === undefined) return;
    const { spell } = await this.#phones();
    await this.#calls.uncount(spell(contactOfItem(dataSourceId, item).phoneNumber), callId, now);
  }

  /** The spelling under which the calls of each number are counted: all spellings of a number count as one. Empty without a limit. */
  async #countedSpellings(contacts: readonly (Contact | undefined)[]): Promise<ReadonlyMap<string, string>> {
    if (!this.#calls.areLimited) return new Map();
    const { spell } = await this.#phones();
    return new Map(phoneNumbersOf(contacts).map((number) => [number, spell(number)]));
  }

  /** A list holds a number under any spelling: it may have been stored before the service had a country. */
  async #excludedAmong(
    numbers: readonly string[],
    lists: readonly ExclusionList[],
  ): Promise<ReadonlySet<string>> {
    if (numbers.length === 0 || lists.length === 0) return new Set();
    const { spellings } = await this.#phones();
    const isPossible = (text: string) => lists.some(({ longest }) => mayHavePhone(longest, text));
    const guards = numbers.flatMap((number) =>
      spellings(number, isPossible).flatMap((text) =>
        lists
          .filter(({ longest }) => mayHavePhone(longest, text))
          .map(({ id }) => ({ number, key: keys.phone(id, text) })),
      ),
    );
    const found = await this.#database.batchGet(guards.map(({ key }) => key));
    return new Set(guards.flatMap(({ number }, i) => (found[i] === undefined ? [] : [number])));
  }

  #facts = (task: Task, contact: Contact | undefined, now: Instant) => ({
    schedule: { ...task, callingHours: this.#serviceHours.callingHours },
    serviceZone: this.#serviceHours.zone,
    filter: task.contactFilter,
    contact,
    now,
  });
}

const phoneNumbersOf = (contacts: readonly (Contact | undefined)[]): string[] =>
  contacts.flatMap((contact) => contact?.phoneNumber ?? []);
