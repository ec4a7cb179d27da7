import type { Contact } from '../../contacts/rules/contact.ts';
import { type ContactFilter, isSelected } from '../../contacts/rules/contact-filter.ts';
import { isEmergencyNumber } from '../../contacts/rules/emergency-numbers.ts';
import { type OwnTimes, ownTimesOf } from '../../contacts/rules/own-times.ts';
import { endOf, openFrom, ownZoneOf, type Schedule } from '../../platform/time/schedule.ts';
import { dayMs, type Instant } from '../../platform/time/time.ts';

/**
 * Every reason to wait. Of two that end together, the later one in this order is shown. `letter`
 * marks a place in line. `shownAs` is the reason of a task whose contacts wait for nothing else.
 */
export const waitTable = {
  HOURS: { letter: 'h', shownAs: 'OUTSIDE_HOURS' },
  CALL_AFTER: { letter: 'a', shownAs: 'OUTSIDE_HOURS' },
  DAILY_LIMIT: { letter: 'd', shownAs: 'AT_LIMIT' },
  CALL_LIMITS: { letter: 'l', shownAs: 'AT_LIMIT' },
  REST: { letter: 's', shownAs: 'AT_LIMIT' },
  RETRY: { letter: 'r', shownAs: 'WAITING_FOR_RETRY' },
  CALLBACK: { letter: 'c', shownAs: 'WAITING_FOR_RETRY' },
} as const;

export type WaitReason = keyof typeof waitTable;
export const waitReasons = Object.keys(waitTable) as WaitReason[];

type ShownAtLimit<R extends WaitReason> = (typeof waitTable)[R]['shownAs'] extends 'AT_LIMIT' ? R : never;
/** The reasons that are limits on the calls to a number. */
export type NumberLimitReason = { [R in WaitReason]: ShownAtLimit<R> }[WaitReason];
export const isNumberLimit = (reason: WaitReason): reason is NumberLimitReason =>
  waitTable[reason].shownAs === 'AT_LIMIT';

/** A rule that holds a contact back until `until`. */
export type Hold = { reason: WaitReason; until: Instant };

/**
 * Where a contact waits in line, and the reason that ends last. `zone`: `due` is within the hours
 * by that clock; empty for the clock of the task. Without a zone, readers of the line apply the
 * hours of the task.
 */
export type Place = { due: Instant; reason: WaitReason; zone?: string | undefined };

/** When any contact of a task may be called. */
export type HourFacts = {
  /** The hours of the task and of the service. */
  schedule: Schedule;
  /** IANA name of the zone of a task that names none. */
  serviceZone: string;
};

/** What decides how long one contact waits. */
export type WaitFacts = HourFacts & {
  /** IANA name of the contact's zone, if it has one. */
  zone?: string | undefined;
  /** Contacts of its list have zones of their own, so the line is also read outside its hours. */
  hasOwnZones?: boolean | undefined;
  /** What the task itself holds the contact back for: its interval, or an agreed callback. */
  own?: Hold | undefined;
  /** The limits that hold its number back. */
  limits?: readonly Hold[] | undefined;
  /** From when and until when the contact itself may be called. */
  times?: OwnTimes | undefined;
  now: Instant;
};

/**
 * What is known of a contact whose turn may have come. Before the lease the facts may lag; after it
 * they are exact.
 */
export type CallFacts = Omit<WaitFacts, 'zone' | 'times'> & {
  /** ISO 3166 code of the service's country, if it has one. */
  country?: string | undefined;
  /** `undefined`: the contact was deleted. */
  contact: Pick<Contact, 'phoneNumber' | 'fields'> | undefined;
  /** The filter of the task. A contact that does not match it is not called. */
  filter?: ContactFilter | undefined;
  /** The number is on the do-not-call list or on another exclusion list of the task. */
  isExcluded?: boolean;
};

/** `until` is `null` if no end is known. */
export type LastingHold = { reason: WaitReason; until: Instant | null };

/**
 * A contact that cannot be called now. `holds`: all that holds it back, the one that ends last at
 * the end. `place`: where it waits in line until then.
 */
export type Wait = { holds: readonly LastingHold[]; place: Place };

/**
 * Why a contact is blocked: its number is on an exclusion list, or is an emergency number, or its
 * `callBefore` has passed.
 */
export const blockReasons = ['LIST', 'EMERGENCY', 'CALL_BEFORE'] as const;
export type BlockReason = (typeof blockReasons)[number];

export type CallDecision =
  | { is: 'call' }
  | ({ is: 'later' } & Wait)
  | { is: 'notSelected' }
  | { is: 'blocked'; reason: BlockReason }
  | { is: 'gone' };

/** `openFrom` searches no further. A schedule that never opens is checked again then. */
const closedForMs = 400 * dayMs;

/** A task that ends before it opens is checked at its end, which may have been moved. */
export const checkAgain = ({ schedule, serviceZone }: HourFacts, at: Instant): Instant => {
  const end = endOf(schedule, serviceZone);
  return end > at && end < at + closedForMs ? end : at + closedForMs;
};

/** The first moment from `at` on within the task's dates and hours, by the clock of `zone`. */
export const openingFrom = (
  { schedule, serviceZone }: HourFacts,
  at: Instant,
  zone?: string,
): Instant | undefined => openFrom(schedule, at, serviceZone, zone || undefined);

const rank = (reason: WaitReason) => waitReasons.indexOf(reason);

/** The hold that ends first comes first. Of one reason, the one that ends last counts. */
const inOrder = (holds: readonly Hold[]): Hold[] => {
  const ends = new Map<WaitReason, Instant>();
  for (const { reason, until } of holds) ends.set(reason, Math.max(until, ends.get(reason) ?? until));
  return [...ends]
    .map(([reason, until]) => ({ reason, until }))
    .sort((a, b) => a.until - b.until || rank(a.reason) - rank(b.reason));
};

/**
 * What holds a contact back at `now`. An interval or a limit ends once and for all, so only the
 * last of them counts, and the hours have to be open then.
 * @returns undefined if nothing holds it back
 */
export const waitFrom = (facts: WaitFacts): Wait | undefined => {
  const { zone, hasOwnZones = false, own, limits = [], times = {}, now } = facts;
  const after: Hold[] = times.after === undefined ? [] : [{ reason: 'CALL_AFTER', until: times.after }];
  const ending = inOrder([...(own ? [own] : []), ...after, ...limits].filter(({ until }) => until > now));
  const free = ending.at(-1) ?? { reason: 'HOURS', until: now };
  const at = openingFrom(facts, free.until, zone);
  if (at === now) return undefined;
  const lineZone = zone ?? (hasOwnZones ? '' : undefined);
  if (times.before !== undefined && (at ?? free.until) >= times.before) {
    // There is no time left to call it. Its turn comes when its `callBefore` has passed, and it is
    // blocked then.
    const reason = at === free.until ? free.reason : 'HOURS';
    const others = ending.filter((hold) => hold.reason !== reason);
    // The zone marks a place that depends on the hours: adjusted hours may leave time to call it.
    return {
      holds: [...others, { reason, until: null }],
      place: { due: times.before, reason, zone: zone ?? '' },
    };
  }
  if (at === free.until) {
    const opening = openingFrom(facts, now, zone)!;
    const hours = opening > now ? [{ reason: 'HOURS' as const, until: opening }] : [];
    return { holds: inOrder([...ending, ...hours]), place: { due: at, reason: free.reason, zone: lineZone } };
  }
  const others = ending.filter(({ reason }) => reason !== 'HOURS');
  const holds = [...others, { reason: 'HOURS' as const, until: at ?? null }];
  if (lineZone === undefined) return { holds, place: { due: free.until, reason: free.reason } };
  return {
    holds,
    place: { due: at ?? checkAgain(facts, free.until), reason: 'HOURS', zone: lineZone },
  };
};

/** The one place that decides whether a contact may be called, or what it waits for. */
export const mayCall = ({
  contact,
  filter,
  country = '',
  isExcluded = false,
  ...facts
}: CallFacts): CallDecision => {
  if (contact === undefined) return { is: 'gone' };
  // Before the lists, so that a contact that does not match is not counted as blocked.
  if (!isSelected(filter, contact)) return { is: 'notSelected' };
  if (isEmergencyNumber(contact.phoneNumber, country)) return { is: 'blocked', reason: 'EMERGENCY' };
  if (isExcluded) return { is: 'blocked', reason: 'LIST' };
  const times = ownTimesOf(contact.fields, facts.serviceZone);
  if (times.before !== undefined && times.before <= facts.now)
    return { is: 'blocked', reason: 'CALL_BEFORE' };
  const wait = waitFrom({ ...facts, zone: ownZoneOf(contact.fields), times });
  return wait === undefined ? { is: 'call' } : { is: 'later', ...wait };
};

/**
 * When a contact at a place can be called, and the reason that ends last. `time` is `null` if the
 * hours never open.
 */
export const callableFrom = (
  facts: HourFacts,
  { due, reason, zone }: Place,
  now: Instant,
): LastingHold | 'now' => {
  const from = Math.max(due, now);
  const at = openingFrom(facts, from, zone);
  if (at !== from) return { reason: 'HOURS', until: at ?? null };
  return at === now ? 'now' : { reason, until: at };
};
