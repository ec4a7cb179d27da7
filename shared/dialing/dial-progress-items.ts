import type { Database } from '../platform/table/database.ts';
import { additionOf, type Condition, ifUnchanged, onlyIf } from '../platform/table/expressions.ts';
import { type Item, keys, timeKey } from '../platform/table/keys.ts';
import { unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import { type DialState, type Intake, passedTo, type RecallOfFailed } from './rules/dial-state.ts';

export const intakeKey = ({ taskId, checkTime, seqs }: Intake) => keys.intake(taskId, checkTime, seqs[0]!);

export const intakeItem = (intake: Intake): Item => ({
  ...intakeKey(intake),
  seqs: intake.seqs,
  ...(intake.isSparse && { sparse: true }),
  ...(intake.handedOut && { handed: intake.handedOut.count, handedAt: intake.handedOut.time }),
});

/**
 * Hands out the next contacts of a shared intake.
 * @returns where they begin and end; undefined if none is left
 */
export const handOut = async (
  database: Database,
  intake: Intake,
  count: number,
  now: Instant,
): Promise<[from: number, to: number] | undefined> => {
  const update = onlyIf(additionOf([['handed', count]], { handedAt: now }), {
    ConditionExpression: 'handed < :size',
    ExpressionAttributeValues: { ':size': intake.seqs.length },
  });
  // If the addition is made twice, it skips contacts. A later request finds them when the intake is
  // used up.
  const item = await unlessLost(() => database.update(intakeKey(intake), update));
  return item && [(item.handed as number) - count, item.handed as number];
};

/** Release 0.2 stored `contacts`: each sequence number, and since when the contact waits. */
const seqsOf = ({ seqs, contacts }: Item): number[] =>
  (seqs as number[] | undefined) ?? (contacts as number[]).filter((_, at) => at % 2 === 0);

export const intakeOf = (taskId: string, item: Item): Intake => ({
  taskId,
  checkTime: Number.parseInt(item.sk, 10),
  seqs: seqsOf(item),
  ...(item.sparse === true && { isSparse: true }),
  ...(item.handed !== undefined && {
    handedOut: { count: item.handed as number, time: item.handedAt as Instant },
  }),
});

/** The intakes to check at `time` or before. At 0: some of their contacts were never leased. */
export const readIntakesUpTo = async (
  database: Database,
  taskId: string,
  time: Instant,
): Promise<Intake[]> => {
  const items = await database.queryAll({
    KeyConditionExpression: 'pk = :pk AND sk < :later',
    ExpressionAttributeValues: { ':pk': keys.intakes(taskId), ':later': timeKey(time + 1) },
  });
  return items.map((item) => intakeOf(taskId, item));
};

/** Contacts that were taken up and never leased, and some others. Read before task contacts. */
export const readTakenUp = async (database: Database, taskId: string): Promise<ReadonlySet<number>> =>
  new Set((await readIntakesUpTo(database, taskId, 0)).flatMap(({ seqs }) => seqs));

/** Whether the cursor has passed the contact of a sequence number that has no task contact. */
export const readPassed = async (database: Database, dial: DialState): Promise<(seq: number) => boolean> => {
  if (dial.passed === 0) return () => false;
  const takenUp = await readTakenUp(database, dial.taskId);
  return (seq) => seq < passedTo(dial) && !takenUp.has(seq);
};

export const readDialState = async (database: Database, taskId: string): Promise<DialState> =>
  dialStateOf(taskId, await database.get(keys.dialState(taskId)));

export const dialStateOf = (taskId: string, item: Item | undefined): DialState => ({
  taskId,
  cursor: Number(item?.cursor ?? 0),
  visibleTo: Number(item?.visibleTo ?? 0),
  claimed: Number(item?.claimed ?? 0),
  ahead: Number(item?.ahead ?? 0),
  passed: Number(item?.passed ?? 0),
  review: item?.review as DialState['review'],
  filteredSince: item?.filteredSince as Instant | undefined,
  lastMove: item?.stretch as DialState['lastMove'],
  recallPriorities: (item?.prios ?? []) as number[],
  recallNumber: Number(item?.recallNumber ?? 0),
  recalls: (item?.recalls ?? []) as RecallOfFailed[],
  isClosed: item?.isClosed as true | undefined,
  version: item?.v as number | undefined,
});

/**
 * The item for the next version after the one that was read, and the condition that nobody has
 * written it since.
 */
export const nextDialState = ({
  taskId,
  recallPriorities,
  lastMove,
  version,
  ...state
}: DialState): [item: Item, condition: Condition] => [
  { ...keys.dialState(taskId), ...state, stretch: lastMove, prios: recallPriorities, v: (version ?? 0) + 1 },
  ifUnchanged(version),
];
