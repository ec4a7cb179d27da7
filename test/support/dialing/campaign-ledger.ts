import type { Schedule } from '../../../shared/platform/time/schedule.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { firstOpenMinute, isOpen } from './slow-schedule.ts';

/** The zone of the service: its hours begin at half past the hours of UTC. */
export const zone = 'Asia/Kolkata';
export const shown = timeIn(zone);
export const timeOf = (instant: number | null | undefined) => (instant == null ? null : shown(instant));
export const instantOf = (time: string) => Date.parse(`${time.replace(' ', 'T')}+05:30`);
const [second, minute, hour] = [1000, 60_000, 3_600_000];

export type Outcome = 'success' | 'failed' | 'noAnswer';
export const standings = [
  ...['notDialed', 'inCall', 'waiting', 'callback', 'success', 'failed', 'noAnswer', 'blocked'],
  'notSelected',
] as const;
type Standing = string;
/** A contact that was deleted before the task took it up, or that the task has found deleted. */
const none = 'none';

export type Person = {
  id: string;
  phone: string;
  fields: Record<string, string>;
  createTime: number;
  isDeleted: boolean;
};
export type Result = {
  callId: string;
  person: Person;
  phone: string;
  startTime: number;
  time: number;
  outcome: Outcome;
  reason: string | null;
  duration: number;
  disposition: string | null;
  final: boolean;
  callbackTime: number | null;
  doNotCall: boolean;
  attempt: number;
  details: { summary?: string; recordingUrl?: string; providerCallId?: string; data?: { mood: number } };
};
type Lease = {
  callId: string;
  phone: string;
  time: number;
  until: number;
  attempt: number;
  isFirst: boolean;
  from: Standing;
};
/** Why a task does not call, and when it may. */
type Dialing = { reason: string | null; nextTime: number | null; limit: string | null };
const says = (
  reason: string | null,
  nextTime: number | null = null,
  more: Partial<Dialing> = {},
): Dialing => ({
  reason,
  nextTime,
  limit: null,
  ...more,
});

/** What an overview says of those who are still to be called. */
export type FoundWaits = {
  contacts: Record<'callable' | 'callbacks' | 'callbacksMoved' | 'inCall' | 'notDialed' | 'waiting', number>;
  waits: { reason: string | null; count: number; from: string | null; to: string | null }[];
};

/** When fewer than `most` calls count, each until its end; `undefined`: now, or there is no limit. */
const roomFrom = (ends: readonly number[], most: number | null, now: number): number | undefined => {
  const counted = ends.filter((end) => end > now).sort((a, b) => a - b);
  return most === null ? undefined : counted[counted.length - most];
};

/** What one task did with one contact. */
export class Entry {
  /** What its standing may be. Only the service knows how far a lease has looked; each row narrows it to one. */
  may = new Set<Standing>(['notDialed']);
  results: Result[] = [];
  attempts = 0;
  /** It was never called, and a recall named it. */
  isRecalled = false;
  /** It is part of a recall of all failed contacts, and may not be queued yet. */
  isPending = false;
  callbacks = 0;
  /** The latest lease, until its result or release. */
  lease: (Lease & { isRecalled?: boolean }) | undefined;

  is = (...some: Standing[]) => [...this.may].every((each) => some.includes(each));
  mayBe = (standing: Standing) => this.may.has(standing);
  isInCall = (now: number) => this.lease !== undefined && this.lease.until > now && this.is('inCall');
  get lastOutcome(): Outcome | undefined {
    return this.results.at(-1)?.outcome;
  }
  /** How it stands while it waits for its next call. */
  get inLine(): Standing {
    return this.lastOutcome !== undefined || this.isRecalled ? 'waiting' : 'notDialed';
  }
  /** How it may stand once its task makes no calls any more. */
  get atEnd(): Standing[] {
    const settled = (standing: Standing) => !['notDialed', 'waiting', 'callback'].includes(standing);
    const ended = [...this.may].map((each) => (settled(each) ? each : (this.lastOutcome ?? 'notDialed')));
    return [...new Set(ended)];
  }
}

export type Filter = { field: string; is: 'equal' | 'notEmpty' | 'notEqual'; value?: string }[];
export type Rules = Schedule & {
  taskName: string;
  callInterval: number;
  maxDialCount: number;
  contactFilter: Filter;
  excludedDataSourceIds: string[];
  keepOpen: boolean;
  dispositions: { code: string; label: string }[];
  callsPerMinute: number | null;
  maxConcurrentCalls: number | null;
  priority: number;
};

const isSelected = (filter: Filter, { fields }: Person): boolean =>
  filter.every(({ field, is, value }) => {
    if (is === 'notEmpty') return (fields[field] ?? '') !== '';
    return (fields[field] === value) === (is === 'equal');
  });

/** Everything that was done in a campaign and that the service has acknowledged. */
export class Ledger {
  readonly people: Person[] = [];
  readonly tasks: TaskLedger[] = [];
  readonly lists = new Map<string, { name: string; phones: Map<string, string> }>();
  readonly callsPerDay: number;
  /** Leases by phone number and day. A call that was released does not count. */
  readonly leases = new Map<string, number>();
  /** A contact has, or once had, a time zone of its own. */
  hasOwnZones = false;
  /** How often contacts were added, changed or deleted. */
  changes = 0;

  constructor(callsPerDay: number) {
    this.callsPerDay = callsPerDay;
  }
  get live(): Person[] {
    return this.people.filter(({ isDeleted }) => !isDeleted);
  }
  #day = (phone: string, at: number) => `${phone} ${shown(at).slice(0, 10)}`;
  countLease(phone: string, at: number, by: number) {
    const day = this.#day(phone, at);
    this.leases.set(day, (this.leases.get(day) ?? 0) + by);
  }
  isSpent = (phone: string, at: number) =>
    this.callsPerDay > 0 && (this.leases.get(this.#day(phone, at)) ?? 0) >= this.callsPerDay;
}

export class TaskLedger {
  readonly id: string;
  readonly #ledger: Ledger;
  rules: Rules;
  status = 0;
  startTime: number | undefined;
  readonly entries = new Map<Person, Entry>();
  readonly results: Result[] = [];
  /** When dialers asked for calls of the task, or of any task. `isOwn`: its contacts were looked for. `isNamed`: by its id. */
  readonly asks: { time: number; isOwn: boolean; isNamed: boolean }[] = [];
  /** When calls were leased since it has a limit of calls per minute. */
  #paced: number[] = [];
  /** When the channels of its calls are free by themselves, by call. */
  readonly #channels = new Map<string, number>();
  /** When it was changed last, and when it ended: between the two times. */
  changed: [number, number] | undefined;
  endTime: [number, number] | undefined;
  /** The filter of the last pre-flight, and how often contacts had changed by then. */
  #counted: { filter: string; changes: number } | undefined;
  /** How often contacts had changed when the task ended. */
  #changesAtEnd = 0;
  /** Contacts that do not match may be looked at again. */
  isReviewed = false;
  /** Contacts that the task had taken up and that were deleted before it ended. */
  #deletedBefore = 0;

  constructor(id: string, ledger: Ledger, rules: Rules) {
    this.id = id;
    this.#ledger = ledger;
    this.rules = rules;
  }
  get isOver(): boolean {
    return this.status >= 3;
  }
  #now = () => ({
    filter: JSON.stringify(this.rules.contactFilter),
    changes: this.isOver ? this.#changesAtEnd : this.#ledger.changes,
  });
  count() {
    if (!this.isOver) this.#counted = this.#now();
  }
  /** A pre-flight has counted the contacts as they are now, or as they were at the end. */
  get isCounted(): boolean {
    return JSON.stringify(this.#counted) === JSON.stringify(this.#now());
  }
  matches = (person: Person) => isSelected(this.rules.contactFilter, person);
  listsOf = ({ phone }: Person) =>
    ['do-not-call', ...this.rules.excludedDataSourceIds].filter((id) =>
      this.#ledger.lists.get(id)?.phones.has(phone),
    );
  #schedule = () => ({ ...this.rules, timeZone: this.rules.timeZone ?? zone });
  firstOpen = (now: number) =>
    isOpen(this.#schedule(), now) ? now : firstOpenMinute(this.#schedule(), now, 20);

  /** A contact whose row says when it could be called next, if it is to be called. */
  isListed = (person: Person) =>
    [1, 2].includes(this.status) && this.matches(person) && this.listsOf(person).length === 0;

  /** The contacts that the task counts: until it ends, every contact of the list. */
  takeNote(now: number) {
    if (!this.isOver)
      for (const person of this.#ledger.live)
        if (!this.entries.has(person)) this.entries.set(person, new Entry());
    for (const entry of this.entries.values()) {
      const { lease } = entry;
      if (lease && entry.is('inCall') && lease.until <= now) {
        entry.may = new Set([lease.from === 'callback' ? 'callback' : entry.inLine]);
      }
    }
  }
  entry(person: Person): Entry {
    const entry = this.entries.get(person) ?? new Entry();
    this.entries.set(person, entry);
    return entry;
  }

  publish(now: number) {
    this.move(1, now);
    this.startTime = now;
  }
  move(status: number, now: number) {
    this.status = status;
    this.changed = [now, now];
    this.endTime = undefined;
  }
  end(status: number, from: number, to: number) {
    this.changed = [from, to];
    this.endTime = [from, to];
    this.#changesAtEnd = this.#ledger.changes;
    this.status = status;
    const deleted = [...this.entries].filter(([{ isDeleted }]) => isDeleted);
    this.#deletedBefore = deleted.filter(([, entry]) => !entry.is(none)).length;
  }

  /** A dialer asks for calls: contacts that come up and may not be called are put aside. */
  ask(now: number) {
    if (this.status !== 1) return;
    this.takeNote(now);
    for (let round = 1; round <= 3; round++)
      for (const [person, entry] of this.entries)
        for (const standing of [...entry.may])
          for (const next of this.#nextOf(person, entry, standing)) entry.may.add(next);
  }

  #nextOf(person: Person, entry: Entry, standing: Standing): Standing[] {
    if (standing === 'notSelected' && this.isReviewed) return person.isDeleted ? [none] : [entry.inLine];
    if (!['notDialed', 'waiting', 'callback'].includes(standing)) return [];
    if (person.isDeleted) return [none];
    if (!this.matches(person)) return [entry.lastOutcome ?? 'notSelected'];
    // Lists are looked up when a contact is leased.
    return this.listsOf(person).length > 0 ? ['blocked'] : [];
  }

  lease(person: Person, callId: string, now: number, until: number) {
    const entry = this.entry(person);
    const from = entry.is('callback') ? 'callback' : 'waiting';
    const isFirst = entry.is('notDialed', 'blocked', 'notSelected') || entry.lease?.isFirst === true;
    entry.may = new Set(['inCall']);
    if (entry.isPending) entry.attempts = 0;
    entry.isPending = false;
    const attempt = entry.attempts + 1;
    entry.lease = { callId, phone: person.phone, time: now, until, attempt, isFirst, from };
    if (this.rules.callsPerMinute !== null) this.#paced.push(now);
    // A lease has twenty possible ends of its channel, at least a second apart.
    const apart = Math.max(1, Math.ceil((until - now) / second / 20)) * second;
    this.#channels.set(callId, Math.ceil(until / apart) * apart);
    this.#ledger.countLease(person.phone, now, 1);
  }

  release(person: Person, now: number) {
    const entry = this.entry(person);
    if (shown(entry.lease!.time).slice(0, 10) === shown(now).slice(0, 10) && !person.isDeleted)
      this.#ledger.countLease(person.phone, now, -1);
    this.#channels.delete(entry.lease!.callId);
    entry.may = new Set([entry.lease!.from === 'callback' ? 'callback' : entry.inLine]);
    entry.lease = undefined;
  }

  report(result: Result, isRecalled: boolean) {
    const { person, final, outcome, callbackTime } = result;
    const entry = this.entry(person);
    entry.results.push(result);
    this.#channels.delete(result.callId);
    this.results.push(result);
    entry.attempts += isRecalled ? 0 : 1;
    entry.isRecalled = false;
    if (final) {
      const ended = [...entry.may].flatMap((standing) => {
        if (standing === 'blocked' || standing === none) return [standing];
        return person.isDeleted ? [outcome, none] : [outcome];
      });
      entry.may = new Set(ended);
    } else if (callbackTime !== null) {
      entry.callbacks++;
      entry.may = new Set(['callback']);
    } else entry.may = new Set(['waiting']);
    entry.lease = undefined;
  }

  /** `isAll`: of all contacts that failed; a lease queues them. */
  recall(recalled: readonly Person[], isAll: boolean, now: number) {
    this.changed = [now, now];
    if (this.isOver) {
      this.move(1, now);
      this.#deletedBefore = 0;
      this.#review();
      for (const [person, entry] of this.entries)
        if (person.isDeleted && entry.is('notDialed')) entry.may = new Set([none]);
    }
    for (const [person, entry] of this.entries)
      if (isAll && person.isDeleted && (entry.mayBe('failed') || entry.mayBe('noAnswer')))
        entry.may = new Set([...entry.may, 'waiting', none]);
    for (const person of recalled) {
      const entry = this.entry(person);
      entry.isRecalled = entry.lastOutcome === undefined;
      entry.may = new Set(['waiting']);
      if (entry.lease) entry.lease = { ...entry.lease, isRecalled: true, isFirst: false };
      entry.isPending = isAll;
      if (!isAll) entry.attempts = 0;
    }
  }

  /** The filter or the contacts that it has left out are others now. */
  #review() {
    this.isReviewed = true;
    for (const [person, entry] of this.entries)
      if (entry.mayBe('notSelected')) {
        entry.may.add('notDialed');
        if (person.isDeleted) entry.may.add(none);
      }
  }

  adjust(changes: Partial<Rules>, now: number) {
    const isOther = (name: keyof Rules) =>
      changes[name] !== undefined && JSON.stringify(changes[name]) !== JSON.stringify(this.rules[name]);
    const isOtherFilter = isOther('contactFilter');
    // An adjust that changes nothing leaves the time of the last change.
    if ((Object.keys(changes) as (keyof Rules)[]).some(isOther)) this.changed = [now, now];
    this.rules = { ...this.rules, ...changes };
    if (changes.callsPerMinute === null) this.#paced = [];
    if (isOtherFilter) this.#review();
  }

  /** A contact was changed: where the task has left it out and it matches now, it is selected. */
  change(person: Person) {
    const entry = this.entries.get(person);
    if (entry === undefined || this.isOver || this.status === 0) return;
    if (entry.mayBe('notSelected') && this.matches(person)) {
      entry.may.delete('notSelected');
      entry.may.add(entry.inLine);
    }
  }

  delete(person: Person) {
    const entry = this.entries.get(person);
    if (entry?.mayBe('notDialed') && !this.isOver) {
      // A contact that is to be looked at again counts until then.
      if (!this.isReviewed) entry.may.delete('notDialed');
      entry.may.add(none);
    }
  }

  /** The row of a contact says which of the possible standings it has. */
  narrow(person: Person, row: { outcome: string; attempts: number }) {
    const entry = this.entry(person);
    if (this.isOver || !entry.may.has(row.outcome)) return;
    entry.may = new Set([row.outcome]);
    if (entry.isPending && row.attempts === 0) {
      entry.attempts = 0;
      entry.isPending = false;
    }
  }

  /** How a contact may stand now. */
  standings = (entry: Entry): Standing[] => (this.isOver ? entry.atEnd : [...entry.may]);

  /**
   * How many contacts stand so: at least, and at most. Once the task has ended, the contacts that were not dialed are what
   * is left of its frozen contact count, in which deleted contacts are missing.
   */
  range(...wanted: Standing[]): [number, number] {
    const all = [...this.entries.values()];
    const missing = wanted.includes('notDialed') ? this.#deletedBefore : 0;
    return [
      Math.max(
        0,
        all.filter((entry) => this.standings(entry).every((each) => wanted.includes(each))).length - missing,
      ),
      all.filter((entry) => this.standings(entry).some((each) => wanted.includes(each))).length,
    ];
  }

  /** A request is noted every 20 seconds, so one that is 40 seconds old may count as older than a minute: `undefined`. */
  #isAsked(now: number, mustBeNamed = false): boolean | undefined {
    const last = this.asks.findLast(({ isNamed }) => isNamed || !mustBeNamed);
    const age = now - (last?.time ?? Number.NEGATIVE_INFINITY);
    return age <= minute - 20 * second ? true : age <= minute ? undefined : false;
  }

  /** What the task may say. Several answers, where only the service knows whether a request was noted. */
  dialing({ contacts, waits }: FoundWaits, now: number): Dialing[] {
    const fixed = ['DRAFT', undefined, 'PAUSED'][this.status];
    if (fixed || this.isOver) return [says(fixed ?? 'ENDED')];
    if (contacts.callable > 0) return this.#nowAt(now);
    const [first] = waits;
    if (first === undefined) return [says(contacts.inCall > 0 ? 'ALL_IN_CALL' : 'NO_CONTACTS')];
    const time = first.from === null ? null : instantOf(first.from);
    if (first.reason === 'DAILY_LIMIT') return [says('AT_LIMIT', time, { limit: 'DAILY_LIMIT' })];
    return [says(first.reason === 'HOURS' ? 'OUTSIDE_HOURS' : 'WAITING_FOR_RETRY', time)];
  }

  /** Of a task that has a contact to call. */
  #nowAt(now: number): Dialing[] {
    const { callsPerMinute, maxConcurrentCalls } = this.rules;
    const isAsked = this.#isAsked(now);
    const without = isAsked === true ? [] : [says('NO_DIALER', now)];
    if (isAsked === false) return without;
    // A call counts in every minute that has a part of its second.
    const ends = this.#paced.map((time) => time + minute + second);
    const free = roomFrom(ends, callsPerMinute, now);
    if (free !== undefined) return [...without, says('AT_LIMIT', free, { limit: 'CALLS_PER_MINUTE' })];
    const idle = roomFrom([...this.#channels.values()], maxConcurrentCalls, now);
    if (idle !== undefined) return [...without, says('AT_LIMIT', idle, { limit: 'MAX_CONCURRENT_CALLS' })];
    return [...without, says(null, now), says('BEHIND_OTHERS', now)];
  }
}

type Counted = { success: number; failed: number; noAnswer: number };
export const byOutcome = (results: readonly Result[]) => {
  const count = (outcome: Outcome) => results.filter((each) => each.outcome === outcome).length;
  const counted: Counted = {
    success: count('success'),
    failed: count('failed'),
    noAnswer: count('noAnswer'),
  };
  return { total: results.length, ...counted };
};
export const sumOf = (results: readonly Result[]) => results.reduce((sum, { duration }) => sum + duration, 0);
export const ofDay = (results: readonly Result[]) => ({
  ...byOutcome(results),
  talkDuration: sumOf(results.filter(({ outcome }) => outcome === 'success')),
});

/** The calls by the hour or minute in which they ended. */
export const timelineOf = (results: readonly Result[], bucket: 'hour' | 'minute', now: number) => {
  const [length, span] = bucket === 'hour' ? [hour, 30 * 24 * hour] : [minute, 3 * hour];
  const begin = (at: number) => Math.floor(at / length) * length;
  const times = [...new Set(results.map(({ time }) => begin(time)))].sort((a, b) => a - b);
  return times
    .filter((time) => time > begin(now - span))
    .map((time) => ({
      time: shown(time),
      ...byOutcome(results.filter((each) => begin(each.time) === time)),
    }));
};
