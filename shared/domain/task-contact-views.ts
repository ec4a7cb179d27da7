import type { CallReason } from './call-reasons.ts';
import type { Contact } from './contact.ts';
import type { Outcome } from './dialing.ts';
import type { FormatTime, Instant } from './time.ts';

/** What a contact's standing in a task is called. `success`, `failed`, `noAnswer` and `blocked` are final. */
export const contactOutcomes = [
  'notDialed',
  'inCall',
  'waiting',
  'success',
  'failed',
  'noAnswer',
  'blocked',
] as const;
export type ContactOutcome = (typeof contactOutcomes)[number];

export type PastCall = {
  /** Not known of calls before it was kept. */
  time: Instant | null;
  outcome: Outcome;
  reason: CallReason | null;
  /** Seconds. */
  duration: number;
};

/** A contact with the eyes of one task. */
export type ContactStanding = {
  outcome: ContactOutcome;
  /** Calls since it was taken up or last recalled. */
  attempts: number;
  nextCallTime: Instant | null;
  /** The last 20 at most, oldest first. */
  calls: readonly PastCall[];
};

export const untouched: ContactStanding = {
  outcome: 'notDialed',
  attempts: 0,
  nextCallTime: null,
  calls: [],
};

export const taskContactRow = (
  { id, phoneNumber, fields }: Pick<Contact, 'id' | 'phoneNumber' | 'fields'>,
  { outcome, attempts, nextCallTime, calls }: ContactStanding,
  format: FormatTime,
) => ({
  contactId: id,
  phoneNumber,
  fields,
  outcome,
  attempts,
  nextCallTime: nextCallTime === null ? null : format(nextCallTime),
  calls: calls.map((call) => ({ ...call, time: call.time === null ? null : format(call.time) })),
});
