import type { Outcome } from '../domain/dialing/dialing.ts';

/** The service's own metrics, beside the metrics that AWS keeps of the API, the functions and the table. */
export const unitOf = {
  /** Rows of contact files that were imported. */
  RowsImported: 'Count',
  /** Rejected rows of contact files, such as duplicates. */
  RowsRefused: 'Count',
  /** Files that were refused as a whole. */
  ImportsFailed: 'Count',
  /** Age of the oldest unfinished import since its first start, written at each sweep; 0 without one. */
  ImportAgeSeconds: 'Seconds',
  /** Age of the oldest deletion whose items have not all been removed, written at each sweep; 0 without one. */
  RemovalAgeSeconds: 'Seconds',
  ExportBytes: 'Bytes',
  /** Calls that dialers asked for. They get fewer calls when no more contacts are due. */
  CallsAsked: 'Count',
  CallsLeased: 'Count',
  CallsSucceeded: 'Count',
  CallsFailed: 'Count',
  CallsNotAnswered: 'Count',
  EventsPublished: 'Count',
  /** Events that the bus refused after all retries. The stream delivers them again. */
  EventsNotPublished: 'Count',
} as const;

export type ServiceMetric = keyof typeof unitOf;

/** The metric that counts calls of an outcome. */
export const metricOf = {
  success: 'CallsSucceeded',
  failed: 'CallsFailed',
  noAnswer: 'CallsNotAnswered',
} as const satisfies Record<Outcome, ServiceMetric>;

export const metricNamespace = 'Outbound';
