import type { CallData } from '../../domain/calls/call-details.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { CallReason, Outcome } from '../../domain/dialing/dialing.ts';
import type { CallRef } from '../../domain/dialing/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import { type Item, keys } from '../table/index.ts';

/** Attributes that are written where they are given. `data` is one JSON string: no name can clash with an attribute. */
const optional = {
  phone: 'phoneNumber',
  caller: 'callerNumber',
  reason: 'reason',
  callback: 'callbackTime',
  doNotCall: 'doNotCall',
  disposition: 'disposition',
  summary: 'summary',
  recording: 'recordingUrl',
  transcript: 'transcriptUrl',
  provider: 'providerCallId',
  by: 'reportedBy',
  updated: 'updateTime',
} as const satisfies Record<string, keyof CallRecord>;

export const keyOfCall = ({ taskId, seq, endTime, nonce }: CallRef) => keys.call(taskId, seq, endTime, nonce);

/** `counted`: the disposition that the call is counted under, empty if it was not declared. */
export type StoredCall = CallRecord & { counted: string | null; version: number };

export const itemOfCall = (call: StoredCall): Item => ({
  ...keyOfCall(call),
  task: call.taskId,
  ds: call.dataSourceId,
  attempt: call.attempt,
  started: call.startTime,
  ended: call.endTime,
  secs: call.duration,
  outcome: call.outcome,
  ...(call.final && { final: true }),
  ...Object.fromEntries(
    Object.entries(optional).flatMap(([attribute, name]) =>
      call[name] === null ? [] : [[attribute, call[name]]],
    ),
  ),
  ...(call.data !== null && { data: JSON.stringify(call.data) }),
  ...(call.counted !== null && { counted: call.counted }),
  ...(call.isErased && { erased: true }),
  v: call.version,
});

export const callOfItem = (item: Item): StoredCall => {
  const [, seq = '', nonce = ''] = item.sk.split('#');
  const given = Object.fromEntries(
    Object.entries(optional).map(([attribute, name]) => [name, item[attribute] ?? null]),
  ) as Pick<CallRecord, (typeof optional)[keyof typeof optional]>;
  return {
    taskId: item.task as string,
    dataSourceId: item.ds as string,
    seq: Number(seq),
    nonce,
    attempt: item.attempt as number,
    startTime: item.started as Instant,
    endTime: item.ended as Instant,
    duration: item.secs as number,
    outcome: item.outcome as Outcome,
    final: item.final === true,
    ...given,
    reason: given.reason as CallReason | null,
    data: item.data === undefined ? null : (JSON.parse(item.data as string) as CallData),
    counted: (item.counted as string | undefined) ?? null,
    isErased: item.erased === true,
    version: item.v as number,
  };
};
