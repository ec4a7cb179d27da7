import type { CallReason, Outcome } from '../domain/dialing/dialing.ts';
import { dayMs, type Instant, secondMs } from '../domain/time.ts';

/** What Connect knows about the end of a contact. */
export type EndedContact = {
  /** When Connect began to dial. */
  initiated?: Instant | undefined;
  connected: Instant | undefined;
  disconnected: Instant | undefined;
  reason: string | undefined;
  /** What Connect's detection of answering machines found, where it was asked to. */
  answeredBy?: string | undefined;
};

/** The call could not be made at all. A person who is busy or away may answer the next call: `unanswered`. */
const failures: ReadonlyMap<string, CallReason> = new Map([
  ['TELECOM_NUMBER_INVALID', 'invalidNumber'],
  ['TELECOM_POTENTIAL_BLOCKING', 'rejected'],
  ['TELECOM_PROBLEM', 'networkError'],
  ['OUTBOUND_DESTINATION_ENDPOINT_ERROR', 'unreachable'],
  ['OUTBOUND_RESOURCE_ERROR', 'networkError'],
  ['OUTBOUND_ATTEMPT_FAILED', 'networkError'],
  ['EXPIRED', 'other'],
]);
const unanswered: ReadonlyMap<string, CallReason> = new Map([
  ['TELECOM_BUSY', 'busy'],
  ['TELECOM_UNANSWERED', 'noAnswer'],
  ['TELECOM_TIMEOUT', 'noAnswer'],
  ['TELECOM_ORIGINATOR_CANCEL', 'other'],
]);

const voicemail: ReadonlySet<string> = new Set(['VOICEMAIL_BEEP', 'VOICEMAIL_NO_BEEP']);

/** Connect's time, from an event or from the SDK. Connect fills an absent time with the first moment of 1970. */
export const connectTime = (time: string | Date | undefined): Instant | undefined => {
  const instant = time === undefined ? Number.NaN : new Date(time).getTime();
  return instant > dayMs ? instant : undefined;
};

/** `undefined` while the contact has not ended. The reasons are those of Connect's contact records. */
export const outcomeOf = ({
  connected,
  disconnected,
  reason = '',
  answeredBy = '',
}: EndedContact): { outcome: Outcome; reason?: CallReason; duration: number } | undefined => {
  if (disconnected === undefined) return undefined;
  const failure = failures.get(reason);
  if (failure !== undefined) return { outcome: 'failed', reason: failure, duration: 0 };
  const why = unanswered.get(reason);
  if (why !== undefined) return { outcome: 'noAnswer', reason: why, duration: 0 };
  if (voicemail.has(answeredBy)) return { outcome: 'noAnswer', reason: 'voicemail', duration: 0 };
  if (connected === undefined) return { outcome: 'noAnswer', duration: 0 };
  return { outcome: 'success', duration: Math.max(0, Math.round((disconnected - connected) / secondMs)) };
};

/** The `detail` of an "Amazon Connect Contact Event"; AWS documents it in two spellings. */
export type ContactEventDetail = Readonly<Record<string, unknown>>;

export type EndOfCall = EndedContact & { contactId: string };

/**
 * The end of a call that was started through the API; `undefined` for every other event. Only the first contact
 * of a call counts: a transfer adds contacts that are not our calls.
 */
export const endOfCall = (detail: ContactEventDetail): EndOfCall | undefined => {
  const text = (name: string): string | undefined => {
    const value = detail[name] ?? detail[name[0]?.toUpperCase() + name.slice(1)];
    return typeof value === 'string' ? value : undefined;
  };
  const contactId = text('contactId');
  if (contactId === undefined || text('eventType') !== 'DISCONNECTED') return undefined;
  if (text('channel')?.toUpperCase() !== 'VOICE' || text('initiationMethod') !== 'API') return undefined;
  return {
    contactId,
    initiated: connectTime(text('initiationTimestamp')),
    connected: connectTime(text('connectedToSystemTimestamp')),
    disconnected: connectTime(text('disconnectTimestamp')),
    reason: text('disconnectReason'),
  };
};
