import type { Outcome } from '../domain/dialing.ts';
import type { Instant } from '../domain/time.ts';

/** What Connect knows about the end of one of its contacts. */
export type EndedContact = {
  connected: Instant | undefined;
  disconnected: Instant | undefined;
  reason: string | undefined;
};

/** The call could not be made at all. Whoever is busy or away may answer the next one: no answer. */
const failures: ReadonlySet<string> = new Set([
  'TELECOM_NUMBER_INVALID',
  'TELECOM_POTENTIAL_BLOCKING',
  'TELECOM_PROBLEM',
  'OUTBOUND_DESTINATION_ENDPOINT_ERROR',
  'OUTBOUND_RESOURCE_ERROR',
  'OUTBOUND_ATTEMPT_FAILED',
  'EXPIRED',
]);
const unanswered: ReadonlySet<string> = new Set([
  'TELECOM_BUSY',
  'TELECOM_UNANSWERED',
  'TELECOM_TIMEOUT',
  'TELECOM_ORIGINATOR_CANCEL',
]);

const secondMs = 1000;
/** Connect fills a time that never was with the first moment of 1970. */
const dayMs = 24 * 60 * 60 * secondMs;

/** Epoch milliseconds of one of Connect's times, as it stands in an event or comes from the SDK. */
export const connectTime = (time: string | Date | undefined): Instant | undefined => {
  const instant = time === undefined ? Number.NaN : new Date(time).getTime();
  return instant > dayMs ? instant : undefined;
};

/** `undefined` while the contact has not ended. The reasons are those of Connect's contact records. */
export const outcomeOf = ({
  connected,
  disconnected,
  reason = '',
}: EndedContact): { outcome: Outcome; duration: number } | undefined => {
  if (disconnected === undefined) return undefined;
  if (failures.has(reason)) return { outcome: 'failed', duration: 0 };
  if (connected === undefined || unanswered.has(reason)) return { outcome: 'noAnswer', duration: 0 };
  return { outcome: 'success', duration: Math.max(0, Math.round((disconnected - connected) / secondMs)) };
};
