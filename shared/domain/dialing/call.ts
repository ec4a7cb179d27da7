import type { Fields } from '../contacts/contact.ts';
import { contactId } from '../contacts/contact-id.ts';
import type { TaskStatus } from '../tasks/task-states.ts';
import type { Instant } from '../time.ts';
import { callId } from './call-id.ts';
import type { CallReason } from './call-reasons.ts';
import type { Outcome, OutcomeStatus } from './dialing.ts';
import type { TaskContact } from './task-contact.ts';

/** What a dialer is given. */
export type LeasedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  dataSourceId: string;
  phoneNumber: string;
  fields: Fields;
  /** From 1 in each allowance. */
  attempt: number;
  priority: number;
  leaseExpireTime: Instant;
};

/** What it sends back; `duration` in seconds. */
export type CallReport = {
  callId: string;
  outcome: Outcome;
  reason?: CallReason | undefined;
  duration: number;
};

/** What it is answered. */
export type CallResult = {
  callId: string;
  taskId: string;
  contactId: string;
  contactStatus: OutcomeStatus;
  final: boolean;
  taskStatus: TaskStatus;
};

/** What becomes of a call, told once each: enough to say who was called when, and never a phone number. */
export type CallMove = 'leased' | 'lapsed' | 'released' | 'reported' | 'refused' | 'blocked' | 'deferred';
export type TracedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  attempt: number;
  /** reported: how it ended; refused: why. */
  outcome?: Outcome;
  reason?: string;
};
export type TraceCall = (move: CallMove, call: TracedCall) => void;

/** The call to a contact with that lease; a contact's attempts count it once it is reported. */
export const tracedCall = (
  { taskId, dataSourceId, seq, attempts, reports }: TaskContact,
  nonce: string,
): TracedCall => ({
  callId: callId({ taskId, seq, nonce }),
  taskId,
  contactId: contactId(dataSourceId, seq),
  attempt: reports.some((reported) => reported.nonce === nonce) ? attempts : attempts + 1,
});
