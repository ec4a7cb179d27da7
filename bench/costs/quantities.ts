/** List prices of us-east-1 in dollars, for one of what the name says. Check them. */
export const prices = {
  write: 0.625e-6,
  read: 0.125e-6,
  /** Of the table with its backups, for a month. */
  storedGb: 0.45,
  request: 3.5e-6,
  run: 0.2e-6,
  gbSecond: 0.0000133334,
  event: 1e-6,
  queueRequest: 0.4e-6,
  logGb: 0.5,
  trace: 5e-6,
  token: 0.00225,
  /** Each for a month. */
  client: 6,
  alarmMetric: 0.1,
  ownMetric: 0.3,
  dashboard: 3,
  insightRule: 0.5,
} as const;

/** Units of the table. test/bench/budgets.test.ts compares them with what the operations use. */
export const units = {
  /** For each row. */
  import: { reads: 0.0013, writes: 2.02 },
  /** For each call, in leases of ten. */
  lease: { reads: 0.75, writes: 2 },
  result: { reads: 6, writes: 10 },
  idlePoll: { reads: 3, writes: 1 },
  overviewsOf20: { reads: 40.5, writes: 0 },
} as const;

/** A stage with default settings. The tests of the template compare them with it. */
export const stage = {
  clients: 2,
  alarmMetrics: 59,
  /** Written by the schedules, even if there are no calls. */
  idleMetrics: 7,
  ownMetrics: 28,
  countedInLogs: 4,
  /** Two keys: that of the table and that of its index. */
  insightRules: 4,
  /** Schedules of every minute and of every five minutes. */
  scheduledRuns: 30 * 24 * (60 + 12),
  scheduledReads: 12,
  scheduledLogBytes: 1000,
} as const;

/** The size of a request, a run and an event. */
export const weights = {
  gb: 0.5,
  requestSeconds: 0.05,
  streamRunSeconds: 0.05,
  deliveryRunSeconds: 0.16,
  callLogBytes: 2000,
  accessLogBytes: 420,
  traced: 0.05,
  /** Events of a call that ends: `call.ended` and `contact.settled`. */
  eventsOfCall: 2,
  /** Maximum for each event in the list. Events of one run share a page. */
  listWrites: 1,
  contactBytes: 600,
} as const;

/** A month of a stage with 100,000 calls a day. */
export const month = {
  contacts: 1_000_000,
  callsADay: 100_000,
  days: 30,
  hoursADay: 10,
  dialers: 4,
  requestsOfCall: 1.5,
  idlePollSeconds: 15,
  tokenHours: 12,
  storedGb: 1.5,
  /** One screen of the console, which shows twenty tasks. */
  consoleRequests: 200_000,
  /**
   * Shards of the table's stream. Each has its own runs of the functions that read it, at most one
   * a second.
   */
  shards: 4,
} as const;

/** A day of a very large user. */
export const largeDay = {
  contacts: 10_000_000,
  calls: 10_000_000,
  resultsTogether: 1,
  shards: 16,
  hours: 7,
} as const;

/** A delivery to a webhook: a run for each second with calls, with these units. */
export const delivery = { writes: 3, reads: 10, queueRequests: 3, rowsOfEvent: 1 } as const;
