import { dayMark, minuteName, talkName } from '../calls/timeline.ts';
import { allEnded, concurrently } from '../platform/table/concurrency.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import {
  additionOf,
  type Condition,
  onlyIf,
  setAttributes,
  type Update,
} from '../platform/table/expressions.ts';
import { groupedBy } from '../platform/table/groups.ts';
import { type Item, type Key, keys } from '../platform/table/keys.ts';
import { unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import type { CallCounts } from '../tasks/rules/limits.ts';
import type { Task } from '../tasks/rules/task.ts';
import {
  type CallReason,
  callReasons,
  type Outcome,
  outcomes,
  toMilliseconds,
} from '../tasks/rules/task-settings.ts';
import { emptyTally, type Tally } from '../tasks/rules/task-views.ts';
import { readCounterItems } from '../tasks/task-items.ts';
import type { Counters } from './rules/dial-state.ts';
import { type CallResult, isFailed, type TaskContact } from './rules/task-contact.ts';

/** Counters of a task. If more results come at once, a counter is split into parts. */
export const shards = 12;

/** A task contact before and after one write, and the call that was counted with it. */
export type Move = {
  before: TaskContact | undefined;
  after: TaskContact;
  call?: CallResult & {
    at: Instant;
    /** The disposition under which the call is counted; empty if it is not declared. */
    counted: string | null;
  };
};

const callAttribute: Record<Outcome, string> = { success: 'ok', failed: 'failed', noAnswer: 'noAnswer' };
const endedAttribute = {
  success: 'endOk',
  failed: 'endFailed',
  noAnswer: 'endNo',
  blocked: 'blocked',
  notSelected: 'notSelected',
} as const;
const reasonAttribute = (reason: CallReason) => `why#${reason}`;
const dispositionPrefix = 'got#';

export const shardOf = (seq: number) => seq % shards;
export const counterKey = (taskId: string, seq: number) => keys.taskCounter(taskId, shardOf(seq));
export const recallNumberOf = (counter: Item | undefined) => Number(counter?.recallNumber ?? 0);

/**
 * The counts that a task contact is part of. `r` and `n` with a recall number: it failed, or did
 * not answer, for good after that number of recalls.
 */
const countsOf = (contact: TaskContact | undefined): string[] => {
  if (contact === undefined) return [];
  if (contact.state === 'waiting' || contact.state === 'leased')
    return contact.isCallback ? ['callbacks'] : [];
  if (contact.state === 'gone') return ['settled'];
  if (contact.state === 'blocked' || contact.state === 'notSelected')
    return ['settled', endedAttribute[contact.state]];
  const { outcome, recallNumber } = contact;
  const failed = [`r${recallNumber}`, ...(outcome === 'noAnswer' ? [`n${recallNumber}`] : [])];
  return ['settled', endedAttribute[outcome], ...(outcome === 'success' ? [] : failed)];
};

type Sums = Map<string, number>;
const add = (sums: Sums, name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count);

const addMove = (sums: Sums, { before, after, call }: Move) => {
  for (const name of countsOf(before)) add(sums, name, -1);
  for (const name of countsOf(after)) add(sums, name, 1);
  if (call === undefined) return;
  add(sums, callAttribute[call.outcome], 1);
  // Calls of versions before 0.5 are not included.
  if ((before?.callCount ?? 0) > 0) add(sums, 'again', 1);
  add(sums, 'secs', call.duration);
  // Mostly zero, so that the counter items stay small. Calls of versions before 0.3 are not
  // included.
  if (call.outcome !== 'success') add(sums, 'vainSecs', call.duration);
  else add(sums, talkName(call.at), call.duration);
  add(sums, minuteName(call.at, call.outcome), 1);
  if (call.reason !== null) add(sums, reasonAttribute(call.reason), 1);
  if (call.counted !== null) add(sums, `${dispositionPrefix}${call.counted}`, 1);
};

/**
 * A contact that fails counts under the recall number of its shard. A recall raises the number, so
 * the set that it counted is fixed.
 */
const ifCountingUnder = (moves: readonly Move[]): Condition => {
  const failing = moves.filter(({ before }) => before?.state !== 'final').map(({ after }) => after);
  const number = failing.find(isFailed)?.recallNumber;
  if (number === undefined) return {};
  if (number === 0) return { ConditionExpression: 'attribute_not_exists(recallNumber)' };
  return { ConditionExpression: 'recallNumber = :number', ExpressionAttributeValues: { ':number': number } };
};

/** The counters of a CLOSED task never change again, nor does a part that was joined. */
export const ifNotClosed: Condition = { ConditionExpression: 'attribute_not_exists(isClosed)' };

const updateOf = (moves: readonly Move[]): Update | undefined => {
  const sums: Sums = new Map();
  for (const move of moves) addMove(sums, move);
  const added = [...sums].filter(([, count]) => count !== 0);
  if (added.length === 0) return undefined;
  const at = moves.find(({ call }) => call)?.call?.at;
  const update = additionOf(added, at === undefined ? {} : { at, ...dayMark(at) });
  return onlyIf(update, ifNotClosed, ifCountingUnder(moves));
};

/** What a transaction of moves adds to the counters: at most one update for each shard. */
export const countMoves = (database: Database, moves: readonly Move[]): TransactItem[] =>
  groupedBy(moves, ({ after }) => shardOf(after.seq)).flatMap((those) => {
    const { taskId, seq } = those[0]!.after;
    return countAt(database, counterKey(taskId, seq), those);
  });

/** Counts the moves in one counter, or in one part of a counter. */
export const countAt = (database: Database, key: Key, moves: readonly Move[]): TransactItem[] => {
  const update = updateOf(moves);
  return update === undefined ? [] : [database.updateOf(key, update)];
};

/**
 * Counts a call under another disposition; `null`: under none. Written together with its record.
 * Fails if the task is CLOSED.
 */
export const countAgain = (
  database: Database,
  { taskId, seq }: { taskId: string; seq: number },
  before: string | null,
  after: string | null,
): TransactItem[] => {
  if (before === after) return [];
  const counts = [
    ...(before === null ? [] : [[before, -1] as const]),
    ...(after === null ? [] : [[after, 1] as const]),
  ];
  const update = additionOf(counts.map(([code, count]) => [`${dispositionPrefix}${code}`, count]));
  return [database.updateOf(counterKey(taskId, seq), onlyIf(update, ifNotClosed))];
};

/**
 * Written together with the task that is closed. Fails while a counter is split, because its parts
 * would go on counting.
 */
export const closeCounters = (database: Database, taskId: string): TransactItem[] =>
  Array.from({ length: shards }, (_, shard) =>
    database.updateOf(keys.taskCounter(taskId, shard), onlyIf(setAttributes({ isClosed: true }), ifNotSplit)),
  );

export const ifNotSplit: Condition = { ConditionExpression: 'attribute_not_exists(isSplit)' };

/** From now on, contacts that fail are counted under `number`, and none under a lower one. */
export const countUnder = async (database: Database, taskId: string, number: number): Promise<void> => {
  const update: Update = {
    UpdateExpression: 'SET recallNumber = :number',
    ConditionExpression: 'attribute_not_exists(recallNumber) OR recallNumber < :number',
    ExpressionAttributeValues: { ':number': number },
  };
  const all = Array.from({ length: shards }, (_, shard) => shard);
  await concurrently(all, shards, async (shard) => {
    const counter = await unlessLost(() => database.update(keys.taskCounter(taskId, shard), update));
    // A counter that is split after this write passes its number to its parts.
    if (!counter?.isSplit) return;
    await allEnded(partKeys(taskId, shard).map((key) => unlessLost(() => database.update(key, update))));
  });
};

/** Parts of a split counter. With that many, two of a thousand results a second rarely meet. */
const partsOfShard = 20;

export const partKeys = (taskId: string, shard: number): Key[] =>
  Array.from({ length: partsOfShard }, (_, part) => keys.counterPart(taskId, shard, part));

/** Where a result is counted while the counter of its contact is split. */
export const partKey = (taskId: string, seq: number): Key =>
  keys.counterPart(taskId, shardOf(seq), Math.floor(seq / shards) % partsOfShard);

/** Each counter is read as a whole, but not all of them at one instant. */
export const readCounters = async (database: Database, taskId: string): Promise<Counters> =>
  countersOf(await readCounterItems(database, taskId));

const tasksAtOnce = 16;

/** The sums of the calls of each task. */
export const readTallies = async (
  database: Database,
  taskIds: readonly string[],
): Promise<Map<string, Tally>> => {
  const counters = await concurrently(taskIds, tasksAtOnce, (id) => readCounters(database, id));
  return new Map(counters.map(({ tally }, i) => [taskIds[i]!, tally]));
};

/** The calls of a task that pauses itself if too many fail. They are read for no other task. */
export const readCallCounts = async (
  database: Database,
  { id, pauseWhen }: Pick<Task, 'id' | 'pauseWhen'>,
): Promise<CallCounts> => {
  if (!pauseWhen) return { calls: 0, failed: 0 };
  const { tally } = await readCounters(database, id);
  return { calls: tally.callCount, failed: tally.failCount };
};

/** The sums of the counter items of a task. */
export const countersOf = (items: readonly Item[]): Counters => {
  const sum = (name: string) => items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  const byNumber = (pattern: RegExp) => {
    const counts = [...names]
      .filter((name) => pattern.test(name))
      .map((name): [number, number] => [Number(name.slice(1)), sum(name)]);
    return new Map(counts.filter(([, count]) => count !== 0).sort(([a], [b]) => a - b));
  };
  return {
    tally: tallyOf(items, sum),
    settled: sum('settled'),
    ended: sumsOf([...outcomes, 'blocked', 'notSelected'], (end) => sum(endedAttribute[end])),
    callsByReason: sumsOf(callReasons, (reason) => sum(reasonAttribute(reason))),
    callsByDisposition: new Map(
      [...names]
        .filter((name) => name.startsWith(dispositionPrefix))
        .map((name) => [name.slice(dispositionPrefix.length), sum(name)]),
    ),
    callsAgain: sum('again'),
    callbacks: sum('callbacks'),
    failed: byNumber(/^r\d+$/),
    unanswered: byNumber(/^n\d+$/),
    recallNumbers: items.map(recallNumberOf),
  };
};

const sumsOf = <Name extends string>(names: readonly Name[], sum: (name: Name) => number) =>
  Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number>;

const tallyOf = (items: readonly Item[], sum: (name: string) => number): Tally => {
  const successCount = sum('ok');
  const failCount = sum('failed');
  const noAnswerCount = sum('noAnswer');
  const callCount = successCount + failCount + noAnswerCount;
  if (callCount === 0) return emptyTally;
  const lastCallTime = Math.max(...items.map((item) => Number(item.at ?? 0)));
  const duration = toMilliseconds(sum('secs'));
  const talkDuration = toMilliseconds(duration - sum('vainSecs'));
  return { callCount, successCount, failCount, noAnswerCount, duration, talkDuration, lastCallTime };
};
