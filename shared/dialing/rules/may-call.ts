import { type Contact, type ContactFilter, isSelected } from '../../contacts/rules.ts';
import {
  endOf,
  type Instant,
  isTimeZone,
  openFrom,
  type Schedule,
  secondMs,
} from '../../platform/time/index.ts';
import { isInCall, type TaskContact } from './task-contact.ts';

/** What is known of a contact whose turn has come. Before the lease the facts may lag; after it they are exact. */
type CallFacts = {
  /** The hours of the task, with those of the service. */
  schedule: Schedule;
  /** IANA name; of a task that names no zone. */
  serviceZone: string;
  /** `undefined`: the contact was deleted. */
  contact: Pick<Contact, 'phoneNumber' | 'fields'> | undefined;
  /** Of the task: a contact that does not match it is not called. */
  filter?: ContactFilter | undefined;
  /** The number is on the do-not-call list or on another exclusion list of the task. */
  isExcluded?: boolean;
  /** When the number may be called again, if it had its calls of the day. */
  numberFreeFrom?: Instant | undefined;
  now: Instant;
};

export type CallDecision =
  | { is: 'call' }
  | { is: 'later'; at: Instant }
  | { is: 'notSelected' }
  | { is: 'blocked' }
  | { is: 'gone' };

/** `openFrom` searches no further: a schedule that never opens is checked again then. */
const closedForMs = 400 * 24 * 3600 * 1000;

type HourFacts = Pick<CallFacts, 'schedule' | 'serviceZone' | 'contact'>;

/**
 * The first moment from `at` on within the task's dates and hours. Hours are by the clock of the contact's own zone if it
 * has one. `undefined`: the task ends before, or never opens.
 */
const openAfter = ({ schedule, serviceZone, contact }: HourFacts, at: Instant): Instant | undefined => {
  const own = contact?.fields.timeZone;
  const zone = own !== undefined && isTimeZone(own) ? own : (schedule.timeZone ?? serviceZone);
  return openFrom(schedule, at, serviceZone, zone);
};

/** A task that ends before it opens is checked again at its end: by then the end may have been moved. */
export const checkAgain = (schedule: Schedule, serviceZone: string, at: Instant): Instant => {
  const end = endOf(schedule, serviceZone);
  return end > at && end < at + closedForMs ? end : at + closedForMs;
};

/** When the contact may be called as far as hours and dates go, from `at` on. */
export const openingFor = (facts: HourFacts, at: Instant): Instant =>
  openAfter(facts, at) ?? checkAgain(facts.schedule, facts.serviceZone, at);

/** The one place that decides whether a contact is called now. */
export const mayCall = (facts: CallFacts): CallDecision => {
  const { contact, isExcluded = false, numberFreeFrom = 0, now } = facts;
  if (contact === undefined) return { is: 'gone' };
  // Before the lists: a contact that does not match is not counted as blocked.
  if (!isSelected(facts.filter, contact)) return { is: 'notSelected' };
  if (isExcluded) return { is: 'blocked' };
  // A task that ends before the number is free is checked again then: by then the end may have been moved.
  if (numberFreeFrom > now) return { is: 'later', at: openAfter(facts, numberFreeFrom) ?? numberFreeFrom };
  const at = openingFor(facts, now);
  return at > now ? { is: 'later', at } : { is: 'call' };
};

/** What keeps a contact from being called before a time. Hours are those of the task, of the service and of the contact's zone. */
export const waitReasons = ['DAILY_LIMIT', 'HOURS', 'CALLBACK', 'RETRY'] as const;
type WaitReason = (typeof waitReasons)[number];

/** Until when a contact waits in line. A deferral is a wait for its hours, or for the next day. */
export type Wait = { until: Instant; for: 'callback' | 'retry' | 'deferral' };

/** `none`: the contact is not called any more, or it waits for nothing: it was never called and can be called now. */
export type NextCall = { is: 'none' } | { is: 'at'; time: Instant; reason: WaitReason };

const none: NextCall = { is: 'none' };

/** A lease that has expired is a retry, and so is a release that puts the call off. Nothing where the contact is not in line. */
export const waitOf = (contact: TaskContact, now: Instant): Wait | undefined => {
  if (contact.state === 'leased')
    return isInCall(contact, now) ? undefined : { until: contact.lease.until, for: 'retry' };
  if (contact.state !== 'waiting') return undefined;
  const { due: until, isCallback, deferral, results } = contact;
  if (deferral !== undefined) return { until, for: 'deferral' };
  const { callbackTime = until, time } = results.at(-1) ?? { time: until };
  // Times of results are kept to the second.
  const isReleased = until >= Math.max(callbackTime, time) + secondMs;
  return { until, for: isCallback && !isReleased ? 'callback' : 'retry' };
};

/**
 * When the contact could be called, by the rule that decides so for a lease, and the reason that ends last. A contact whose
 * turn has come since then keeps its time.
 */
export const nextCall = (facts: CallFacts, wait: Wait | undefined): NextCall => {
  const decision = mayCall({ ...facts, now: Math.max(facts.now, wait?.until ?? 0) });
  if (decision.is === 'call')
    return wait === undefined ? none : { is: 'at', time: wait.until, reason: reasonOf(facts, wait) };
  if (decision.is !== 'later') return none;
  // Where the task ends before, or its hours leave no time, the contact is only checked again then.
  if (mayCall({ ...facts, now: decision.at }).is !== 'call') return none;
  const isLimited = decision.at === facts.numberFreeFrom;
  return { is: 'at', time: decision.at, reason: isLimited ? 'DAILY_LIMIT' : 'HOURS' };
};

/** A contact that was deferred to a moment within its hours waits for the next day, not for the hours. */
const reasonOf = (facts: CallFacts, { until, for: what }: Wait): WaitReason => {
  if (what !== 'deferral') return what === 'callback' ? 'CALLBACK' : 'RETRY';
  const isOpenBefore = mayCall({ ...facts, numberFreeFrom: 0, now: until - 1 }).is === 'call';
  return isOpenBefore || until === facts.numberFreeFrom ? 'DAILY_LIMIT' : 'HOURS';
};
