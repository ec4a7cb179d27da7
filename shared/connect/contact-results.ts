import type { SentResult } from '../calls/rules/call.ts';
import { metricOf } from '../dialing/call-metrics.ts';
import type { Dialer } from '../dialing/dialer.ts';
import type { ServiceMetric } from '../platform/observability/service-metrics.ts';
import { ServiceError } from '../platform/rules/errors.ts';
import { type Instant, secondMs } from '../platform/time/time.ts';
import type { CallReason, Outcome } from '../tasks/rules/task-settings.ts';
import type { ConnectCalls } from './connect-calls.ts';
import { type ConnectInstance, connectTime, type EndedContact } from './connect-instance.ts';

/**
 * The call could not be made at all. `unanswered` is different: a person who is busy or away may
 * answer the next call.
 */
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

/**
 * The reasons are those of Connect's contact records.
 * @returns undefined while the contact has not ended
 */
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

/** The `detail` of an "Amazon Connect Contact Event". AWS documents it in two spellings. */
export type ContactEventDetail = Readonly<Record<string, unknown>>;

export type EndOfCall = EndedContact & { contactId: string };

/**
 * The end of a call that was started through the API. Only the first contact of a call counts,
 * because a transfer adds contacts that are not our calls.
 * @returns undefined for every other event
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

type Dependencies = {
  connect: ConnectInstance;
  calls: ConnectCalls;
  dialer: Dialer;
  now: () => Instant;
  warn: (message: string, details: Record<string, unknown>) => void;
  count: (name: ServiceMetric, value: number) => void;
};

/** Turns the end of a contact in Amazon Connect into the result of a call. */
export class ContactResults {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Reports the end of a contact. Connect's answer takes precedence over its event, which fills the
   * gaps: for a moment the two may differ. A contact without a call of ours is ignored.
   * @returns whether the contact has ended
   */
  async reportIfEnded(contactId: string, reported?: EndedContact): Promise<boolean> {
    const contact = await this.#deps.connect.find(contactId);
    if (contact?.callId === undefined) return true;
    const result = outcomeOf({
      connected: contact.connected ?? reported?.connected,
      disconnected: contact.disconnected ?? reported?.disconnected,
      reason: contact.reason ?? reported?.reason,
      answeredBy: contact.answeredBy,
    });
    if (result === undefined) return false;
    const { callId, callerNumber, recordingUrl } = contact;
    const initiated = contact.initiated ?? reported?.initiated;
    // Connect's clock may be ahead of ours. A result must not be refused because of that.
    const startTime = initiated && Math.min(initiated, this.#deps.now());
    await this.report({
      callId,
      startTime,
      callerNumber,
      recordingUrl,
      providerCallId: contactId,
      ...result,
    });
    return true;
  }

  /** A result counts once, however often it is reported. One that comes too late is dropped. */
  async report(result: SentResult): Promise<void> {
    const { dialer, calls, now, warn, count } = this.#deps;
    try {
      await dialer.results.report(result, now());
      count(metricOf[result.outcome], 1);
    } catch (error) {
      if (!(error instanceof ServiceError) || !isTooLate(error)) throw error;
      warn('result dropped', { callId: result.callId, outcome: result.outcome, reason: error.message });
    }
    await calls.end(result.callId);
  }
}

const isTooLate = ({ code }: ServiceError) => code === 'conflict' || code === 'notFound';
