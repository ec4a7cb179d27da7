import { contactOfItem } from '../contacts/contact-items.ts';
import { readFieldNames, readNames } from '../contacts/data-sources.ts';
import { readDirectories } from '../contacts/directory.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import { doNotCall } from '../contacts/rules/data-source.ts';
import { type LongestPhones, mayHavePhone, type Numbering } from '../contacts/rules/phone-number.ts';
import { allEnded } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { ownZoneOf, type ServiceHours, zoneField } from '../platform/time/schedule.ts';
import type { Instant } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import { isLive } from '../tasks/rules/task-states.ts';
import { CallsOfDay, type CountOptions } from './calls-of-day.ts';
import { placeContact, type WaitingContact } from './rules/task-contact.ts';
import { type ContactStanding, isToBeCalled } from './rules/task-contact-views.ts';
import { type CallDecision, type Hold, type LastingHold, mayCall, waitFrom } from './rules/waits.ts';

type ExclusionList = { id: string; longest: LongestPhones | undefined };

/** What holds for the contacts of one task beside its own hours. */
export type TaskRules = {
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** The exclusion lists that have contacts. */
  exclusionLists: readonly ExclusionList[];
};

/** A contact of a task, of which an operator asks when it is called. */
type StandingContact = {
  task: Task;
  /** `undefined`: the contact was deleted. */
  contact: Contact | undefined;
  standing: Pick<ContactStanding, 'is' | 'held'>;
};

type BlockedStanding = { task: Task; contact: Contact | undefined; standing: ContactStanding };

/** A contact, and the lists that its number is looked up in. */
type LookedUp = { contact: Contact | undefined; lists: readonly ExclusionList[] };

type RuleSettings = ServiceHours & {
  /** Calls to one phone number in one day of the service, in all tasks; 0: no limit. */
  callsPerNumber: number;
  /** ISO 3166 code of the service's country; empty if it has none. */
  country: string;
  phones: () => Promise<Numbering>;
};

/** Reads what decides whether contacts may be called, and asks `mayCall`. */
export class CallingRules {
  readonly #database: Database;
  readonly #serviceHours: ServiceHours;
  readonly #country: string;
  readonly #calls: CallsOfDay;
  readonly #phones: () => Promise<Numbering>;

  constructor(database: Database, { zone, callingHours, callsPerNumber, country, phones }: RuleSettings) {
    this.#database = database;
    this.#country = country;
    this.#serviceHours = { zone, callingHours };
    this.#calls = new CallsOfDay(database, zone, callsPerNumber);
    this.#phones = phones;
  }

  /** Whether a limit may hold a number back. */
  get areNumbersLimited(): boolean {
    return this.#calls.areLimited;
  }

  /** Whether more than the hours of its task may hold the contact back. */
  mayHold({ fields }: Contact): boolean {
    return this.#calls.areLimited || ownZoneOf(fields) !== undefined;
  }

  async of(task: Task): Promise<TaskRules> {
    const [hasOwnZones, exclusionLists] = await Promise.all([
      this.hasOwnZones(task.dataSourceId),
      this.#readLists(listsOf(task)),
    ]);
    return { hasOwnZones, exclusionLists };
  }

  /** Without the lists that have no contacts. */
  async #readLists(ids: readonly string[]): Promise<ExclusionList[]> {
    const directories = await readDirectories(this.#database, ids);
    return ids.flatMap((id, i) => {
      const { total, longest } = directories[i]!;
      return total > 0 ? [{ id, longest }] : [];
    });
  }

  async hasOwnZones(dataSourceId: string): Promise<boolean> {
    return (await readFieldNames(this.#database, dataSourceId)).includes(zoneField);
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
    const limits = await this.#limitsOf(contacts, now, { mayLag: true });
    return contacts.map((contact, i) =>
      mayCall({ ...this.#facts(task, now), contact, hasOwnZones, limits: limits[i] }),
    );
  }

  /**
   * After the lease, from the contacts as they are now. A call that may be made is counted for its number. Two dialers
   * that lease contacts with the same number both count, and the limit refuses one of them.
   */
  async decideAndCount(
    task: Task,
    { exclusionLists, hasOwnZones }: TaskRules,
    calls: readonly { callId: string; contact: Contact | undefined }[],
    now: Instant,
  ): Promise<CallDecision[]> {
    const contacts = calls.map(({ contact }) => contact);
    const [excluded, counted] = await Promise.all([
      this.#areExcluded(contacts.map((contact) => ({ contact, lists: exclusionLists }))),
      this.#countedSpellings(contacts),
    ]);
    const decisions = calls.map(async ({ callId, contact }, i) => {
      const facts = { ...this.#facts(task, now), contact, hasOwnZones, isExcluded: excluded[i]! };
      const decision = mayCall(facts);
      if (contact === undefined || decision.is !== 'call') return decision;
      const spelling = counted.get(contact.phoneNumber);
      if (spelling === undefined || (await this.#calls.count(spelling, callId, now))) return decision;
      return mayCall({ ...facts, limits: [this.#calls.holdAt(now)] });
    });
    return allEnded(decisions);
  }

  /**
   * What holds each contact back now, the rule that ends last at the end. Empty for one that can be called; `undefined` for one
   * that is not to be called. Only contacts that are to be called cost reads.
   */
  async holdsOf(
    asked: readonly StandingContact[],
    now: Instant,
  ): Promise<(readonly LastingHold[] | undefined)[]> {
    const open = asked.filter(({ task, standing }) => isLive(task.status) && isToBeCalled(standing));
    const contacts = open.map(({ contact }) => contact);
    const [lists, limits] = await Promise.all([
      this.#readLists([...new Set(open.flatMap(({ task }) => listsOf(task)))]),
      this.#limitsOf(contacts, now),
    ]);
    const excluded = await this.#areExcluded(
      open.map(({ task, contact }) => ({
        contact,
        lists: listsAmong(lists, task),
      })),
    );
    const holds = open.map(({ task, contact, standing: { held = [] } }, i) => {
      const facts = { ...this.#facts(task, now), contact, isExcluded: excluded[i]! };
      const decision = mayCall({ ...facts, limits: [...held, ...limits[i]!] });
      if (decision.is === 'call') return [];
      return decision.is === 'later' ? decision.holds : undefined;
    });
    const known = new Map(open.map((each, i) => [each, holds[i]]));
    return asked.map((each) => known.get(each));
  }

  /**
   * Contacts that begin to wait, each at the place in line that the rules give it. `known`: the contacts, where they were read
   * already. `released`: a call that does not count.
   */
  async place(
    task: Task,
    waiting: readonly WaitingContact[],
    now: Instant,
    { known, released }: { known?: readonly (Contact | undefined)[]; released?: string } = {},
  ): Promise<WaitingContact[]> {
    const hasOwnZones = known === undefined && (await this.hasOwnZones(task.dataSourceId));
    if (known === undefined && !hasOwnZones && !this.#calls.areLimited) return [...waiting];
    const contacts = known ?? (await this.#contactsOf(waiting));
    const limits = await this.#limitsOf(contacts, now, { released });
    return waiting.map((taskContact, i) => {
      const { own } = taskContact;
      const contact = contacts[i];
      const zone = contact && ownZoneOf(contact.fields);
      const facts = { ...this.#facts(task, now), own, limits: limits[i], zone, hasOwnZones };
      const wait = contact && waitFrom(facts);
      return placeContact(taskContact, wait?.place ?? { due: own.until, reason: own.reason, zone }, now);
    });
  }

  async #contactsOf(waiting: readonly WaitingContact[]): Promise<(Contact | undefined)[]> {
    const items = await this.#database.batchGet(
      waiting.map(({ dataSourceId, seq }) => keys.contact(dataSourceId, seq)),
    );
    return items.map((item, i) => item && contactOfItem(waiting[i]!.dataSourceId, item));
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
    const numbers = contacts.flatMap((contact) => contact?.phoneNumber ?? []);
    return new Map(numbers.map((number) => [number, spell(number)]));
  }

  /** The limits that hold the number of each contact back. */
  async #limitsOf(
    contacts: readonly (Contact | undefined)[],
    now: Instant,
    options: CountOptions = {},
  ): Promise<Hold[][]> {
    const counted = await this.#countedSpellings(contacts);
    const holds = await this.#calls.holds([...new Set(counted.values())], now, options);
    return contacts.map((contact) => holds.get(counted.get(contact?.phoneNumber ?? '') ?? '') ?? []);
  }

  /** With the exclusion lists that have the number of each blocked contact now. Others cost no reads. */
  async withLists<S extends BlockedStanding>(asked: readonly S[]): Promise<S['standing'][]> {
    const blocked = asked.filter(({ standing }) => standing.is === 'blocked');
    if (blocked.length === 0) return asked.map(({ standing }) => standing);
    const ids = [...new Set(blocked.flatMap(({ task }) => listsOf(task)))];
    const [lists, names] = await Promise.all([this.#readLists(ids), readNames(this.#database, ids)]);
    const found = await this.#listsOfEach(
      blocked.map(({ task, contact }) => ({ contact, lists: listsAmong(lists, task) })),
    );
    const shown = (at: number) =>
      ids
        .filter((id) => found[at]!.has(id))
        .map((id) => ({ dataSourceId: id, dataSourceName: names.get(id) ?? '' }));
    const blockedBy = new Map(blocked.map((each, at) => [each, shown(at)]));
    return asked.map((each) => ({ ...each.standing, blockedBy: blockedBy.get(each) ?? [] }));
  }

  async #areExcluded(asked: readonly LookedUp[]): Promise<boolean[]> {
    return (await this.#listsOfEach(asked)).map(({ size }) => size > 0);
  }

  /**
   * The ids of the lists that have the number of each contact. A list holds a number under any spelling: it may have been
   * stored before the service had a country.
   */
  async #listsOfEach(asked: readonly LookedUp[]): Promise<ReadonlySet<string>[]> {
    if (asked.every(({ lists }) => lists.length === 0)) return asked.map(() => new Set());
    const { spellings } = await this.#phones();
    const guards = asked.flatMap(({ contact, lists }, at) => {
      const isPossible = (text: string) => lists.some(({ longest }) => mayHavePhone(longest, text));
      const texts = contact === undefined ? [] : spellings(contact.phoneNumber, isPossible);
      return texts.flatMap((text) =>
        lists
          .filter(({ longest }) => mayHavePhone(longest, text))
          .map(({ id }) => ({ at, id, key: keys.phone(id, text) })),
      );
    });
    const found = await this.#database.batchGet(guards.map(({ key }) => key));
    const listed = guards.filter((_, i) => found[i] !== undefined);
    const lists = asked.map(() => new Set<string>());
    for (const { at, id } of listed) lists[at]!.add(id);
    return lists;
  }

  #facts = (task: Task, now: Instant) => ({
    schedule: { ...task, callingHours: this.#serviceHours.callingHours },
    serviceZone: this.#serviceHours.zone,
    country: this.#country,
    filter: task.contactFilter,
    now,
  });
}

const listsAmong = (lists: readonly ExclusionList[], task: Task): ExclusionList[] =>
  lists.filter(({ id }) => listsOf(task).includes(id));

/** The exclusion lists of a task. */
const listsOf = ({ excludedDataSourceIds = [] }: Task): string[] => [doNotCall.id, ...excludedDataSourceIds];
