import { type DialState, passedTo } from '../../../domain/dialing/dial-state.ts';
import type { Intake } from '../../../domain/dialing/intake.ts';
import { type Database, type Item, keys, timeKey } from '../../table/index.ts';

export const intakeKey = ({ taskId, checkTime, seqs }: Intake) => keys.intake(taskId, checkTime, seqs[0]!);

export const intakeItem = (intake: Intake): Item => ({
  ...intakeKey(intake),
  seqs: intake.seqs,
  ...(intake.isSparse && { sparse: true }),
});

/** Release 0.2 stored `contacts`: each sequence number, and since when the contact waits. */
const seqsOf = ({ seqs, contacts }: Item): number[] =>
  (seqs as number[] | undefined) ?? (contacts as number[]).filter((_, at) => at % 2 === 0);

export const intakeOf = (taskId: string, item: Item): Intake => ({
  taskId,
  checkTime: Number.parseInt(item.sk, 10),
  seqs: seqsOf(item),
  ...(item.sparse === true && { isSparse: true }),
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
