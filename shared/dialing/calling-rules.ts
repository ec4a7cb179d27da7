import { contactOfItem } from '../contacts/contact-items.ts';
import { readFieldNames, readNames } from '../contacts/data-sources.ts';
import { readDirectories } from '../contacts/directory.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import { doNotCall } from '../contacts/rules/data-source.ts';
import { ownTimeFields, ownTimesOf } from '../contacts/rules/own-times.ts';
import { type LongestPhones, mayHavePhone, type Numbering } from '../contacts/rules/phone-number.ts';
import { allEnded } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { ownZoneOf, type ServiceHours, zoneField } from '../platform/time/schedule.ts';
import type { Instant } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import { hasRests } from '../tasks/rules/task-settings.ts';
import { isLive } from '../tasks/rules/task-states.ts';
import { numberCallId } from './earlier-calls.ts';
import type { NumberCalls, ReadHistory } from './number-calls.ts';
import {
  type EndedNumberCall,
  type NumberHistory,
  type NumberLimits,
  numberHolds,
  withoutCall,
} from './rules/number-limits.ts';
import { placeContact, type WaitingContact } from './rules/task-contact.ts';
import { type ContactStanding, isToBeCalled } from './rules/task-contact-views.ts';
import { type CallDecision, type LastingHold, mayCall, waitFrom } from './rules/waits.ts';

type ExclusionList = { id: string; longest: LongestPhones | undefined };

/** What holds for the contacts of one task beside its own hours. */
export type TaskRules = {
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** Some contacts say from when or until when they may be called. */
  hasOwnTimes: boolean;
  /** The calls to each number are counted, since a limit on them is in force somewhere. */
  isCounting: boolean;
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

/** The limits of the service on calls to one number. */
export type ServiceLimits = Pick<NumberLimits, 'perDay' | 'windows' | 'restAfterSuccess'>;

export const noLimits: ServiceLimits = { perDay: 0, windows: [], restAfterSuccess: 0 };

/** A call that is about to be handed out. */
type LeasedCandidateCall = { seq: number; nonce: string; isCallback: boolean; contact: Contact | undefined };

type RuleSettings = ServiceHours & {
  limits: ServiceLimits;
  numbers: NumberCalls;
  /** ISO 3166 code of the service's country; empty if it has none. */
  country: string;
  phones: () => Promise<Numbering>;
};

/** Reads what decides whether contacts may be called, and asks `mayCall`. */
export class CallingRules {
  readonly #database: Database;
  readonly #serviceHours: ServiceHours;
  readonly #country: string;
  readonly #limits: ServiceLimits;
  readonly #numbers: NumberCalls;
  readonly #phones: () => Promise<Numbering>;

  constructor(database: Database, { zone, callingHours, limits, numbers, country, phones }: RuleSettings) {
    this.#database = database;
    this.#country = country;
    this.#serviceHours = { zone, callingHours };
    this.#limits = limits;
    this.#numbers = numbers;
    this.#phones = phones;
  }

  /** Whether a limit may hold numbers back that the task calls. */
  async areNumbersLimited(task: Task, now: Instant): Promise<boolean> {
    return this.#isLimited(task) || (await this.#numbers.isCounting(now));
  }

  /** How many of the numbers a limit or a rest holds back now. */
  async countHeld(task: Task, phoneNumbers: readonly string[], now: Instant): Promise<number> {
    const { spell } = await this.#phones();
    const histories = await this.#numbers.read(phoneNumbers.map(spell), now);
    const limits = this.#limitsOf(task);
    return histories.filter((history) => numberHolds(history, limits, now, false).length > 0).length;
  }

  /** Whether more than the hours of its task may hold the contact back. */
  async mayHold({ fields }: Contact, now: Instant): Promise<boolean> {
    const isOwn = [zoneField, ...ownTimeFields].some((name) => fields[name] !== undefined);
    return isOwn || (await this.#numbers.isCounting(now));
  }

  /** The limits of the service, or of the task itself, or a rest that its calls may bring. */
  #isLimited({ callLimits = [], restAfterSuccess = 0, dispositions = [] }: Task): boolean {
    const { perDay, windows, restAfterSuccess: rest } = this.#limits;
    const isAny = perDay > 0 || rest > 0 || windows.length > 0;
    return isAny || callLimits.length > 0 || restAfterSuccess > 0 || hasRests({ dispositions });
  }

  #limitsOf({ callLimits = [], restAfterSuccess = 0 }: Task): NumberLimits {
    const { perDay, windows, restAfterSuccess: rest } = this.#limits;
    return {
      perDay,
      zone: this.#serviceHours.zone,
      windows: [...windows, ...callLimits],
      restAfterSuccess: Math.max(rest, restAfterSuccess),
    };
  }

  /** Before the task leases calls: they are counted from now on, if a limit needs it. */
  async #beginCounting(task: Task, now: Instant): Promise<boolean> {
    if (!this.#isLimited(task)) return this.#numbers.isCounting(now);
    await this.#numbers.begin(now);
    return true;
  }

  async of(task: Task, now: Instant): Promise<TaskRules> {
    const [own, exclusionLists, isCounting] = await Promise.all([
      this.#ownFields(task.dataSourceId),
      this.#readLists(listsOf(task)),
      this.#beginCounting(task, now),
    ]);
    return { ...own, exclusionLists, isCounting };
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
    return (await this.#ownFields(dataSourceId)).hasOwnZones;
  }

  async #ownFields(dataSourceId: string): Promise<Pick<TaskRules, 'hasOwnZones' | 'hasOwnTimes'>> {
    const names = await readFieldNames(this.#database, dataSourceId);
    return {
      hasOwnZones: names.includes(zoneField),
      hasOwnTimes: ownTimeFields.some((name) => names.includes(name)),
    };
  }

  /**
   * Before the lease, from reads that may lag: spares the writes of a lease for a contact that has to wait. Only `later`
   * is to be acted on; the lease finds out the rest.
   */
  async preview(
    task: Task,
    { hasOwnZones, hasOwnTimes, isCounting }: TaskRules,
    seqs: readonly number[],
    isCallback: boolean,
    now: Instant,
  ): Promise<CallDecision[]> {
    if (!hasOwnZones && !hasOwnTimes && !isCounting) return seqs.map(() => ({ is: 'call' }));
    const read = seqs.map((seq) => keys.contact(task.dataSourceId, seq));
    const items = await this.#database.lagging.batchGet(read);
    const contacts = items.map((item) => item && contactOfItem(task.dataSourceId, item));
    const histories = isCounting
      ? await this.#historiesOf(contacts, (numbers) => this.#numbers.readStored(numbers))
      : undefined;
    const limits = this.#limitsOf(task);
    return contacts.map((contact, i) => {
      const history = histories?.[i];
      const held = history && numberHolds(history, limits, now, isCallback);
      return mayCall({ ...this.#facts(task, now), contact, hasOwnZones, limits: held });
    });
  }

  /**
   * After the lease, from the contacts as they are now. A call that may be made is counted for its number. Two dialers
   * that lease contacts with the same number both count, and the limit refuses one of them.
   */
  async decideAndCount(
    task: Task,
    { exclusionLists, hasOwnZones, isCounting }: TaskRules,
    calls: readonly LeasedCandidateCall[],
    now: Instant,
  ): Promise<CallDecision[]> {
    const contacts = calls.map(({ contact }) => contact);
    const [excluded, histories] = await Promise.all([
      this.#areExcluded(contacts.map((contact) => ({ contact, lists: exclusionLists }))),
      isCounting ? this.#historiesOf(contacts, (numbers) => this.#numbers.read(numbers, now)) : undefined,
    ]);
    const limits = this.#limitsOf(task);
    const { spell } = await this.#phones();
    const decisions = calls.map(async ({ contact, isCallback, ...call }, i) => {
      const facts = { ...this.#facts(task, now), contact, hasOwnZones, isExcluded: excluded[i]! };
      const decision = mayCall(facts);
      const history = histories?.[i];
      if (contact === undefined || history === undefined || decision.is !== 'call') return decision;
      const held = await this.#numbers.add(
        spell(contact.phoneNumber),
        { id: numberCallId(call), time: now },
        (latest) => numberHolds(latest, limits, now, isCallback),
        now,
        history,
      );
      return mayCall({ ...facts, limits: held });
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
    const [lists, histories] = await Promise.all([
      this.#readLists([...new Set(open.flatMap(({ task }) => listsOf(task)))]),
      this.#readLimited(open, contacts, now),
    ]);
    const excluded = await this.#areExcluded(
      open.map(({ task, contact }) => ({
        contact,
        lists: listsAmong(lists, task),
      })),
    );
    const holds = open.map(({ task, contact, standing: { is, held = [] } }, i) => {
      const facts = { ...this.#facts(task, now), contact, isExcluded: excluded[i]! };
      const history = histories?.[i];
      const limits = history ? numberHolds(history, this.#limitsOf(task), now, is === 'callback') : [];
      const decision = mayCall({ ...facts, limits: [...held, ...limits] });
      if (decision.is === 'call') return [];
      return decision.is === 'later' ? decision.holds : undefined;
    });
    const known = new Map(open.map((each, i) => [each, holds[i]]));
    return asked.map((each) => known.get(each));
  }

  /** Nothing is read where no limit is in force. */
  async #readLimited(
    asked: readonly { task: Task }[],
    contacts: readonly (Contact | undefined)[],
    now: Instant,
  ): Promise<(ReadHistory | undefined)[] | undefined> {
    const areLimited =
      asked.length > 0 &&
      (asked.some(({ task }) => this.#isLimited(task)) || (await this.#numbers.isCounting(now)));
    return areLimited
      ? this.#historiesOf(contacts, (numbers) => this.#numbers.read(numbers, now))
      : undefined;
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
    // A contact that is known says itself what its place depends on.
    const { hasOwnZones, hasOwnTimes } =
      known === undefined
        ? await this.#ownFields(task.dataSourceId)
        : { hasOwnZones: false, hasOwnTimes: false };
    const areLimited = await this.areNumbersLimited(task, now);
    if (known === undefined && !hasOwnZones && !hasOwnTimes && !areLimited) return [...waiting];
    const contacts = known ?? (await this.#contactsOf(waiting));
    const histories = await this.#readLimited([{ task }], contacts, now);
    return waiting.map((taskContact, i) => {
      const { own } = taskContact;
      const contact = contacts[i];
      const zone = contact && ownZoneOf(contact.fields);
      const times = contact && ownTimesOf(contact.fields, this.#serviceHours.zone);
      const history = histories?.[i];
      const counted = history && released ? withoutCall(history, released) : history;
      const limits = counted && numberHolds(counted, this.#limitsOf(task), now, taskContact.isCallback);
      const facts = { ...this.#facts(task, now), own, limits, zone, hasOwnZones, times };
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
  async uncount(dataSourceId: string, call: { seq: number; nonce: string }, now: Instant): Promise<void> {
    if (!(await this.#numbers.isCounting(now))) return;
    const item = await this.#database.get(keys.contact(dataSourceId, call.seq));
    if (item === undefined) return;
    const { spell } = await this.#phones();
    await this.#numbers.remove(spell(contactOfItem(dataSourceId, item).phoneNumber), numberCallId(call), now);
  }

  /** A call to the number has ended: the rest that follows from it begins. */
  async noteEnd(task: Task, phoneNumber: string, call: EndedNumberCall, now: Instant): Promise<void> {
    if (!(await this.#beginCounting(task, now))) return;
    const { spell } = await this.#phones();
    await this.#numbers.end(spell(phoneNumber), call, now);
  }

  /** In the order of the contacts. Contacts whose numbers are spelled differently have one history. */
  async #historiesOf<H extends NumberHistory>(
    contacts: readonly (Contact | undefined)[],
    read: (numbers: readonly string[]) => Promise<H[]>,
  ): Promise<(H | undefined)[]> {
    const { spell } = await this.#phones();
    const numbers = contacts.map((contact) => contact && spell(contact.phoneNumber));
    const different = [...new Set(numbers.filter((number) => number !== undefined))];
    const histories = await read(different);
    const historyOf = new Map(different.map((number, i) => [number, histories[i]]));
    return numbers.map((number) => (number === undefined ? undefined : historyOf.get(number)));
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
