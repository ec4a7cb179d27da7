import type { CallRef } from '../../calls/rules/call.ts';
import type { EndedCallTime, TaskContact } from './task-contact.ts';

const endedCalls = ({ earlier, results }: TaskContact): EndedCallTime[] => [...earlier, ...results];

export const wasReported = (contact: TaskContact, nonce: string): boolean =>
  endedCalls(contact).some((call) => call.nonce === nonce);

/** Every call of the contact that was counted, oldest first. */
export const callRefs = (contact: TaskContact): CallRef[] =>
  endedCalls(contact).map(({ nonce, time }) => ({
    taskId: contact.taskId,
    seq: contact.seq,
    nonce,
    endTime: time,
  }));

/**
 * Without its calls, except for their ends, because the person was erased. The counts stay, and so
 * does a lease that was not reported, whose result still counts. A reported lease is removed with
 * its result, so that the result is not counted again.
 */
export const forgetCalls = (contact: TaskContact): TaskContact => {
  const earlier = endedCalls(contact).map(({ nonce, time }) => ({ nonce, time }));
  const forgotten = { ...contact, results: [], earlier };
  const { lease } = contact;
  if (lease === null) return forgotten;
  const kept = { ...lease, calledNumber: undefined, isErased: true as const };
  if (forgotten.state === 'leased') return { ...forgotten, lease: kept };
  const isReported = contact.results.some(({ nonce }) => nonce === lease.nonce);
  return { ...forgotten, lease: isReported ? null : kept };
};

/** Whether nothing is left to forget. */
export const isForgotten = ({ results, lease }: TaskContact): boolean =>
  results.length === 0 && (lease === null || lease.isErased === true);
