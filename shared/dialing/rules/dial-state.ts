import { type Instant, secondMs } from '../../platform/time/time.ts';
import type { Task } from '../../tasks/rules/task.ts';
import { type CallReason, type Outcome, priorities } from '../../tasks/rules/task-settings.ts';
import type { Looked, Tally } from '../../tasks/rules/task-views.ts';
import { isInCall, isOutOfLine, type TaskContact } from './task-contact.ts';

/** A recall of all contacts that failed under a recall number up to this one. */
export type RecallOfFailed = { upTo: number; priority: number; time: Instant };

/** How far the dialing of a task has come. Every write replaces the version that was read. */
export type DialState = {
  taskId: string;
  /**
   * Every contact below this sequence number was looked at. It is taken up (it has a task contact,
   * or an intake lists it), or it was passed.
   */
  cursor: number;
  /** All contacts below exist for good or were deleted, as `Contacts.visibleFrom` found out. */
  visibleTo: number;
  /** How many contacts are taken up, including those ahead of the cursor. */
  claimed: number;
  /** How many of them a recall took up ahead of the cursor. */
  ahead: number;
  /**
   * How many contacts the cursor has passed because they do not match the task's filter. Nothing
   * else of them is stored.
   */
  passed: number;
  /**
   * Passed contacts are looked at again from this sequence number on; `left` of them, including
   * deleted ones. `settled`: how many are left that were not selected when their turn came.
   * `claimed`: how many contacts were taken up before the review; missing in data of 0.4.
   */
  review?: { from: number; left: number; settled?: number; claimed?: number } | undefined;
  /** The `filteredSince` of the task whose filter contacts are passed by now. */
  filteredSince?: Instant | undefined;
  /** How many contacts the cursor moved over last, and when. Only while that is more than usual. */
  lastMove?: { size: number; time: Instant } | undefined;
  /** Priorities of recalls, besides the task's own. */
  recallPriorities: number[];
  /** The number of recalls of all failed contacts so far. */
  recallNumber: number;
  /** The latest of these recalls, and the earlier ones that still have contacts to queue. */
  recalls: RecallOfFailed[];
  /** The task is CLOSED. No contact is taken up, even by a request that read it before. */
  isClosed?: true | undefined;
  /** Missing until the first write. */
  version: number | undefined;
};

/** How many contacts failed for good, by the number of recalls before. Only numbers with any. */
type FailedCounts = ReadonlyMap<number, number>;

/** The level of agreed callbacks, which come before every priority. */
export const callbackLevel = 0;
/** Every level at which contacts may be in line, the most urgent first. */
export const allLevels = [callbackLevel, ...priorities];

/** The priorities at which some contacts of the task are called, the most urgent first. */
export const levelsOf = ({ priority }: Pick<Task, 'priority'>, { recallPriorities }: DialState): number[] =>
  [...new Set([priority, ...recallPriorities])].sort((a, b) => a - b);

/** All levels at which contacts of the task are in line, the most urgent first. */
export const linesOf = (
  task: Pick<Task, 'priority'>,
  dial: DialState,
  { callbacks }: Pick<Counters, 'callbacks'>,
): number[] => [...(callbacks > 0 ? [callbackLevel] : []), ...levelsOf(task, dial)];

/** Contacts of a recall of all failed ones that wait to be queued again. */
export const recallsPending = ({ recallNumber }: Pick<DialState, 'recallNumber'>, failed: FailedCounts) =>
  [...failed].reduce((sum, [number, count]) => (number < recallNumber ? sum + count : sum), 0);

/**
 * Contacts below this sequence number that are not taken up were passed, because they do not match
 * the present filter.
 */
export const passedTo = ({ cursor, review }: DialState): number => review?.from ?? cursor;

/**
 * With this many sequence numbers an intake is below 1 KB, so that handing out its contacts costs
 * one unit of its key.
 */
const moveAtMost = 128;
/** Moves that are further apart are rare: the next one may be shorter. */
const rareMoveMs = secondMs;
/** Moves that are closer together are frequent: the next one goes twice as far. */
const frequentMoveMs = secondMs / 2;

/**
 * Minimum of contacts that the cursor moves over at a time. A request that met others at the cursor
 * or at the same contacts moves it twice as far, and so do frequent moves after that, so that many
 * requests share few moves.
 */
export const nextMoveSize = (
  { lastMove }: DialState,
  usual: number,
  isContested: boolean,
  now: Instant,
): number => {
  const { size, time } = lastMove ?? { size: usual, time: now };
  if (isContested || (lastMove !== undefined && now - time < frequentMoveMs))
    return Math.min(moveAtMost, 2 * size);
  return now - time > rareMoveMs ? Math.max(usual, size / 2) : size;
};

/** Contacts that were passed are taken up after all, some of them before the review. */
export const withTakenUp = (dial: DialState, seqs: readonly number[]): DialState => {
  const below = seqs.filter((seq) => seq < passedTo(dial)).length;
  const { review } = dial;
  return {
    ...dial,
    claimed: dial.claimed + seqs.length,
    passed: dial.passed - below,
    ...(review && { review: { ...review, left: review.left - (seqs.length - below) } }),
  };
};

/**
 * All contacts that were passed are looked at again, and the `settled` ones that were not selected
 * when their turn came.
 */
export const withReview = (dial: DialState, settled: number): DialState =>
  dial.cursor === 0
    ? dial
    : {
        ...dial,
        passed: 0,
        review: { from: 0, left: dial.passed + (dial.review?.left ?? 0), settled, claimed: dial.claimed },
      };

/** Contacts that were not selected are selected before the review comes to them. */
export const withoutSettled = (dial: DialState, seqs: readonly number[]): DialState => {
  const { review } = dial;
  if (review?.settled === undefined) return dial;
  const before = seqs.filter((seq) => seq >= review.from).length;
  return { ...dial, review: { ...review, settled: Math.max(0, review.settled - before) } };
};

/** `notSelected`: contacts that were taken up and did not match when their turn came. */
export const lookedSoFar = (
  { claimed, passed, review }: DialState,
  notSelected: number,
): Pick<Looked, 'isReviewing' | 'share'> => {
  // Contacts that were taken up before a review say nothing about the present filter.
  const [before, leftOut] = review ? [review.claimed ?? 0, passed] : [notSelected, passed + notSelected];
  const selected = Math.max(0, claimed - before);
  return { isReviewing: review !== undefined, share: selected / Math.max(1, selected + leftOut) };
};

/** Contacts of a recall are called at its priority. `ahead` of them are before the cursor. */
export const withRecalled = (dial: DialState, priority: number, ahead = 0): DialState => ({
  ...dial,
  claimed: dial.claimed + ahead,
  ahead: dial.ahead + ahead,
  recallPriorities: [...new Set([...dial.recallPriorities, priority])],
});

/**
 * All contacts that failed under a number below `recallNumber` are recalled. Recalls that were
 * queued are forgotten.
 */
export const withFailedRecalled = (
  dial: DialState,
  failed: FailedCounts,
  recallNumber: number,
  { priority, time }: { priority: number; time: Instant },
): DialState => {
  const pending = dial.recalls.filter((recall, i) =>
    [...failed.keys()].some((number) => number <= recall.upTo && number > (dial.recalls[i - 1]?.upTo ?? -1)),
  );
  const recalls = [...pending, { upTo: recallNumber - 1, priority, time }];
  return { ...withRecalled(dial, priority), recallNumber, recalls };
};

/** The sums of the task contacts of a task, and of its calls. */
export type Counters = {
  tally: Tally;
  /** Task contacts that need no further call: final, blocked, not selected or gone. */
  settled: number;
  /** How many of them ended how. */
  ended: Readonly<Record<Outcome | 'blocked' | 'notSelected', number>>;
  callsByReason: Readonly<Record<CallReason, number>>;
  /** By code. Calls with a disposition that was not declared have the empty code. */
  callsByDisposition: ReadonlyMap<string, number>;
  /** Calls to contacts that had a call before. */
  callsAgain: number;
  /** Agreed callbacks that were not made yet, or are being made. */
  callbacks: number;
  failed: FailedCounts;
  /** The contacts among them whose last call was not answered. */
  unanswered: FailedCounts;
  /** The recall number under which each shard counts. */
  recallNumbers: readonly number[];
};

/** Every contact taken up has its final outcome, and at least one was dialed or blocked. */
export const isDrained = (
  dial: Pick<DialState, 'claimed' | 'recallNumber'>,
  { settled, tally, ended, failed }: Pick<Counters, 'settled' | 'tally' | 'ended' | 'failed'>,
): boolean =>
  tally.callCount + ended.blocked > 0 && settled === dial.claimed && recallsPending(dial, failed) === 0;

/** A contact that waits for its first call, with a version if that lease has expired. */
export type IntakeContact = { seq: number; version?: number };

/**
 * Contacts that the cursor has passed: they are counted, and in no line until their first call has
 * ended. Lease requests take fresh contacts from intakes only.
 */
export type Intake = {
  taskId: string;
  /** 0 while some contacts were never leased, then the time at which the first lease ends. */
  checkTime: Instant;
  /** In ascending order. */
  seqs: number[];
  /** The contacts between them were passed, so few of them have a task contact. */
  isSparse?: true;
  /**
   * Only if many requests share the intake: how many of its contacts were handed out, and when the
   * last of them were.
   */
  handedOut?: { count: number; time: Instant };
};

/** A request leases the contacts that it was handed within this time, or it has died. */
const leaseMs = 3 * secondMs;

/** Whether no request was handed some contacts of a shared intake yet. */
export const isShared = ({ handedOut, seqs }: Intake): boolean =>
  handedOut !== undefined && handedOut.count < seqs.length;

/** All its contacts were handed out, and some requests may not have leased theirs yet. */
export const isBeingLeased = ({ handedOut, seqs }: Intake, now: Instant): boolean =>
  handedOut !== undefined && handedOut.count >= seqs.length && handedOut.time > now - leaseMs;

/**
 * An intake with what is known of its contacts. A contact that is neither open nor in a call has
 * left the intake.
 */
export type OpenIntake = {
  intake: Intake;
  /** Contacts that may be called now. */
  open: IntakeContact[];
  /** When the leases of the contacts in a call end, by sequence number. */
  inCall: ReadonlyMap<number, Instant>;
  /** This request has made the intake. */
  isOwn?: true;
};

/** `known`: the contacts of the intake that were leased before. */
export const openIntake = (
  intake: Intake,
  known: ReadonlyMap<number, TaskContact>,
  now: Instant,
): OpenIntake => {
  const open: IntakeContact[] = [];
  const inCall = new Map<number, Instant>();
  for (const seq of intake.seqs) {
    const contact = known.get(seq);
    if (contact === undefined) open.push({ seq });
    else if (!isOutOfLine(contact)) continue;
    else if (isInCall(contact, now)) inCall.set(seq, contact.lease.until);
    else open.push({ seq, version: contact.version! });
  }
  return { intake, open, inCall };
};

/**
 * What is left of an intake after a request has leased or deferred some of its contacts: the same
 * intake while others may be called, then the contacts in a call until the first of their leases
 * ends.
 * @returns undefined if nothing is left
 */
export const intakeAfter = (
  { intake, open, inCall }: OpenIntake,
  leased: ReadonlyMap<number, Instant>,
  deferred: ReadonlySet<number>,
): Intake | undefined => {
  if (open.some(({ seq }) => !leased.has(seq) && !deferred.has(seq))) return intake;
  const seqs = intake.seqs.filter((seq) => inCall.has(seq) || leased.has(seq));
  if (seqs.length === 0) return undefined;
  const ends = seqs.map((seq) => leased.get(seq) ?? inCall.get(seq)!);
  const { handedOut: _, ...rest } = intake;
  return { ...rest, checkTime: Math.min(...ends), seqs };
};

/**
 * Splits `limit` calls over tasks with these numbers of candidates: one call to each task in turn,
 * in the given order, until the calls or the candidates are used up.
 */
export const fairShares = (limit: number, candidates: readonly number[]): number[] => {
  const shares = candidates.map(() => 0);
  let left = Math.min(
    limit,
    candidates.reduce((sum, count) => sum + count, 0),
  );
  for (let at = 0; left > 0; at = (at + 1) % shares.length) {
    if (shares[at]! === candidates[at]!) continue;
    shares[at]!++;
    left--;
  }
  return shares;
};
