import { isInCall, isOutOfLine } from '../../domain/dialing/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database } from '../table/index.ts';
import { keys } from '../table/index.ts';
import { intakeOf } from './intakes.ts';
import type { TaskContacts } from './task-contacts.ts';

/** The contacts whose first call has not ended, by sequence number. */
type FirstCalls = {
  inCall: number[];
  /** Their first lease has expired: they wait, but are not in line. */
  lapsed: number[];
  /** Taken up but not called yet. */
  untouched: number[];
};

export const readFirstCalls = async (
  database: Database,
  taskContacts: TaskContacts,
  taskId: string,
  now: Instant,
): Promise<FirstCalls> => {
  const intakes = await database.queryAll({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.intakes(taskId) },
  });
  const seqs = intakes.flatMap((item) => intakeOf(taskId, item).seqs);
  const listed = [...new Set(seqs)].sort((a, b) => a - b);
  const found = await taskContacts.among(taskId, listed);
  const known = new Set(found.map(({ seq }) => seq));
  const leased = found.filter(isOutOfLine);
  return {
    inCall: leased.filter((contact) => isInCall(contact, now)).map(({ seq }) => seq),
    lapsed: leased.filter((contact) => !isInCall(contact, now)).map(({ seq }) => seq),
    untouched: listed.filter((seq) => !known.has(seq)),
  };
};
