import type { Task } from '../tasks/task.ts';
import type { Tally } from '../tasks/task-views.ts';
import { type Instant, secondMs } from '../time.ts';
import type { CallReason, Outcome } from './dialing.ts';

/** A recall of all contacts that failed under a recall number up to this one. */
export type RecallOfFailed = { upTo: number; priority: number; time: Instant };

/** How far dialing of a task has come. Every write replaces the version that was read. */
export type DialState = {
  taskId: string;
  /**
   * Every contact below this sequence number was looked at. It is taken up (it has a task contact, or an intake record
   * lists it), or it was passed.
   */
  cursor: number;
  /** All contacts below are there for good or deleted, as `Contacts.claimable` found out. */
  visibleTo: number;
  /** How many contacts are taken up, those ahead of the cursor included. */
  claimed: number;
  /** Of them, the contacts that a recall took up ahead of the cursor. */
  ahead: number;
  /** How many contacts the cursor has passed because they do not match the task's filter. Nothing else is stored of them. */
  passed: number;
  /** Passed contacts are looked at again from this sequence number on; `left` of them, deleted contacts included. */
  review?: { from: number; left: number } | undefined;
  /** The `filteredSince` of the task by whose filter contacts are passed now. */
  filteredSince?: Instant | undefined;
  /** How many contacts the cursor moved over last, and when; only while that is more than usual. */
  stretch?: { size: number; time: Instant } | undefined;
  /** Priorities of recalls, beside the task's own. */
  recallPriorities: number[];
  /** Recalls of all failed contacts so far. */
  recallNumber: number;
  /** The latest of these recalls, and the earlier ones that still have contacts to queue. */
  recalls: RecallOfFailed[];
  /** The task is CLOSED: no contact is taken up any more, also by a request that read the task before. */
  isClosed?: true | undefined;
  /** Missing until the first write. */
  version: number | undefined;
};

/** How many contacts failed for good, by the number of recalls before; only numbers with any. */
export type FailedCounts = ReadonlyMap<number, number>;

/** The level of agreed callbacks: they come before every priority. */
export const callbackLevel = 0;

/** The priorities that some contacts of the task are called at, the most urgent first. */
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

/** Contacts below this sequence number that are not taken up were passed: they do not match the filter of now. */
export const passedTo = ({ cursor, review }: DialState): number => review?.from ?? cursor;

/** With 512 sequence numbers an intake is 3 KB. */
const stretchAtMost = 512;
/** Moves that are further apart than that are rare: the next one may be shorter. */
const rareMoveMs = secondMs;

/**
 * How many contacts the cursor moves over at a time, at least. A request that lost the cursor to another moves it twice as far, so
 * that many requests share few moves.
 */
export const nextStretch = (
  { stretch }: DialState,
  usual: number,
  isContested: boolean,
  now: Instant,
): number => {
  const { size, time } = stretch ?? { size: usual, time: now };
  if (isContested) return Math.min(stretchAtMost, 2 * size);
  return now - time > rareMoveMs ? Math.max(usual, size / 2) : size;
};

/** Contacts that were passed are taken up after all. The review has not come to some of them yet. */
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

/** All contacts that were passed are looked at again. */
export const withReview = (dial: DialState): DialState =>
  dial.cursor === 0
    ? dial
    : { ...dial, passed: 0, review: { from: 0, left: dial.passed + (dial.review?.left ?? 0) } };

/** Contacts that a recall names are called at its priority; `ahead` of them the cursor had not reached. */
export const withRecalled = (dial: DialState, priority: number, ahead = 0): DialState => ({
  ...dial,
  claimed: dial.claimed + ahead,
  ahead: dial.ahead + ahead,
  recallPriorities: [...new Set([...dial.recallPriorities, priority])],
});

/** All that failed under a number below `recallNumber` is recalled. Recalls that are queued are forgotten. */
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

/** What the task contacts of a task, and its calls, add up to. */
export type Counters = {
  tally: Tally;
  /** Task contacts that are final, blocked, not selected or gone: they need no further call. */
  settled: number;
  /** Of them, how many ended how. */
  ended: Readonly<Record<Outcome | 'blocked' | 'notSelected', number>>;
  callsByReason: Readonly<Record<CallReason, number>>;
  /** By code. Calls with a disposition that was not declared are under the empty code. */
  callsByDisposition: ReadonlyMap<string, number>;
  /** Agreed callbacks that were not made yet, or are being made. */
  callbacks: number;
  failed: FailedCounts;
  /** Of them, the contacts whose last call was not answered. */
  unanswered: FailedCounts;
  /** The recall number that each shard counts under. */
  recallNumbers: readonly number[];
};

/** Every contact taken up so far has its final outcome, and at least one was dialed. Blocked counts as dialed. */
export const isDrained = (
  dial: Pick<DialState, 'claimed' | 'recallNumber'>,
  { settled, tally, ended, failed }: Pick<Counters, 'settled' | 'tally' | 'ended' | 'failed'>,
): boolean =>
  tally.callCount + ended.blocked > 0 && settled === dial.claimed && recallsPending(dial, failed) === 0;
