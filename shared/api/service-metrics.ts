/** The metrics of our own besides those AWS keeps of the API, the functions and the table. */
export const unitOf = {
  /** Rows of contact files that became contacts. */
  RowsImported: 'Count',
  /** Rows of contact files that did not, such as duplicates. */
  RowsRefused: 'Count',
  ImportsFailed: 'Count',
  ExportBytes: 'Bytes',
  CallsLeased: 'Count',
  CallsSucceeded: 'Count',
  CallsFailed: 'Count',
  CallsNotAnswered: 'Count',
  /** Contacts that were due when a lease found no more room, as far as it looked. */
  CallsWaiting: 'Count',
  EventsPublished: 'Count',
} as const;

export type ServiceMetric = keyof typeof unitOf;

export const metricNamespace = 'Outbound';
