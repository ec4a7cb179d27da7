import type { Outcome } from '../domain/dialing/dialing.ts';

/** The metrics of our own besides those AWS keeps of the API, the functions and the table. */
export const unitOf = {
  /** Rows of contact files that became contacts. */
  RowsImported: 'Count',
  /** Rows of contact files that did not, such as duplicates. */
  RowsRefused: 'Count',
  /** Files that could not be imported at all. */
  ImportsFailed: 'Count',
  /** Since it first began, told at each sweep; 0 where none runs. */
  ImportAgeSeconds: 'Seconds',
  ExportBytes: 'Bytes',
  /** What dialers asked for; where they get less, nothing more is due. */
  CallsAsked: 'Count',
  CallsLeased: 'Count',
  CallsSucceeded: 'Count',
  CallsFailed: 'Count',
  CallsNotAnswered: 'Count',
  EventsPublished: 'Count',
  /** Refused by the event bus after all attempts; the stream brings them again. */
  EventsNotPublished: 'Count',
} as const;

export type ServiceMetric = keyof typeof unitOf;

/** What a call that ended so counts as. */
export const metricOf = {
  success: 'CallsSucceeded',
  failed: 'CallsFailed',
  noAnswer: 'CallsNotAnswered',
} as const satisfies Record<Outcome, ServiceMetric>;

export const metricNamespace = 'Outbound';
