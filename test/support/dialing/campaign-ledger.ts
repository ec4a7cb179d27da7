import { isDeepStrictEqual } from 'node:util';
import type { Schedule } from '../../../shared/platform/time/schedule.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { firstOpenMinute, firstShown, isOpen } from './slow-schedule.ts';

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
/** Why a task does not call, and when it may. `behind`: the ids of the tasks that are served before it. */
type Dialing = { reason: string | null; nextTime: number | null; limit: string | null; behind: string[] };
const says = (reason: string | null, nextTime: number | null = null, more: Partial<Dialing> = {}) => ({
  ...{ reason, nextTime, limit: null, behind: [] },
  ...more,
});

/** When a contact was put off, as long as it waits for that. */
export const deferTimeOf = ({ due, deferral }: Pick<Entry, 'due' | 'deferral'>, now: number) =>
  deferral !== undefined && due! > now ? shown(deferral.time) : null;

/** When fewer than `most` calls count, each until its end; `undefined`: now, or there is no limit. */
const roomFrom = (ends: readonly number[], most: number | null, now: number): number | undefined => {
  const counted = ends.filter((end) => end > now).sort((a, b) => a - b);
  return most === null ? undefined : counted[counted.length - most];
};

/** All ways to take `count` of them. */
const subsets = <T>(of: readonly T[], count: number): T[][] =>
  count <= 0
    ? [[]]
    : of.flatMap((first, i) => subsets(of.slice(i + 1), count - 1).map((rest) => [first, ...rest]));

/** From when on a contact may be called (`undefined`: not known), and since when it is put off; `from`: when it was due before. */
type Wait = { due: number | undefined; deferral: { from: number | undefined; time: number } | undefined };

/** What one task did with one contact. */
export class Entry {
  /** What its standing may be. Only the service knows how far a lease has looked; each row narrows it to one. */
  may = new Set<Standing>(['notDialed']);
  results: Result[] = [];
  attempts = 0;
  /** It is part of a recall of all failed contacts, and may not be queued yet. */
  isPending = false;
  callbacks = 0;
  /** The latest lease, until its result or release. */
  lease: (Lease & { isRecalled?: boolean }) | undefined;
  /** What it may wait for. Only the service knows whether a lease has put it off; its row, or an overview, narrows them. */
  waits: [Wait, ...Wait[]] = [{ due: undefined, deferral: undefined }];

  is = (...some: Standing[]) => [...this.may].every((each) => some.includes(each));
  mayBe = (standing: Standing) => this.may.has(standing);
  isInCall = (now: number) => this.lease !== undefined && this.lease.until > now && this.is('inCall');
  get lastOutcome(): Outcome | undefined {
    return this.results.at(-1)?.outcome;
  }
  get due() {
    return this.waits[0].due;
  }
  get deferral() {
    return this.waits[0].deferral;
  }
  wait(standing: Standing, due: number | undefined) {
    this.may = new Set([standing]);
    this.waits = [{ due, deferral: undefined }];
  }
  /** Keeps what can be true. */
  keep(waits: readonly Wait[]) {
    const [first, ...others] = waits;
    if (first !== undefined) this.waits = [first, ...others];
  }
}

/** All that contacts in line may wait for. */
const waysOf = <T extends { entry: Entry }>(line: readonly T[]): (T & { wait: Wait })[][] =>
  line.reduce<(T & { wait: Wait })[][]>(
    (ways, each) => ways.flatMap((way) => each.entry.waits.map((wait) => [...way, { ...each, wait }])),
    [[]],
  );

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
  #zoneOf = ({ fields }: Person) => fields.timeZone ?? this.#schedule().timeZone;
  #isClosed = (person: Person, now: number) => !isOpen(this.#schedule(), now, this.#zoneOf(person));
  firstOpen = (now: number) =>
    isOpen(this.#schedule(), now) ? now : firstOpenMinute(this.#schedule(), now, 20);

  /** When a contact that is to be called could be called, and why not before; `undefined`: it is not known since when it waits. */
  nextCall(
    person: Person,
    now: number,
    wait: Wait = this.entry(person).waits[0],
  ): { time: number | null; reasons: (string | null)[] } | undefined {
    const entry = this.entry(person);
    const isFresh = entry.is('notDialed');
    if (!isFresh && (wait.due === undefined || entry.isPending)) return undefined;
    const due = isFresh ? now : wait.due!;
    const from = Math.max(now, due);
    const { free, time } = this.#possible(person, from, now, this.#ledger.isSpent(person.phone, now));
    if (time > from) return { time, reasons: [from < free && time === free ? 'DAILY_LIMIT' : 'HOURS'] };
    if (isFresh) return { time: null, reasons: [null] };
    if (wait.deferral !== undefined) return { time: due, reasons: ['DAILY_LIMIT', 'HOURS'] };
    return { time: due, reasons: entry.is('callback') ? ['CALLBACK', 'RETRY'] : ['RETRY'] };
  }

  /** When the number is free, and when the hours allow a call then. `isSpent`: it had its calls of today. */
  #possible(person: Person, from: number, now: number, isSpent: boolean) {
    const tomorrow = firstShown(`${shown(now + 24 * hour).slice(0, 10)} 00:00`, zone);
    const free = isSpent ? Math.max(from, tomorrow) : from;
    return { free, time: firstOpenMinute(this.#schedule(), free, 3, this.#zoneOf(person)) ?? Number.NaN };
  }

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
        const standing = lease.from === 'callback' ? 'callback' : 'waiting';
        entry.wait(standing, lease.isFirst ? undefined : lease.until);
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
    for (const round of [1, 2, 3])
      for (const [person, entry] of this.entries)
        for (const standing of [...entry.may])
          for (const next of this.#nextOf(person, entry, standing, now, round)) entry.may.add(next);
  }

  #nextOf(person: Person, entry: Entry, standing: Standing, now: number, round: number): Standing[] {
    if (standing === 'notSelected' && this.isReviewed)
      return person.isDeleted ? [none] : ['notDialed', 'waiting'];
    if (!['notDialed', 'waiting', 'callback'].includes(standing)) return [];
    if (person.isDeleted) return [none];
    if (!this.matches(person)) return [entry.lastOutcome ?? 'notSelected'];
    const isLater = this.#isClosed(person, now) || this.#ledger.isSpent(person.phone, now);
    const later = isLater && standing === 'notDialed' && round > 0 ? ['waiting'] : [];
    // Lists are looked up when a contact is leased, and one that has to wait is not leased.
    return this.listsOf(person).length > 0 ? ['blocked', ...later] : later;
  }

  lease(person: Person, callId: string, now: number, until: number) {
    const entry = this.entry(person);
    const from = entry.is('callback') ? 'callback' : 'waiting';
    const isFirst = entry.is('notDialed', 'blocked', 'notSelected') || entry.lease?.isFirst === true;
    entry.wait('inCall', entry.due);
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

  release(person: Person, now: number, seconds: number) {
    const entry = this.entry(person);
    if (shown(entry.lease!.time).slice(0, 10) === shown(now).slice(0, 10) && !person.isDeleted)
      this.#ledger.countLease(person.phone, now, -1);
    this.#channels.delete(entry.lease!.callId);
    // Without a wait it is back in its old place.
    entry.wait(entry.lease!.from, seconds === 0 ? undefined : now + seconds * second);
    entry.lease = undefined;
  }

  report(result: Result, isRecalled: boolean) {
    const { person, final, outcome, time, callbackTime } = result;
    const entry = this.entry(person);
    entry.results.push(result);
    this.#channels.delete(result.callId);
    this.results.push(result);
    entry.attempts += isRecalled ? 0 : 1;
    const { due } = entry;
    if (final) {
      const ended = [...entry.may].flatMap((standing) => {
        if (standing === 'blocked' || standing === none) return [standing];
        return person.isDeleted ? [outcome, none] : [outcome];
      });
      entry.may = new Set(ended);
    } else if (callbackTime !== null) {
      entry.callbacks++;
      entry.wait('callback', Math.max(callbackTime, time));
    } else {
      const again = time + this.rules.callInterval * second;
      entry.wait('waiting', isRecalled ? due && Math.max(due, again) : again);
    }
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
      const again = (entry.results.at(-1)?.time ?? 0) + this.rules.callInterval * second;
      entry.wait('waiting', entry.isPending && isAll ? entry.due : Math.max(now, again));
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

  adjust(changes: Partial<Rules>, isOtherHours: boolean, now: number) {
    const isOtherFilter =
      changes.contactFilter !== undefined &&
      JSON.stringify(changes.contactFilter) !== JSON.stringify(this.rules.contactFilter);
    this.rules = { ...this.rules, ...changes };
    this.changed = [now, now];
    if (changes.callsPerMinute === null) this.#paced = [];
    if (isOtherFilter) this.#review();
    if (isOtherHours) for (const entry of this.entries.values()) this.reconsider(entry, now);
  }

  /** Due as before it was deferred. */
  reconsider(entry: Entry, now: number) {
    entry.keep(
      entry.waits.map((wait) =>
        wait.deferral === undefined || wait.due! <= now
          ? wait
          : { due: wait.deferral.from, deferral: undefined },
      ),
    );
  }

  /** A contact was changed: where the task has left it out and it matches now, it is selected. */
  change(person: Person, now: number, namesZone: boolean) {
    const entry = this.entries.get(person);
    if (entry === undefined || this.isOver || this.status === 0) return;
    if (entry.mayBe('notSelected') && this.matches(person)) {
      entry.may.delete('notSelected');
      for (const next of ['notDialed', 'waiting']) entry.may.add(next);
      entry.waits = [{ due: now, deferral: entry.deferral }];
    }
    if (namesZone) this.reconsider(entry, now);
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
  narrow(
    person: Person,
    row: { outcome: string; attempts: number; deferTime: string | null; nextCallTime: string | null },
    now: number,
  ) {
    const entry = this.entry(person);
    const before = new Set(entry.may);
    if (!before.has(row.outcome)) return;
    entry.may = new Set([row.outcome]);
    if (entry.isPending && row.attempts === 0) {
      entry.attempts = 0;
      entry.isPending = false;
    }
    if (!['waiting', 'callback'].includes(row.outcome)) return;
    if (this.asks.at(-1)?.time === now) {
      const times = this.#putOff(person, now);
      entry.keep(
        entry.waits.flatMap((wait) => {
          if ((wait.due ?? now) > now) return [wait];
          const from = wait.deferral?.from ?? (before.has('notDialed') ? now : wait.due);
          return [wait, ...times.map((due) => ({ due, deferral: { from, time: now } }))];
        }),
      );
    }
    if (!this.isListed(person)) return;
    const fits = (wait: Wait) => {
      const next = this.nextCall(person, now, wait);
      const isOfRow = next === undefined || timeOf(next.time) === row.nextCallTime;
      return isOfRow && deferTimeOf(wait, now) === row.deferTime;
    };
    entry.keep(entry.waits.filter(fits));
  }

  /** Until when a request puts the contact off now: if it also called the number for another task, before that or after. */
  #putOff(person: Person, now: number): number[] {
    const wasCalled = this.#ledger.tasks.some((task) => task.entries.get(person)?.lease?.time === now);
    const isSpent = this.#ledger.isSpent(person.phone, now);
    const times = (isSpent && wasCalled ? [false, true] : [isSpent]).map(
      (each) => this.#possible(person, now, now, each).time,
    );
    return times.filter((time) => time > now);
  }

  /** What an overview says of the contacts that wait; `undefined`: only the service knows. */
  waits(now: number, chosen: ReadonlyMap<Entry, Wait> = new Map()) {
    const { waiting } = this;
    const all = waiting.map((entry) => ({ entry, ...(chosen.get(entry) ?? entry.waits[0]) }));
    const dues = all.flatMap(({ due }) => due ?? []);
    if (dues.length < all.length || waiting.some(({ may, isPending }) => isPending || may.size > 1))
      return undefined;
    const callbacks = all.filter(({ entry }) => entry.is('callback')).map(({ due }) => due!);
    const deferred = all.filter((wait) => deferTimeOf(wait, now) !== null).map(({ due }) => due!);
    const least = (some: number[]) => (some.length === 0 ? null : shown(Math.min(...some)));
    const most = (some: number[]) => (some.length === 0 ? null : shown(Math.max(...some)));
    return {
      ...{ firstDueTime: least(dues), lastDueTime: most(dues), lastCallbackTime: most(callbacks) },
      deferred: { count: deferred.length, estimated: false, time: least(deferred) },
    };
  }

  /** Of what contacts may wait for, keeps what agrees with an overview. */
  settle(found: Record<string, unknown>, now: number) {
    const open = this.waiting.filter((entry) => entry.waits.length > 1);
    const ways = open.reduce<Map<Entry, Wait>[]>(
      (some, entry) => some.flatMap((way) => entry.waits.map((wait) => new Map([...way, [entry, wait]]))),
      [new Map()],
    );
    const told = ways.filter((way) => isDeepStrictEqual({ ...found, ...this.waits(now, way) }, found));
    const known = told.filter((way) => this.waits(now, way));
    const agreeing = known.length > 0 ? known : told;
    for (const entry of open) entry.keep([...new Set(agreeing.flatMap((way) => way.get(entry) ?? []))]);
  }

  /**
   * How many contacts stand so: at least, and at most. Once the task has ended, the contacts that were not dialed are what
   * is left of its frozen contact count, in which deleted contacts are missing.
   */
  range(...wanted: Standing[]): [number, number] {
    const all = [...this.entries.values()];
    const missing = wanted.includes('notDialed') ? this.#deletedBefore : 0;
    return [
      Math.max(0, all.filter((entry) => entry.is(...wanted)).length - missing),
      all.filter((entry) => wanted.some(entry.mayBe)).length,
    ];
  }

  /** How many contacts without a final outcome had that many calls: at least, and at most. */
  openAfter(attempts: number): [number, number] {
    const open = ['inCall', 'waiting', 'callback'];
    const all = [...this.entries.values()].filter((entry) => entry.attempts === attempts);
    return [
      all.filter((entry) => entry.is(...open) && !entry.isPending).length,
      all.filter((entry) => open.some(entry.mayBe)).length,
    ];
  }

  get waiting(): Entry[] {
    return [...this.entries.values()].filter((entry) => entry.mayBe('waiting') || entry.mayBe('callback'));
  }

  /** A request is noted every 20 seconds, so one that is 40 seconds old may count as older than a minute: `undefined`. */
  #isAsked(now: number, mustBeNamed = false): boolean | undefined {
    const last = this.asks.findLast(({ isNamed }) => isNamed || !mustBeNamed);
    const age = now - (last?.time ?? Number.NEGATIVE_INFINITY);
    return age <= minute - 20 * second ? true : age <= minute ? undefined : false;
  }

  /** What the task may say. Several answers, where only the service knows whether a deleted contact was found, or a request noted. */
  dialing(counts: { notDialed: number; inCall: number; waiting: number }, now: number): Dialing[] {
    const fixed = ['DRAFT', undefined, 'PAUSED'][this.status];
    if (fixed || this.isOver) return [says(fixed ?? 'ENDED')];
    if (counts.notDialed + counts.inCall + counts.waiting === 0) return [says('NO_CONTACTS')];
    const schedule = this.#schedule();
    const isAllDay = schedule.dailyStartTime === '00:00' && schedule.dailyEndTime === '24:00';
    const hasZones = this.#ledger.hasOwnZones && !(isAllDay && schedule.breaks?.length === 0);
    if (!hasZones && !isOpen(schedule, now)) return [says('OUTSIDE_HOURS', this.firstOpen(now)!)];
    const open = [...this.entries].map(([person, entry]) => ({ person, entry }));
    const inLine = open.filter(({ entry }) => entry.mayBe('waiting') || entry.mayBe('callback'));
    const sure = inLine.filter(({ entry, person }) => entry.is('waiting', 'callback') && !person.isDeleted);
    const unsure = inLine.filter((each) => !sure.includes(each));
    const some = subsets(unsure, counts.waiting - sure.length).map((waiting) => [...sure, ...waiting]);
    const lines =
      counts.waiting === 0 ? [[]] : sure.length === inLine.length ? [sure] : [inLine, sure, ...some];
    return lines.flatMap(waysOf).flatMap((line) => {
      const fresh = open
        .filter(({ entry, person }) => entry.is('notDialed') && !person.isDeleted)
        .map((each) => ({ ...each, wait: each.entry.waits[0] }));
      const all = [...line, ...(counts.notDialed > 0 ? fresh : [])].map(({ person, entry, wait }) => {
        const from = Math.max(now, entry.isPending ? now : (wait.due ?? now));
        const at = hasZones && !person.isDeleted ? this.#zoneOf(person) : undefined;
        const time = firstOpenMinute(schedule, from, 3, at) ?? Number.POSITIVE_INFINITY;
        return { time, from, isClosed: !isOpen(schedule, now, at), isPutOff: wait.deferral !== undefined };
      });
      const first = Math.min(...all.map(({ time }) => time));
      const isPending = line.some(({ entry }) => entry.isPending);
      const unread = hasZones && (line.length > 12 || fresh.length > 12 || isPending);
      const isToLookAgain = hasZones && this.isReviewed && counts.notDialed > 0;
      const hidden = unread ? all.map(({ from }) => from).filter((from) => from <= first) : [];
      return [
        ...this.#at(
          first,
          all.filter(({ time }) => time === first),
          now,
        ),
        // Contacts that a filter left out are read when they are looked at again. One of them may be deleted.
        ...(isToLookAgain ? this.#nowAt(now) : []),
        // Of contacts with zones of their own twelve are read. The others may be callable when they are due.
        ...hidden.flatMap((from) =>
          this.#at(
            from,
            all.filter((each) => each.from === from),
            now,
            true,
          ),
        ),
      ];
    });
  }

  #at(
    time: number,
    some: readonly { isClosed: boolean; isPutOff: boolean }[],
    now: number,
    isUnread = false,
  ): Dialing[] {
    if (some.length === 0) return [says('ALL_IN_CALL')];
    if (time <= now) return this.#nowAt(now);
    if (!isUnread && some.some(({ isClosed }) => isClosed)) return [says('OUTSIDE_HOURS', time)];
    return some.some(({ isPutOff }) => isPutOff)
      ? [says('AT_LIMIT', time, { limit: 'DAILY_LIMIT' })]
      : [says('WAITING_FOR_RETRY', time)];
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
    return [...without, ...this.#ahead(now)];
  }

  #ahead(now: number): Dialing[] {
    const { priority } = this.rules;
    const isNamed = this.#isAsked(now, true);
    const isDue = (entry: Entry) => entry.isPending || (entry.due ?? now) <= now;
    const hasCallback = [...this.entries.values()].some((entry) => entry.mayBe('callback') && isDue(entry));
    const others = this.#ledger.tasks.filter((other) => {
      const due = [...other.entries.values()].filter((entry) => entry.mayBe('notDialed') || isDue(entry));
      const isAny = due.some((entry) => entry.mayBe('notDialed') || entry.mayBe('waiting'));
      return other !== this && other.rules.priority < priority && isAny;
    });
    const ids = others.filter((other) => other.#mayCall(now).includes(null)).map(({ id }) => id);
    const areSure = others.every((other) => other.#mayCall(now).every((reason) => reason === null));
    if (isNamed === true || hasCallback || ids.length === 0) return [says(null, now)];
    const behind = says('BEHIND_OTHERS', now, { behind: ids });
    return isNamed === false && areSure ? [behind] : [behind, says(null, now)];
  }

  #mayCall(now: number): (string | null)[] {
    const count = (...some: string[]) => this.range(...some)[1];
    const [notDialed, inCall] = [count('notDialed'), count('inCall')];
    const counts = { notDialed, inCall, waiting: count('waiting', 'callback') };
    return this.dialing(counts, now).map(({ reason }) => (reason === 'BEHIND_OTHERS' ? null : reason));
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
