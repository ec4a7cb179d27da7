import { assertDetails, type SentDetails } from '../calls/call-details.ts';
import type { Fields } from '../contacts/contact.ts';
import { contactId } from '../contacts/contact-id.ts';
import { normalisePhone } from '../contacts/phone-number.ts';
import { invalid } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskStatus } from '../tasks/task-states.ts';
import { dayMs, type Instant, secondMs } from '../time.ts';
import type { CallReason, Outcome, OutcomeStatus } from './dialing.ts';
import type { TaskContact } from './task-contact.ts';

/** One call handed to a dialer: the task, the contact's sequence number and the lease it came with. */
export type Call = { taskId: string; seq: number; nonce: string };

const seqPattern = /^(?:0|[1-9a-z][0-9a-z]{0,5})$/;
const noncePattern = /^[0-9a-z]{1,16}$/;
const maxSeq = 999_999_999;

export const callId = ({ taskId, seq, nonce }: Call): string => `${taskId}-${seq.toString(36)}-${nonce}`;

/** `undefined` when no call can bear the id. */
export const parseCallId = (id: string): Call | undefined => {
  const [taskId = '', digits = '', nonce = '', ...rest] = id.split('-');
  if (rest.length > 0 || !isId(taskId) || !seqPattern.test(digits) || !noncePattern.test(nonce))
    return undefined;
  const seq = Number.parseInt(digits, 36);
  return seq <= maxSeq ? { taskId, seq, nonce } : undefined;
};

/** What a dialer is given. */
export type LeasedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  dataSourceId: string;
  phoneNumber: string;
  /** To call from; `null`: the dialer's own. */
  callerNumber: string | null;
  fields: Fields;
  /** From 1 in each allowance. */
  attempt: number;
  priority: number;
  leaseExpireTime: Instant;
  task: CallingTask;
};

/** What a dialer is told of the task of a call. */
export type CallingTask = { taskName: string; callSettings: Readonly<Record<string, string>> };

/** The same number for a contact as long as the list is the same. */
export const callerNumberOf = ({ callerNumbers = [] }: Task, seq: number): string | null =>
  callerNumbers[seq % callerNumbers.length] ?? null;

/** What it sends back; `duration` in seconds. */
export type SentResult = SentDetails & {
  callId: string;
  outcome: Outcome;
  reason?: CallReason | undefined;
  duration: number;
  /** The person asked to be called then. */
  callbackTime?: Instant | undefined;
  /** The person asked not to be called again. */
  doNotCall?: boolean | undefined;
  /** When dialing began; by default the time of the lease. */
  startTime?: Instant | undefined;
  /** The number that was really used; by default the number of the lease. */
  callerNumber?: string | undefined;
};

const callbackDays = 30;
/** In seconds: what clocks may differ by. */
const aheadAtMost = 60;

/** @throws ServiceError invalid */
export const assertResult = (sent: SentResult, now: Instant): void => {
  const { callbackTime, doNotCall, startTime, callerNumber } = sent;
  assertDetails(sent);
  if (callerNumber !== undefined && normalisePhone(callerNumber) === undefined)
    throw invalid('callerNumber', 'must be an optional + and 3 to 15 digits', 'BAD_FORMAT');
  if (startTime !== undefined && startTime > now + aheadAtMost * secondMs)
    throw invalid('startTime', `must not be more than ${aheadAtMost} seconds in the future`, 'TOO_LARGE');
  if (callbackTime === undefined) return;
  if (doNotCall) throw invalid('callbackTime', 'must not be given together with doNotCall');
  if (callbackTime > now + callbackDays * dayMs)
    throw invalid('callbackTime', `must be at most ${callbackDays} days ahead`, 'TOO_LARGE');
};

/** What it is answered. */
export type ResultAnswer = {
  callId: string;
  taskId: string;
  contactId: string;
  contactStatus: OutcomeStatus;
  final: boolean;
  taskStatus: TaskStatus;
};

/** The call log: one line for each event of a call. It says which contact was called when, and never a phone number. */
export type CallEvent =
  | 'leased'
  | 'lapsed'
  | 'released'
  | 'reported'
  | 'refused'
  | 'notSelected'
  | 'blocked'
  | 'deferred';
export type LoggedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  attempt: number;
  /** reported: how it ended; refused: why. */
  outcome?: Outcome;
  reason?: string;
};
export type LogCall = (move: CallEvent, call: LoggedCall) => void;

/** The call to a contact with that lease; a contact's attempts count it once it is reported. */
export const describeCall = (
  { taskId, dataSourceId, seq, attempts, results }: TaskContact,
  nonce: string,
): LoggedCall => ({
  callId: callId({ taskId, seq, nonce }),
  taskId,
  contactId: contactId(dataSourceId, seq),
  attempt: results.some((reported) => reported.nonce === nonce) ? attempts : attempts + 1,
});
