/**
 * The service's own metrics, beside the metrics that AWS keeps of the API, the functions and the
 * table. All rooms name theirs here: alarms and the dashboard watch this one list.
 */
export const unitOf = {
  /** Rows of contact files that were imported. */
  RowsImported: 'Count',
  /** Rejected rows of contact files, such as duplicates. */
  RowsRefused: 'Count',
  /** Files that were refused as a whole. */
  ImportsFailed: 'Count',
  /** How long the oldest work of a kind has been due. Each run writes it; 0 without any. */
  EndAgeSeconds: 'Seconds',
  DeferredAgeSeconds: 'Seconds',
  ErasureAgeSeconds: 'Seconds',
  ImportAgeSeconds: 'Seconds',
  RemovalAgeSeconds: 'Seconds',
  OldCallsAgeSeconds: 'Seconds',
  /** Tasks that have had a contact to call for ten minutes while no dialer asked for calls. */
  TasksWithoutDialer: 'Count',
  ExportBytes: 'Bytes',
  /** Calls that dialers asked for. They get fewer if fewer contacts are due. */
  CallsAsked: 'Count',
  CallsLeased: 'Count',
  /** Lease requests that got no call and were told to ask again at once, for a waiting contact. */
  EmptyLeases: 'Count',
  CallsSucceeded: 'Count',
  CallsFailed: 'Count',
  CallsNotAnswered: 'Count',
  EventsPublished: 'Count',
  /** Events that the bus refused after all retries. The stream delivers them again. */
  EventsNotPublished: 'Count',
  /** Attempts to deliver to webhooks, and events whose delivery was given up. */
  DeliveriesSucceeded: 'Count',
  DeliveriesFailed: 'Count',
  DeliveriesGivenUp: 'Count',
  /**
   * Webhooks whose receiver has failed for 15 minutes or that the service switched off, and the age
   * of the oldest event that was not sent yet.
   */
  WebhooksFailing: 'Count',
  DeliveryAgeSeconds: 'Seconds',
} as const;

export type ServiceMetric = keyof typeof unitOf;

export const metricNamespace = 'Outbound';

/**
 * A log line that an alarm counts: a malformed or invalid token was refused. API Gateway refuses
 * requests without a token.
 */
export const tokenRefused = 'token refused';
