import type { Contact } from '../contacts/contact.ts';
import { type ContactFilter, isSelected } from '../contacts/contact-filter.ts';
import { endOf, openFrom, type Schedule } from '../schedule.ts';
import type { Instant } from '../time.ts';
import { isTimeZone } from '../zones.ts';

/** What is known of a contact whose turn has come. Before the lease the facts may lag; after it they are exact. */
export type CallFacts = {
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
  numberFreeFrom?: Instant;
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
