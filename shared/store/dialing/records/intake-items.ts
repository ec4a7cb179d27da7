import { type DialState, passedTo } from '../../../domain/dialing/dial-state.ts';
import type { Intake } from '../../../domain/dialing/intake.ts';
import type { Instant } from '../../../domain/time.ts';
import {
  additionOf,
  type Database,
  type Item,
  keys,
  onlyIf,
  timeKey,
  unlessLost,
} from '../../table/index.ts';

export const intakeKey = ({ taskId, checkTime, seqs }: Intake) => keys.intake(taskId, checkTime, seqs[0]!);

export const intakeItem = (intake: Intake): Item => ({
  ...intakeKey(intake),
  seqs: intake.seqs,
  ...(intake.isSparse && { sparse: true }),
  ...(intake.handedOut && { handed: intake.handedOut.count, handedAt: intake.handedOut.time }),
});

/** Hands out the next contacts of a shared intake. Answers where they begin and end; `undefined` when none is left. */
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
  // Made twice, it leaves contacts behind, which a later request finds when the intake is used up.
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

/** The contacts that were taken up and never leased, and some that were. To be read before their task contacts. */
export const readTakenUp = async (database: Database, taskId: string): Promise<ReadonlySet<number>> => {
  const items = await database.queryAll({
    KeyConditionExpression: 'pk = :pk AND sk < :leased',
    ExpressionAttributeValues: { ':pk': keys.intakes(taskId), ':leased': timeKey(1) },
  });
  return new Set(items.flatMap(seqsOf));
};

/** Whether the cursor has passed the contact of a sequence number that has no task contact. */
export const readPassed = async (database: Database, dial: DialState): Promise<(seq: number) => boolean> => {
  if (dial.passed === 0) return () => false;
  const takenUp = await readTakenUp(database, dial.taskId);
  return (seq) => seq < passedTo(dial) && !takenUp.has(seq);
};
