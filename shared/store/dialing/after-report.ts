import {
  type Consequence,
  consequenceOf,
  type Outcome,
  recallDue,
  toMilliseconds,
} from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { DialState } from './dial-state.ts';
import { isOfEarlierRound, type Reported, type TaskContact } from './task-contact.ts';

/** What a result meets. */
export type Situation = { task: Task; dial: DialState; taskContact: TaskContact; isDeleted: boolean };

/** The task contact once the call is counted. */
export const afterReport = (
  situation: Situation,
  nonce: string,
  { outcome, duration }: Pick<Reported, 'outcome' | 'duration'>,
  now: Instant,
): { taskContact: TaskContact; reported: Reported } => {
  const { dial, taskContact } = situation;
  const attempts = taskContact.attempts + (isOfEarlierRound(taskContact) ? 0 : 1);
  const { state, due } = stateAfter(situation, outcome, attempts, now);
  const reported = { nonce, outcome, duration, final: state !== 'waiting' };
  return {
    reported,
    taskContact: {
      ...taskContact,
      state,
      attempts,
      due,
      outcome,
      lastCallTime: now,
      callCount: taskContact.callCount + 1,
      duration: toMilliseconds(taskContact.duration + duration),
      epoch: dial.epoch,
      reports: [...taskContact.reports, reported],
    },
  };
};

/** A deleted contact waits for no further call; one that was settled already stays so. */
const stateAfter = (
  { task, taskContact, isDeleted }: Situation,
  outcome: Outcome,
  attempts: number,
  now: Instant,
): Pick<TaskContact, 'state' | 'due'> => {
  const { state, due } = taskContact;
  if (state === 'gone') return { state, due };
  const consequence: Consequence = isOfEarlierRound(taskContact)
    ? { final: false, due: recallDue(task, due, now) }
    : consequenceOf(task, outcome, attempts, now);
  if (consequence.final) return { state: 'final', due };
  return isDeleted ? { state: 'gone', due } : { state: 'waiting', due: consequence.due };
};
