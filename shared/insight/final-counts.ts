import { dialStateOf } from '../dialing/dial-progress-items.ts';
import type { IndexPlace } from '../dialing/dialing-items.ts';
import { type Counters, type DialState, recallsPending } from '../dialing/rules/dial-state.ts';
import { countersOf } from '../dialing/task-counters.ts';
import { type Item, type Key, keys } from '../platform/table/keys.ts';
import type { Outcome } from '../tasks/rules/task-settings.ts';
import type { Standings } from './rules/task-overview.ts';

/** The contacts of a task by final outcome, and the records from which these counts come. */
export type FinalCounts = {
  dial: DialState;
  counters: Counters;
  pending: number;
  ended: Pick<Standings, 'reached' | 'failed' | 'noAnswer' | 'blocked' | 'notSelected'>;
  /** When a dialer asked for calls of the task, by its id and among others. */
  asked: Item | undefined;
  askedAmongOthers: Item | undefined;
  /** The result of the last pre-flight. */
  counted: Item | undefined;
};

export type LinePlace = IndexPlace & { level: number };

/** Places of 0.5 do not say how the last call ended. */
export const endedAs = ({ lastCall = 'noAnswer' }: IndexPlace): Outcome | 'none' =>
  lastCall === 'recalled' ? 'none' : lastCall;

export const endsOf = (id: string, items: readonly Item[]): FinalCounts => {
  const found = ({ sk }: Key) => items.find((item) => item.sk === sk);
  const dial = dialStateOf(id, found(keys.dialState(id)));
  const counters = countersOf(items.filter(({ sk }) => sk.startsWith(keys.taskCounterPrefix)));
  const pending = recallsPending(dial, counters.failed);
  return {
    dial,
    counters,
    pending,
    ended: endedOf(counters, dial, pending),
    asked: found(keys.asked(id)),
    askedAmongOthers: found(keys.askedAmongOthers(id)),
    counted: found(keys.selectedCount(id)),
  };
};

/** Contacts that a recall has not queued yet count as waiting, whatever their last outcome was. */
const endedOf = ({ ended, unanswered }: Counters, dial: DialState, pending: number) => {
  const pendingUnanswered = recallsPending(dial, unanswered);
  return {
    reached: ended.success,
    noAnswer: ended.noAnswer - pendingUnanswered,
    failed: ended.failed - (pending - pendingUnanswered),
    blocked: ended.blocked,
    notSelected: dial.passed + ended.notSelected,
  };
};

/**
 * If a task has ended, contacts that wait count by the last call, and so do contacts that a recall
 * has not queued.
 */
export const endedWith = (
  ended: FinalCounts['ended'],
  { counters, dial, pending }: FinalCounts,
  inLine: readonly LinePlace[],
  unread: number,
): FinalCounts['ended'] => {
  const outcomes = inLine.map(endedAs);
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  const unanswered = recallsPending(dial, counters.unanswered);
  return {
    ...ended,
    reached: ended.reached + count('success'),
    failed: ended.failed + count('failed') + pending - unanswered,
    noAnswer: ended.noAnswer + count('noAnswer') + unanswered + unread,
  };
};
