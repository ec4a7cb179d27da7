import type { Schedule } from '../../../shared/platform/time/schedule.ts';
import { isTimeZone, timeIn } from '../../../shared/platform/time/zones.ts';
import type { CallReason, Outcome } from '../../../shared/tasks/rules/task-settings.ts';
import { minute, second } from './dialing.ts';
import { firstOpenMinute, firstShown, isOpen } from './slow-schedule.ts';

export type Rules = Schedule & {
  priority: number;
  maxDialCount: number;
  callInterval: number;
  /** Whether the task has a list of its own of numbers that are not called. */
  excludes: boolean;
  retryOrder: 'due' | 'last';
  retryRules: { reasons: CallReason[]; waitSeconds: number; attempts: number }[];
  /** At least so many percent of the last so many calls failed. */
  pauseWhen?: { failedPercent: number; calls: number } | null | undefined;
};

/** A task whose hours stay closed is looked at again then. */
const closedFor = 400 * 24 * 60 * minute;

export type ModelResult = {
  outcome: Outcome;
  reason?: CallReason | undefined;
  duration: number;
  callbackTime?: number | undefined;
  doNotCall?: boolean | undefined;
};
export type ModelCall = {
  task: ModelTask;
  seq: number;
  time: number;
  result?: ModelResult & { final: boolean };
  /** The contact was erased since it was reported. */
  isForgotten?: boolean;
};

type TaskContactModel = {
  /** When it came due. undefined: not queued; it is in a call or has its final outcome. */
  since: number | undefined;
  /** When it was due before it was deferred, and when it was deferred. */
  deferral: { from: number; time: number } | undefined;
  /** Waits for its first call, or is in it: it is called in the order the contacts were added. */
  isFresh: boolean;
  priority: number;
  attempts: number;
  /** Of the calls that used up these attempts. */
  reasons: (CallReason | undefined)[];
  /** Waits for an agreed callback, or is called back. */
  isCallback: boolean;
  callbacks: number;
  /** `since`: where it is found again when the lease runs out. */
  lease: { call: ModelCall; until: number; since: number } | undefined;
  latest: ModelCall | undefined;
  /** The latest call was leased before a recall. */
  recalled: boolean;
  blocked: boolean;
  outcome: Outcome | undefined;
  lastCall: number | undefined;
  calls: number;
  duration: number;
};

export type ModelContact = {
  createTime: number;
  live: boolean;
  latest: Outcome | undefined;
  calls: number;
  phone: string;
  timeZone?: string | undefined;
};

export class ModelSource {
  readonly contacts: ModelContact[] = [];
  /** One of its contacts has, or once had, a time zone of its own. */
  get hasOwnZones(): boolean {
    return this.contacts.some(({ timeZone }) => timeZone !== undefined);
  }
}

/**
 * What holds for phone numbers, whatever the task: who is on which list, and who was called how
 * often on a day.
 */
export class ModelNumbers {
  readonly everybody = new Set<string>();
  readonly ofTasks = new Set<string>();
  readonly #callsPerDay: number;
  readonly #dayOf: (instant: number) => string;
  readonly #calls = new Map<string, number>();

  /** @param callsPerDay 0: any number */
  constructor(callsPerDay: number, zone: string) {
    this.#callsPerDay = callsPerDay;
    const format = timeIn(zone);
    this.#dayOf = (instant) => format(instant).slice(0, 10);
  }

  callsLeft(phone: string, now: number): number {
    if (this.#callsPerDay === 0) return Number.POSITIVE_INFINITY;
    return this.#callsPerDay - (this.#calls.get(`${phone} ${this.#dayOf(now)}`) ?? 0);
  }

  count(phone: string, now: number, calls = 1): void {
    const name = `${phone} ${this.#dayOf(now)}`;
    this.#calls.set(name, (this.#calls.get(name) ?? 0) + calls);
  }

  isSameDay(one: number, other: number): boolean {
    return this.#dayOf(one) === this.#dayOf(other);
  }

  nextDay(now: number): number {
    let next = Math.floor(now / minute) * minute;
    while (this.#dayOf(next) === this.#dayOf(now)) next += minute;
    return next;
  }
}

export type Due = {
  task: ModelTask;
  seq: number;
  /** Its priority; 0 for an agreed callback. */
  level: number;
  since: number;
  isFresh: boolean;
  /** Why it may not be called. */
  refusal?: 'closed' | 'listed' | 'spent';
};

const open = (taskContact: TaskContactModel) =>
  taskContact.since !== undefined || taskContact.lease !== undefined;
const statusCodes = { success: 1, failed: 2, noAnswer: 3 } as const;
export const codeOf = (outcome: Outcome | undefined) => (outcome === undefined ? 0 : statusCodes[outcome]);

/**
 * The rules of dialing over plain arrays: no cursor, no index, no recall numbers, no intake
 * records.
 */
export class ModelTask {
  rules: Rules;
  readonly source: ModelSource;
  readonly startTime: number;
  readonly #numbers: ModelNumbers;
  readonly #zone: string;
  readonly taskContacts = new Map<number, TaskContactModel>();
  readonly callsMade = { success: 0, failed: 0, noAnswer: 0, duration: 0 };
  readonly reasons: Partial<Record<CallReason, number>> = {};
  state: 'running' | 'paused' | 'completed' | 'failed' | 'stopped' = 'running';
  /** Whether each call failed that counts for the brake. */
  braked: boolean[] = [];

  constructor(rules: Rules, source: ModelSource, startTime: number, zone: string, numbers: ModelNumbers) {
    this.rules = rules;
    this.source = source;
    this.startTime = startTime;
    this.#zone = zone;
    this.#numbers = numbers;
  }

  taskContact(seq: number): TaskContactModel {
    const taskContact = this.taskContacts.get(seq) ?? {
      since: Math.max(this.startTime, this.source.contacts[seq]?.createTime ?? 0),
      deferral: undefined,
      isFresh: true,
      priority: this.rules.priority,
      attempts: 0,
      reasons: [],
      isCallback: false,
      callbacks: 0,
      lease: undefined,
      latest: undefined,
      recalled: false,
      blocked: false,
      outcome: undefined,
      lastCall: undefined,
      calls: 0,
      duration: 0,
    };
    this.taskContacts.set(seq, taskContact);
    return taskContact;
  }

  get #schedule() {
    return { ...this.rules, timeZone: this.rules.timeZone ?? this.#zone };
  }

  #zoneOf(seq: number): string {
    const own = this.source.contacts[seq]?.timeZone;
    return own !== undefined && isTimeZone(own) ? own : this.#schedule.timeZone;
  }

  isOpenAt(now: number): boolean {
    return this.state === 'running' && isOpen(this.#schedule, now);
  }

  /** When the service stops the task. */
  get end(): number {
    const { callUntil, timeZone } = this.#schedule;
    return callUntil ? firstShown(callUntil, timeZone) : Number.POSITIVE_INFINITY;
  }

  get isBraking(): boolean {
    const { failedPercent, calls } = this.rules.pauseWhen ?? { failedPercent: 0, calls: 0 };
    const last = calls === 0 ? [] : this.braked.slice(-calls);
    const failed = last.filter((isFailed) => isFailed).length;
    return calls > 0 && last.length === calls && failed * 100 >= failedPercent * calls;
  }

  /** Other rules from now on. */
  adjust(changes: Partial<Rules>): void {
    if (JSON.stringify(changes.pauseWhen ?? null) !== JSON.stringify(this.rules.pauseWhen ?? null))
      if ('pauseWhen' in changes) this.braked = [];
    this.rules = { ...this.rules, ...changes };
  }

  /** When a contact is due as far as the task decides, whatever limits and hours say. */
  ownDueOf(seq: number): number {
    const { deferral, since } = this.taskContact(seq);
    return deferral?.from ?? since!;
  }

  /**
   * Where a contact may wait in line that is due at `own`: not before its number may be called
   * again, and within the hours of its own zone. Where some contacts have zones, the others may
   * wait within the hours of the task.
   */
  places(seq: number, own: number, now: number): number[] {
    const contact = this.source.contacts[seq]!;
    const isSpent = this.#numbers.callsLeft(contact.phone, now) <= 0;
    const free = isSpent ? Math.max(own, this.#numbers.nextDay(now)) : own;
    const from = Math.max(free, now);
    const opening = firstOpenMinute(this.#schedule, from, 10, this.#zoneOf(seq));
    const inHours = opening === from ? free : (opening ?? (this.end > from ? this.end : from + closedFor));
    const hasOwnZone = contact.timeZone !== undefined && isTimeZone(contact.timeZone);
    const isZoned = this.source.contacts.some(({ timeZone }) => timeZone !== undefined);
    if (hasOwnZone) return [inHours];
    return isZoned ? [inHours, free] : [free];
  }

  #refusalOf(seq: number, now: number): Due['refusal'] {
    const { phone } = this.source.contacts[seq]!;
    if (!isOpen(this.#schedule, now, this.#zoneOf(seq))) return 'closed';
    const { everybody, ofTasks } = this.#numbers;
    if (everybody.has(phone) || (this.rules.excludes && ofTasks.has(phone))) return 'listed';
    return this.#numbers.callsLeft(phone, now) <= 0 ? 'spent' : undefined;
  }

  /** Live contacts by sequence number. */
  liveSeqs(): number[] {
    return this.source.contacts.flatMap(({ live }, seq) => (live ? [seq] : []));
  }

  expireLeases(now: number): void {
    for (const taskContact of this.taskContacts.values()) {
      if (taskContact.lease && taskContact.lease.until <= now) {
        taskContact.since = taskContact.lease.since;
        taskContact.lease = undefined;
      }
    }
  }

  /** Whose turn it is, with those who come up but may not be called. */
  due(now: number): Due[] {
    if (this.state !== 'running') return [];
    this.expireLeases(now);
    return this.liveSeqs().flatMap((seq) => {
      const { since, priority, isFresh, isCallback } = this.taskContact(seq);
      if (since === undefined || since > now) return [];
      const refusal = this.#refusalOf(seq, now);
      return [
        { task: this, seq, level: isCallback ? 0 : priority, since, isFresh, ...(refusal && { refusal }) },
      ];
    });
  }

  /** Those of one level in the order of their calls. */
  inOrder(due: readonly Due[]): Due[] {
    const fresh = due.filter(({ isFresh }) => isFresh).sort((a, b) => a.seq - b.seq);
    const again = due.filter(({ isFresh }) => !isFresh).sort((a, b) => a.since - b.since);
    return this.rules.retryOrder === 'last' ? [...fresh, ...again] : [...again, ...fresh];
  }

  block(seq: number): void {
    Object.assign(this.taskContact(seq), { since: undefined, isFresh: false, blocked: true });
  }

  /** In line for a later moment. */
  defer(seq: number, due: number, now: number): void {
    const taskContact = this.taskContact(seq);
    const isNew = taskContact.isFresh && taskContact.latest === undefined;
    taskContact.deferral = {
      from: taskContact.deferral?.from ?? (isNew ? now : taskContact.since!),
      time: now,
    };
    taskContact.since = due;
    taskContact.isFresh = false;
  }

  lease(seq: number, until: number, now: number): ModelCall {
    const taskContact = this.taskContact(seq);
    const call = { task: this, seq, time: now };
    const isFirst = taskContact.isFresh && taskContact.latest === undefined;
    taskContact.lease = { call, until, since: isFirst ? now : (taskContact.since ?? 0) };
    taskContact.latest = call;
    taskContact.recalled = false;
    taskContact.since = undefined;
    taskContact.deferral = undefined;
    return call;
  }

  /** A call that a dialer could not begin: it does not count. Whether it was still leased. */
  release(call: ModelCall, notBefore: number, now: number): boolean {
    this.expireLeases(now);
    const taskContact = this.taskContact(call.seq);
    if (taskContact.lease?.call !== call) return false;
    const { phone, live } = this.source.contacts[call.seq]!;
    // The number of a deleted contact is not known any more: the call stays counted.
    if (live && this.#numbers.isSameDay(call.time, now)) this.#numbers.count(phone, now, -1);
    taskContact.since = Math.max(taskContact.lease.since, notBefore);
    taskContact.isFresh = false;
    taskContact.lease = undefined;
    return true;
  }

  /** Until when it is leased then; undefined when it is not leased any more. */
  extend(call: ModelCall, until: number, now: number): number | undefined {
    this.expireLeases(now);
    const { lease } = this.taskContact(call.seq);
    if (lease?.call !== call) return undefined;
    lease.until = Math.max(lease.until, until);
    return lease.until;
  }

  /** 'conflict', or whether the outcome is final. */
  report(call: ModelCall, result: ModelResult, now: number): 'conflict' | boolean {
    const { outcome, reason, duration, callbackTime, doNotCall = false } = result;
    if (call.isForgotten) return 'conflict';
    if (call.result) {
      const { result: known } = call;
      const same =
        known.outcome === outcome &&
        known.duration === duration &&
        known.reason === reason &&
        known.callbackTime === callbackTime &&
        (known.doNotCall ?? false) === doNotCall;
      return same ? known.final : 'conflict';
    }
    const taskContact = this.taskContact(call.seq);
    if (taskContact.latest !== call) return 'conflict';
    if (callbackTime !== undefined && (taskContact.callbacks === 5 || callbackTime >= this.end))
      return 'conflict';
    if (!taskContact.recalled) {
      taskContact.attempts++;
      taskContact.reasons.push(reason);
    }
    const lists = (reasons: readonly CallReason[]) => (of: CallReason | undefined) =>
      of !== undefined && reasons.includes(of);
    const rule = this.rules.retryRules.find(({ reasons }) => lists(reasons)(reason));
    const isRuledOut =
      rule === undefined
        ? reason === 'invalidNumber'
        : taskContact.reasons.filter(lists(rule.reasons)).length >= rule.attempts;
    const enough = outcome === 'success' || taskContact.attempts >= this.rules.maxDialCount || isRuledOut;
    const contact = this.source.contacts[call.seq];
    const isCalledBack = callbackTime !== undefined;
    const isOver = doNotCall || (enough && !taskContact.recalled && !isCalledBack);
    const final = taskContact.blocked || !contact?.live || isOver;
    if (doNotCall && contact) this.#numbers.everybody.add(contact.phone);
    taskContact.isCallback = isCalledBack && !final;
    if (taskContact.isCallback) taskContact.callbacks++;
    const wait = taskContact.recalled
      ? this.rules.callInterval
      : (rule?.waitSeconds ?? this.rules.callInterval);
    const again = now + wait * second;
    taskContact.lease = undefined;
    const unasked = taskContact.recalled ? Math.max(taskContact.since ?? 0, again) : again;
    const since = callbackTime === undefined ? unasked : Math.max(callbackTime, now);
    taskContact.since = final ? undefined : since;
    taskContact.deferral = undefined;
    taskContact.isFresh = false;
    taskContact.outcome = outcome;
    taskContact.lastCall = now;
    taskContact.calls++;
    taskContact.duration += duration;
    this.callsMade[outcome]++;
    this.braked.push(outcome === 'failed');
    this.callsMade.duration += duration;
    if (reason) this.reasons[reason] = (this.reasons[reason] ?? 0) + 1;
    if (contact?.live) {
      contact.latest = outcome;
      contact.calls++;
    }
    call.result = { ...result, final };
    return final;
  }

  /** Queues contacts again; answers those that were. */
  recall(seqs: readonly number[], priority: number, now: number): number[] {
    const queued = seqs.filter((seq) => {
      const { lease } = this.taskContact(seq);
      return lease === undefined || lease.until <= now;
    });
    for (const seq of queued) {
      const taskContact = this.taskContact(seq);
      taskContact.lease = undefined;
      taskContact.isFresh = false;
      taskContact.isCallback = false;
      taskContact.attempts = 0;
      taskContact.reasons = [];
      taskContact.recalled = true;
      taskContact.blocked = false;
      taskContact.priority = priority;
      const again = (taskContact.lastCall ?? 0) + this.rules.callInterval * second;
      taskContact.since = Math.max(now, again);
      taskContact.deferral = undefined;
    }
    if (this.state === 'completed' || this.state === 'failed') this.state = 'running';
    return queued;
  }

  failedSeqs(): number[] {
    return this.liveSeqs().filter((seq) => {
      const taskContact = this.taskContact(seq);
      return (
        !open(taskContact) &&
        !taskContact.blocked &&
        (taskContact.outcome === 'failed' || taskContact.outcome === 'noAnswer')
      );
    });
  }

  get callCount(): number {
    return this.callsMade.success + this.callsMade.failed + this.callsMade.noAnswer;
  }

  /**
   * Every live contact has its final outcome, none is in a call, at least one was dialed or is not
   * to be.
   */
  isFinished(): boolean {
    const isBegun = this.callCount > 0 || [...this.taskContacts.values()].some(({ blocked }) => blocked);
    return isBegun && this.liveSeqs().every((seq) => !open(this.taskContact(seq)));
  }

  isInCall(seq: number, now: number): boolean {
    const { lease } = this.taskContact(seq);
    return lease !== undefined && lease.until > now;
  }

  hasLiveLeases(now: number): boolean {
    return [...this.taskContacts.keys()].some((seq) => this.isInCall(seq, now));
  }

  /**
   * A deleted contact that is queued or in a call is noticed by its own result or the next lease;
   * one that failed, and is part of a recall of all that failed, by the next lease.
   */
  hasLooseEnds(): boolean {
    return [...this.taskContacts].some(
      ([seq, taskContact]) =>
        !this.source.contacts[seq]?.live &&
        (open(taskContact) || ['failed', 'noAnswer'].includes(taskContact.outcome ?? '')),
    );
  }
}
