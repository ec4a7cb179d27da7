import { contactOfItem } from '../contacts/contact-items.ts';
import { readFieldNames } from '../contacts/data-sources.ts';
import type { Contact } from '../contacts/rules/contact.ts';
import { ownTimeFields, ownTimesOf } from '../contacts/rules/own-times.ts';
import type { Numbering } from '../contacts/rules/phone-number.ts';
import { allEnded } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { ownZoneOf, type ServiceHours, zoneField } from '../platform/time/schedule.ts';
import type { Instant } from '../platform/time/time.ts';
import { hasRests } from '../tasks/rules/dispositions.ts';
import type { Task } from '../tasks/rules/task.ts';
import { isLive } from '../tasks/rules/task-states.ts';
import { numberCallId } from './earlier-calls.ts';
import { type ExclusionList, ExclusionLists, listsAmong, listsOf } from './exclusion-lists.ts';
import type { NumberCalls, ReadHistory } from './number-calls.ts';
import { type EndedNumberCall, type NumberLimits, numberHolds, withoutCall } from './rules/number-limits.ts';
import { placeContact, type WaitingContact } from './rules/task-contact.ts';
import { type ContactStanding, isToBeCalled } from './rules/task-contact-views.ts';
import { type CallDecision, type LastingHold, mayCall, waitFrom } from './rules/waits.ts';

/** What applies to the contacts of one task besides its own hours. */
export type TaskConditions = {
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** Some contacts have a `callAfter` or `callBefore`. */
  hasOwnTimes: boolean;
  /** The calls to each number are counted, because some limit applies to them. */
  isCounting: boolean;
  /** The exclusion lists that have contacts. */
  exclusionLists: readonly ExclusionList[];
};

/** A contact of a task that an operator looks at. */
type StandingContact = {
  task: Task;
  /** `undefined`: the contact was deleted. */
  contact: Contact | undefined;
  standing: Pick<ContactStanding, 'is' | 'held'>;
};

/** The limits of the service on calls to one number. */
export type ServiceLimits = Pick<NumberLimits, 'perDay' | 'windows' | 'restAfterSuccess'>;

export const noLimits: ServiceLimits = { perDay: 0, windows: [], restAfterSuccess: 0 };

/** `histories`: what was read of the phone numbers, by their text. */
export type Preview = { decisions: CallDecision[]; histories: ReadonlyMap<string, ReadHistory> };

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
  readonly #exclusions: ExclusionLists;

  constructor(database: Database, { zone, callingHours, limits, numbers, country, phones }: RuleSettings) {
    this.#database = database;
    this.#country = country;
    this.#serviceHours = { zone, callingHours };
    this.#limits = limits;
    this.#numbers = numbers;
    this.#phones = phones;
    this.#exclusions = new ExclusionLists(database, phones);
  }

  /** Whether a limit may hold numbers of the task back. */
  async areNumbersLimited(task: Task, now: Instant): Promise<boolean> {
    return this.#isLimited(task) || (await this.#numbers.isCounting(now));
  }

  /** Reads whether calls are counted, before that is needed. */
  async prepare(now: Instant): Promise<void> {
    await this.#numbers.isCounting(now);
  }

  /** How many of the numbers a limit or a rest holds back now. */
  async countHeld(task: Task, phoneNumbers: readonly string[], now: Instant): Promise<number> {
    const { spell } = await this.#phones();
    const histories = await this.#numbers.read(phoneNumbers.map(spell), now);
    const limits = this.#limitsOf(task);
    return histories.filter((history) => numberHolds(history, limits, now, false).length > 0).length;
  }

  /** Whether something other than the hours of its task may hold the contact back. */
  async mayHold({ fields }: Contact, now: Instant): Promise<boolean> {
    const isOwn = [zoneField, ...ownTimeFields].some((name) => fields[name] !== undefined);
    return isOwn || (await this.#numbers.isCounting(now));
  }

  /** Whether limits of the service or of the task apply, or a rest that its calls may cause. */
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

  /**
   * Called before the task leases calls, and when it is adjusted. If a limit needs it, calls are
   * counted from now on.
   */
  async beginCounting(task: Task, now: Instant): Promise<boolean> {
    if (!this.#isLimited(task)) return this.#numbers.isCounting(now);
    await this.#numbers.begin(now);
    return true;
  }

  async of(task: Task, now: Instant): Promise<TaskConditions> {
    const [own, exclusionLists, isCounting] = await Promise.all([
      this.#ownFields(task.dataSourceId),
      this.#exclusions.read(listsOf(task)),
      this.beginCounting(task, now),
    ]);
    return { ...own, exclusionLists, isCounting };
  }

  async hasOwnZones(dataSourceId: string): Promise<boolean> {
    return (await this.#ownFields(dataSourceId)).hasOwnZones;
  }

  async #ownFields(dataSourceId: string): Promise<Pick<TaskConditions, 'hasOwnZones' | 'hasOwnTimes'>> {
    const names = await readFieldNames(this.#database, dataSourceId);
    return {
      hasOwnZones: names.includes(zoneField),
      hasOwnTimes: ownTimeFields.some((name) => names.includes(name)),
    };
  }

  /**
   * Called before the lease, with reads that may lag. It saves the writes of a lease for a contact
   * that has to wait. Only the decision `later` is used; the lease makes all others.
   */
  async preview(
    task: Task,
    { hasOwnZones, hasOwnTimes, isCounting }: TaskConditions,
    seqs: readonly number[],
    isCallback: boolean,
    now: Instant,
  ): Promise<Preview> {
    if (!hasOwnZones && !hasOwnTimes && !isCounting)
      return { decisions: seqs.map(() => ({ is: 'call' })), histories: new Map() };
    const read = seqs.map((seq) => keys.contact(task.dataSourceId, seq));
    const items = await this.#database.lagging.batchGet(read);
    const contacts = items.map((item) => item && contactOfItem(task.dataSourceId, item));
    const histories: Preview['histories'] = isCounting
      ? await this.#historiesOf(contacts, (numbers) => this.#numbers.read(numbers, now, true))
      : new Map();
    const limits = this.#limitsOf(task);
    const decisions = contacts.map((contact) => {
      const history = contact && histories.get(contact.phoneNumber);
      const held = history && numberHolds(history, limits, now, isCallback);
      return mayCall({ ...this.#facts(task, now), contact, hasOwnZones, limits: held });
    });
    return { decisions, histories };
  }

  /**
   * Called after the lease, with the contacts as they are now. A call that may be made is counted
   * for its number. If two dialers lease contacts with the same number, both count, and the limit
   * refuses one of them. `known`: what the preview has read of the numbers.
   */
  async decideAndCount(
    task: Task,
    { exclusionLists, hasOwnZones, isCounting }: TaskConditions,
    calls: readonly LeasedCandidateCall[],
    known: Preview['histories'],
    now: Instant,
  ): Promise<CallDecision[]> {
    const contacts = calls.map(({ contact }) => contact);
    const unknown = contacts.filter((contact) => contact && !known.has(contact.phoneNumber));
    const [excluded, read] = await Promise.all([
      this.#exclusions.areExcluded(contacts.map((contact) => ({ contact, lists: exclusionLists }))),
      isCounting
        ? this.#historiesOf(unknown, (numbers) => this.#numbers.read(numbers, now))
        : new Map<string, ReadHistory>(),
    ]);
    const limits = this.#limitsOf(task);
    const { spell } = await this.#phones();
    const decisions = calls.map(async ({ contact, isCallback, ...call }, i) => {
      const facts = { ...this.#facts(task, now), contact, hasOwnZones, isExcluded: excluded[i]! };
      const decision = mayCall(facts);
      if (contact === undefined || decision.is !== 'call' || !isCounting) return decision;
      const held = await this.#numbers.add(
        spell(contact.phoneNumber),
        { id: numberCallId(call), time: now },
        (latest) => numberHolds(latest, limits, now, isCallback),
        now,
        known.get(contact.phoneNumber) ?? read.get(contact.phoneNumber),
      );
      return mayCall({ ...facts, limits: held });
    });
    return allEnded(decisions);
  }

  /**
   * What holds each contact back now; the rule that ends last is the last one. Only contacts that
   * are to be called cost reads.
   * @returns for each contact, an empty list if it can be called; undefined if it is not to be
   *   called
   */
  async holdsOf(
    asked: readonly StandingContact[],
    now: Instant,
  ): Promise<(readonly LastingHold[] | undefined)[]> {
    const open = asked.filter(({ task, standing }) => isLive(task.status) && isToBeCalled(standing));
    const contacts = open.map(({ contact }) => contact);
    const [lists, histories] = await Promise.all([
      this.#exclusions.read([...new Set(open.flatMap(({ task }) => listsOf(task)))]),
      this.#readLimited(open, contacts, now),
    ]);
    const excluded = await this.#exclusions.areExcluded(
      open.map(({ task, contact }) => ({
        contact,
        lists: listsAmong(lists, task),
      })),
    );
    const holds = open.map(({ task, contact, standing: { is, held = [] } }, i) => {
      const facts = { ...this.#facts(task, now), contact, isExcluded: excluded[i]! };
      const history = contact && histories?.get(contact.phoneNumber);
      const limits = history ? numberHolds(history, this.#limitsOf(task), now, is === 'callback') : [];
      const decision = mayCall({ ...facts, limits: [...held, ...limits] });
      if (decision.is === 'call') return [];
      return decision.is === 'later' ? decision.holds : undefined;
    });
    const known = new Map(open.map((each, i) => [each, holds[i]]));
    return asked.map((each) => known.get(each));
  }

  /** Reads nothing if no limit applies. */
  async #readLimited(
    asked: readonly { task: Task }[],
    contacts: readonly (Contact | undefined)[],
    now: Instant,
  ): Promise<ReadonlyMap<string, ReadHistory> | undefined> {
    const areLimited =
      asked.length > 0 &&
      (asked.some(({ task }) => this.#isLimited(task)) || (await this.#numbers.isCounting(now)));
    return areLimited
      ? this.#historiesOf(contacts, (numbers) => this.#numbers.read(numbers, now))
      : undefined;
  }

  /**
   * Puts contacts that begin to wait at the place in line that the rules give them. `known`: the
   * contacts, if they were read already. `released`: a call that does not count.
   */
  async place(
    task: Task,
    waiting: readonly WaitingContact[],
    now: Instant,
    { known, released }: { known?: readonly (Contact | undefined)[]; released?: string } = {},
  ): Promise<WaitingContact[]> {
    // A contact that is known shows what its place depends on.
    const { hasOwnZones, hasOwnTimes } =
      known === undefined
        ? await this.#ownFields(task.dataSourceId)
        : { hasOwnZones: false, hasOwnTimes: false };
    const areLimited = await this.#numbers.isCounting(now);
    if (known === undefined && !hasOwnZones && !hasOwnTimes && !areLimited) return [...waiting];
    const contacts = known ?? (await this.#contactsOf(waiting));
    const histories = areLimited
      ? await this.#historiesOf(contacts, (numbers) => this.#numbers.read(numbers, now))
      : undefined;
    return waiting.map((taskContact, i) => {
      const { own } = taskContact;
      const contact = contacts[i];
      const zone = contact && ownZoneOf(contact.fields);
      const times = contact && ownTimesOf(contact.fields, this.#serviceHours.zone);
      const history = contact && histories?.get(contact.phoneNumber);
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

  /** The call was given back, and does not count for its number, unless the number was changed. */
  async uncount(dataSourceId: string, call: { seq: number; nonce: string }, now: Instant): Promise<void> {
    if (!(await this.#numbers.isCounting(now))) return;
    const item = await this.#database.get(keys.contact(dataSourceId, call.seq));
    if (item === undefined) return;
    const { spell } = await this.#phones();
    await this.#numbers.remove(spell(contactOfItem(dataSourceId, item).phoneNumber), numberCallId(call), now);
  }

  /** A call to the number has ended. The rest that follows from it begins. */
  async noteEnd(phoneNumber: string, call: EndedNumberCall, now: Instant): Promise<void> {
    if (!(await this.#numbers.isCounting(now))) return;
    const { spell } = await this.#phones();
    await this.#numbers.end(spell(phoneNumber), call, now);
  }

  /** By the numbers of the contacts. Different spellings of a number have one history. */
  async #historiesOf(
    contacts: readonly (Contact | undefined)[],
    read: (numbers: readonly string[]) => Promise<ReadHistory[]>,
  ): Promise<ReadonlyMap<string, ReadHistory>> {
    const { spell } = await this.#phones();
    const texts = [...new Set(contacts.flatMap((contact) => contact?.phoneNumber ?? []))];
    const numbers = [...new Set(texts.map(spell))];
    const histories = await read(numbers);
    return new Map(texts.map((text) => [text, histories[numbers.indexOf(spell(text))]!]));
  }

  /** Adds the exclusion lists that have the number of each blocked contact now. */
  withLists: ExclusionLists['withLists'] = (asked) => this.#exclusions.withLists(asked);

  #facts = (task: Task, now: Instant) => ({
    schedule: { ...task, callingHours: this.#serviceHours.callingHours },
    serviceZone: this.#serviceHours.zone,
    country: this.#country,
    filter: task.contactFilter,
    now,
  });
}
