import type { FromSchema } from 'json-schema-to-ts';
import { type ContactStatus, contactId, type Fields, parseSeq } from '../../contacts/rules/contact.ts';
import { normalisePhone, readPhoneFilter } from '../../contacts/rules/phone-number.ts';
import { invalid } from '../../platform/rules/errors.ts';
import { isId, text } from '../../platform/rules/names.ts';
import { dayMs, type FormatTime, formatOrNull, type Instant, secondMs } from '../../platform/time/time.ts';
import { isPersonal } from '../../tasks/rules/dispositions.ts';
import type { Task } from '../../tasks/rules/task.ts';
import type { CallReason, Outcome } from '../../tasks/rules/task-settings.ts';
import type { TaskStatus } from '../../tasks/rules/task-states.ts';

/** One call handed to a dialer: the task, the contact's sequence number and the lease's nonce. */
export type Call = { taskId: string; seq: number; nonce: string };

/** Names a record: the call, and when it ended. */
export type CallRef = { taskId: string; seq: number; nonce: string; endTime: Instant };

const noncePattern = /^[0-9a-z]{1,16}$/;

export const callId = ({ taskId, seq, nonce }: Call): string => `${taskId}-${seq.toString(36)}-${nonce}`;

/** @returns undefined if no call can have the id */
export const parseCallId = (id: string): Call | undefined => {
  const [taskId = '', digits = '', nonce = '', ...rest] = id.split('-');
  const seq = parseSeq(digits);
  const isPossible = rest.length === 0 && isId(taskId) && noncePattern.test(nonce);
  return isPossible && seq !== undefined ? { taskId, seq, nonce } : undefined;
};

/** What a dialer gets. */
export type LeasedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  dataSourceId: string;
  phoneNumber: string;
  /** The number to call from; `null`: the dialer's own. */
  callerNumber: string | null;
  fields: Fields;
  /** From 1 in each allowance. */
  attempt: number;
  priority: number;
  leaseExpireTime: Instant;
  task: CallingTask;
};

/** What a dialer gets to know of the task of a call. */
type CallingTask = { taskName: string; callSettings: Readonly<Record<string, string>> };

/** A contact always gets the same number while the list is the same. */
export const callerNumberOf = ({ callerNumbers = [] }: Task, seq: number): string | null =>
  callerNumbers[seq % callerNumbers.length] ?? null;

/** What a dialer reports. `duration` is in seconds. */
export type SentResult = SentDetails & {
  callId: string;
  outcome: Outcome;
  reason?: CallReason | undefined;
  duration: number;
  /** When the person asked to be called. */
  callbackTime?: Instant | undefined;
  /** The person asked not to be called again. */
  doNotCall?: boolean | undefined;
  /** When dialing began; by default the time of the lease. */
  startTime?: Instant | undefined;
  /** The number that was really used. The default is the number of the lease. */
  callerNumber?: string | undefined;
};

const callbackDays = 30;
/** Seconds by which clocks may differ. */
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

/** The answer to a result. */
export type ResultAnswer = {
  callId: string;
  taskId: string;
  contactId: string;
  contactStatus: ContactStatus;
  final: boolean;
  taskStatus: TaskStatus;
};

/**
 * The call log: one line for each event of a call. It says which contact was called when, and never
 * has a phone number.
 */
export type CallEvent =
  | 'leased'
  | 'lapsed'
  | 'released'
  | 'reported'
  | 'refused'
  | 'notSelected'
  | 'blocked'
  | 'deferred';
type LoggedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  attempt: number;
  /** reported: how it ended; refused: the reason. */
  outcome?: Outcome;
  reason?: string;
};
export type LogCall = (move: CallEvent, call: LoggedCall) => void;

type CalledContact = Omit<Call, 'nonce'> & {
  dataSourceId: string;
  attempts: number;
  results: readonly { nonce: string }[];
};

/** The call to a contact under this lease. A contact's attempts count it once it is reported. */
export const describeCall = (
  { taskId, dataSourceId, seq, attempts, results }: CalledContact,
  nonce: string,
): LoggedCall => ({
  callId: callId({ taskId, seq, nonce }),
  taskId,
  contactId: contactId(dataSourceId, seq),
  attempt: results.some((reported) => reported.nonce === nonce) ? attempts : attempts + 1,
});

/** The format of each detail that a dialer may report about a call besides its result. */
export const callDetails = {
  disposition: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description: 'The business result. If the task declares dispositions, it must be one of their codes',
  },
  data: {
    title: 'CallData',
    type: 'object',
    maxProperties: 30,
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'What the dialer learned in the call, by name. At most 4 KB as JSON',
  },
  summary: { ...text, description: 'The call in a few sentences' },
  recordingUrl: {
    type: 'string',
    maxLength: 1000,
    description: 'The https address of the recording. The service never fetches it',
  },
  transcriptUrl: {
    type: 'string',
    maxLength: 1000,
    description: 'The https address of the transcript. The service never fetches it',
  },
  providerCallId: {
    type: 'string',
    maxLength: 128,
    description: "The id of the call at the dialer's provider",
  },
} as const;

type DetailName = keyof typeof callDetails;
export const detailNames = Object.keys(callDetails) as DetailName[];

type Sent = FromSchema<{
  readonly type: 'object';
  readonly properties: typeof callDetails;
  readonly additionalProperties: false;
}>;
export type CallData = NonNullable<Sent['data']>;
/** The details of a call; `null`: not reported. */
export type CallDetails = { [Name in DetailName]: NonNullable<Sent[Name]> | null };
/** Absent: not named. `null`: removed. */
export type SentDetails = { [Name in DetailName]?: CallDetails[Name] | undefined };

/** Bytes of the JSON in UTF-8. */
const dataLimit = 4096;

const assertAddress = (name: 'recordingUrl' | 'transcriptUrl', address: string): void => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' || !/^https:\/\//i.test(address))
    throw invalid(name, 'must be an address that begins with https://', 'BAD_FORMAT');
};

/** Checks what the schemas cannot say. @throws ServiceError invalid */
export const assertDetails = ({ data, recordingUrl, transcriptUrl }: SentDetails): void => {
  if (recordingUrl != null) assertAddress('recordingUrl', recordingUrl);
  if (transcriptUrl != null) assertAddress('transcriptUrl', transcriptUrl);
  if (data == null) return;
  const { length } = new TextEncoder().encode(JSON.stringify(data));
  if (length > dataLimit)
    throw invalid('data', `has ${length} bytes as JSON; at most ${dataLimit} are allowed`, 'TOO_LARGE');
};

/** The details that were sent. The others are `null`. */
export const detailsOf = (sent: SentDetails): CallDetails =>
  Object.fromEntries(detailNames.map((name) => [name, sent[name] ?? null])) as CallDetails;

/** A call that has ended. It is written with its result, and kept as long as its task. */
export type CallRecord = CallDetails & {
  taskId: string;
  dataSourceId: string;
  seq: number;
  nonce: string;
  /** As it was called. `null`: the person was erased. */
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
  /** The time of the last annotation. */
  updateTime: Instant | null;
  /** The person was erased. Nothing that a dialer learned is stored any more. */
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

/** Which calls of a task are wanted. Absent: all. `phoneNumber`: digits in the number. */
export type CallFilter = {
  [Name in 'outcome' | 'reason' | 'disposition' | 'phoneNumber']?: string;
};

export const callFilter = ({ phoneNumber, ...exact }: CallFilter): ((call: CallRecord) => boolean) => {
  const digits = readPhoneFilter(phoneNumber);
  const hasDigits = (number: string | null) => {
    if (digits === undefined) return true;
    if (digits === 'none' || number === null) return false;
    return number.includes(digits.plus ? `+${digits.digits}` : digits.digits);
  };
  const wanted = Object.entries(exact);
  return (call) =>
    wanted.every(([name, value]) => call[name as keyof typeof exact] === value) &&
    hasDigits(call.phoneNumber);
};
