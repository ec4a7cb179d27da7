import { delivery, largeDay, month, prices, stage, units, weights } from './quantities.ts';

export type Line = { what: string; dollars: number };
export type CostTable = { lines: Line[]; total: number };

const tableOf = (lines: Line[]): CostTable => ({
  lines,
  total: lines.reduce((sum, { dollars }) => sum + dollars, 0),
});

const gb = 1e9;
const idleNoteSeconds = 20;
const idlePollRunSeconds = 0.03;
const { write, read, request, run, gbSecond, event, logGb, trace } = prices;

const runs = (count: number, seconds: number) => count * (run + weights.gb * seconds * gbSecond);
const requests = (count: number) => runs(count, weights.requestSeconds);
const callWrites = units.lease.writes + units.result.writes;
const callReads = units.lease.reads + units.result.reads;
const events = (calls: number) => calls * weights.eventsOfCall;
/** Two functions read the stream. Each runs at most once a second for each shard. */
const streamRuns = (shards: number, seconds: number) => 2 * shards * seconds;

/** Contacts are imported, each is called once, and each outcome is published. */
export const campaign = (contacts: number): CostTable => {
  const asked = contacts * 1.1;
  return tableOf([
    { what: 'Import', dollars: contacts * units.import.writes * write },
    { what: 'Writes of calls', dollars: contacts * callWrites * write },
    { what: 'Reads of calls', dollars: contacts * callReads * read },
    { what: 'Requests: 1.1 for each contact', dollars: asked * request },
    { what: 'Functions', dollars: requests(asked) },
    {
      what: 'Events on the bus and in the list',
      dollars: events(contacts) * (event + weights.listWrites * write),
    },
    {
      what: 'Logs',
      dollars: ((contacts * weights.callLogBytes + asked * weights.accessLogBytes) / gb) * logGb,
    },
  ]);
};

const fixed = (): Line[] => [
  { what: `Cognito: ${stage.clients} clients for programs`, dollars: stage.clients * prices.client },
  {
    what: `Alarms: ${stage.alarmMetrics} metrics that they watch`,
    dollars: stage.alarmMetrics * prices.alarmMetric,
  },
  { what: 'The dashboard', dollars: prices.dashboard },
  { what: `Throttled keys: ${stage.insightRules} rules`, dollars: stage.insightRules * prices.insightRule },
  {
    what: `Schedules: ${stage.scheduledRuns.toLocaleString('en')} runs, with their reads and logs`,
    dollars:
      runs(stage.scheduledRuns, weights.streamRunSeconds) +
      stage.scheduledRuns * stage.scheduledReads * read +
      ((stage.scheduledRuns * stage.scheduledLogBytes) / gb) * logGb,
  },
];

export const idleMonth = (): CostTable =>
  tableOf([
    ...fixed(),
    {
      what: `Metrics of our own: ${stage.idleMetrics}, which the schedules write`,
      dollars: stage.idleMetrics * prices.ownMetric,
    },
  ]);

const seconds = month.days * month.hoursADay * 3600;
const calls = month.callsADay * month.days;

export const busyMonth = (): CostTable => {
  const idlePolls = (month.dialers * month.days * (24 - month.hoursADay) * 3600) / month.idlePollSeconds;
  const made = calls * month.requestsOfCall + idlePolls + month.consoleRequests;
  const looked = (month.consoleRequests * units.overviewsOf20.reads) / 2;
  return tableOf([
    {
      what: 'Writes of calls, and of one import',
      dollars:
        (calls * callWrites + month.contacts * units.import.writes + idlePolls * units.idlePoll.writes) *
        write,
    },
    {
      what: 'Reads of calls, of idle dialers and of the console',
      dollars: (calls * callReads + idlePolls * units.idlePoll.reads + looked) * read,
    },
    { what: `Requests: ${(made / 1e6).toFixed(1)} million`, dollars: made * request },
    { what: 'Functions of the requests', dollars: requests(made) },
    {
      what: `Functions that follow the stream: ${month.shards} shards`,
      dollars: runs(streamRuns(month.shards, seconds), weights.streamRunSeconds),
    },
    { what: 'EventBridge', dollars: events(calls) * event },
    { what: 'The list of events', dollars: events(calls) * weights.listWrites * write },
    { what: 'Logs of the functions', dollars: ((calls * weights.callLogBytes) / gb) * logGb },
    { what: 'Access log', dollars: ((made * weights.accessLogBytes) / gb) * logGb },
    { what: 'Traces of 1 request in 20', dollars: made * weights.traced * trace },
    {
      what: `Tokens of ${month.dialers} dialers`,
      dollars: ((month.dialers * month.days * 24) / month.tokenHours) * prices.token,
    },
    { what: `Stored: ${month.storedGb} GB with backups`, dollars: month.storedGb * prices.storedGb },
    {
      what: `Metrics of our own: ${stage.ownMetrics}, with ${stage.countedInLogs} that are counted in logs`,
      dollars: stage.ownMetrics * prices.ownMetric,
    },
    ...fixed(),
  ]);
};

/** One webhook that gets every event of that month. */
export const webhookMonth = (): number =>
  runs(seconds, weights.deliveryRunSeconds) +
  seconds * (delivery.writes * write + delivery.reads * read + delivery.queueRequests * prices.queueRequest) +
  events(calls) * delivery.rowsOfEvent * write;

const monthSeconds = 30 * 24 * 3600;

/** A dialer that finds no call for a month. Its requests are written at most every 20 seconds. */
export const idleDialerMonth = (pollSeconds: number): CostTable => {
  const polls = monthSeconds / pollSeconds;
  const noted = Math.min(polls, monthSeconds / idleNoteSeconds);
  return tableOf([
    { what: 'API Gateway', dollars: polls * request },
    { what: 'Functions', dollars: runs(polls, idlePollRunSeconds) },
    { what: 'Reads', dollars: polls * units.idlePoll.reads * read },
    { what: 'Writes', dollars: noted * units.idlePoll.writes * write },
  ]);
};

/** `resultsTogether`: how many results are sent in one request. */
export const dayOfLargeUser = (resultsTogether: number = largeDay.resultsTogether): CostTable => {
  const { calls: made } = largeDay;
  const asked = made / 10 + made / resultsTogether;
  return tableOf([
    { what: 'Table: units of all calls', dollars: made * (callWrites * write + callReads * read) },
    { what: 'API Gateway', dollars: asked * request },
    {
      what: 'Functions of the requests',
      dollars: runs(asked, weights.requestSeconds * Math.max(1, resultsTogether / 10)),
    },
    { what: 'EventBridge', dollars: events(made) * event },
    { what: 'The list of events', dollars: events(made) * weights.listWrites * write },
    {
      what: `Functions that follow the stream: ${largeDay.shards} shards`,
      dollars: runs(streamRuns(largeDay.shards, largeDay.hours * 3600), weights.streamRunSeconds),
    },
    {
      what: 'Logs',
      dollars: ((made * weights.callLogBytes + asked * weights.accessLogBytes) / gb) * logGb,
    },
    { what: 'Traces of 1 request in 20', dollars: asked * weights.traced * trace },
  ]);
};

export const importOfLargeUser = (): number => largeDay.contacts * units.import.writes * write;
