import { contactId } from '../contacts/contact-id.ts';
import { callId } from '../dialing/call.ts';
import type { CallReason, Outcome } from '../dialing/dialing.ts';
import type { Task } from '../tasks/task.ts';
import { type FormatTime, formatOrNull, type Instant } from '../time.ts';
import { type CallDetails, detailNames } from './call-details.ts';
import { isPersonal } from './dispositions.ts';

/** A call that has ended, as it is counted: written with its result, and kept as long as its task. */
export type CallRecord = CallDetails & {
  taskId: string;
  dataSourceId: string;
  seq: number;
  nonce: string;
  /** As it was called; `null`: the person was erased. */
  phoneNumber: string | null;
  callerNumber: string | null;
  attempt: number;
  startTime: Instant;
  endTime: Instant;
  /** Seconds. */
  duration: number;
  outcome: Outcome;
  reason: CallReason | null;
  final: boolean;
  callbackTime: Instant | null;
  doNotCall: boolean | null;
  /** The client that reported. */
  reportedBy: string | null;
  /** Of the last annotation. */
  updateTime: Instant | null;
  /** The person was erased: nothing that a dialer learned is stored any more. */
  isErased: boolean;
};

export const callView = (call: CallRecord, format: FormatTime) => ({
  callId: callId(call),
  taskId: call.taskId,
  contactId: contactId(call.dataSourceId, call.seq),
  dataSourceId: call.dataSourceId,
  phoneNumber: call.phoneNumber,
  callerNumber: call.callerNumber,
  attempt: call.attempt,
  startTime: format(call.startTime),
  endTime: format(call.endTime),
  duration: call.duration,
  outcome: call.outcome,
  reason: call.reason,
  final: call.final,
  callbackTime: formatOrNull(call.callbackTime, format),
  doNotCall: call.doNotCall,
  ...(Object.fromEntries(detailNames.map((name) => [name, call[name]])) as CallDetails),
  reportedBy: call.reportedBy,
  updateTime: formatOrNull(call.updateTime, format),
});

/** What stays of a call when its person is erased. */
export const erasedCall = <C extends CallRecord>(call: C, task: Pick<Task, 'dispositions'>): C => ({
  ...call,
  phoneNumber: null,
  data: null,
  summary: null,
  recordingUrl: null,
  transcriptUrl: null,
  providerCallId: null,
  disposition: call.disposition !== null && isPersonal(task, call.disposition) ? null : call.disposition,
  isErased: true,
});
