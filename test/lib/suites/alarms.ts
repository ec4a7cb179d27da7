import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { busyMonth, idleMonth } from '../../../bench/costs/costs.ts';
import { costsPage } from '../../../bench/costs/page.ts';
import { stage } from '../../../bench/costs/quantities.ts';
import { classOf } from '../../../lib/deployed-functions.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { unitOf } from '../../../shared/platform/observability/service-metrics.ts';
import { alarmsOf, evaluation, type Metrics } from '../../support/aws/alarm-evaluation.ts';
import { everything, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, type StackTemplate, synthesized } from '../../support/aws/synthesized-stack.ts';

const { template, json } = synthesized(everything);
const prefix = 'outbound-prod-';
const alarms = new Map(alarmsOf(json).map((alarm) => [alarm.AlarmName.slice(prefix.length), alarm]));
const exporting = allRoutes.filter((route) => classOf(route) === 'export').map(({ id }) => id);

const perPeriod = 300;
const [minute, hour] = [60, 3600];

/**
 * A busy hour in which all is well, for each five minutes: 118 calls begin and end in each second,
 * a list is imported, a deleted list is removed, and each of these leaves a few traces that look
 * like trouble.
 */
const busyHour: Metrics = {
  Count: 180 * perPeriod,
  '5XXError': 25,
  RequestsTurnedAway: 400,
  // Programs whose tokens have expired, and get new ones.
  TokensRefused: [undefined, 30],
  'SlowRequests-general': 6,
  'SlowRequests-dial': 80,
  Throttles: 0,
  ...Object.fromEntries(exporting.map((id) => [`Throttles ${id}`, [undefined, 0]])),
  // 23 a second are lost and repeated, of 118 results, and of what leases, imports and adds write.
  TransactionConflict: 23 * perPeriod,
  SuccessfulRequestLatency: 125 * perPeriod,
  ReadThrottleEvents: [undefined, 3],
  'ReadThrottleEvents index': [undefined],
  WriteThrottleEvents: [undefined, 40],
  'WriteThrottleEvents index': [undefined, 20],
  ApproximateNumberOfMessagesVisible: 0,
  CallsLeased: 118 * perPeriod,
  CallsSucceeded: 40 * perPeriod,
  CallsFailed: 30 * perPeriod,
  CallsNotAnswered: 48 * perPeriod,
  EmptyLeases: 900,
  TasksWithoutDialer: 0,
  EventsNotPublished: [4, 0, 0],
  ImportAgeSeconds: 9 * minute,
  RemovalAgeSeconds: 15 * minute,
  OldCallsAgeSeconds: 10 * minute,
  ErasureAgeSeconds: minute,
  EndAgeSeconds: 2 * minute,
  DeferredAgeSeconds: 3 * minute,
  WebhooksFailing: 0,
  DeliveryAgeSeconds: 2 * minute,
  'Errors importFile': 1,
  'Errors doDueFileWork': [1, 0],
  'Invocations doDueFileWork': 1,
  'Errors doDueWork': [1, 0],
  'Invocations doDueWork': 5,
  'Errors appendEvents': 1,
  'Invocations appendEvents': perPeriod,
  'IteratorAge appendEvents': 4000,
  'Errors publishEvents': 1,
  'Invocations publishEvents': perPeriod,
  'IteratorAge publishEvents': 9000,
  'Errors deliverEvents': 1,
  'Errors pumpCalls': 1,
  'Invocations pumpCalls': 5,
  // Connect tells the end of some calls before it shows it.
  'Errors connectResults': 40,
  'Invocations connectResults': 3000,
};

/**
 * A night with two dialers: a few of its few requests meet trouble. DynamoDB writes most metrics
 * only when there is something to say.
 */
const night: Metrics = {
  ...busyHour,
  Count: 80,
  '5XXError': 3,
  RequestsTurnedAway: 20,
  TokensRefused: [undefined, 9],
  'SlowRequests-dial': 5,
  TransactionConflict: [undefined, 30],
  SuccessfulRequestLatency: [undefined, 20],
  CallsLeased: [undefined],
  // One call each hour, the last of its period: its event is written in the next one.
  CallsSucceeded: [1, ...Array.from({ length: 11 }, () => undefined)],
  CallsFailed: [undefined],
  CallsNotAnswered: [undefined],
  'Invocations appendEvents': [undefined, 1],
  'Errors appendEvents': [undefined],
  'Invocations publishEvents': [undefined, 1],
  'Errors publishEvents': [undefined],
  EmptyLeases: [undefined, 2],
};

/** The mapping between the stream and a function is disabled. */
const disabledMapping = (id: string): Metrics =>
  Object.fromEntries(['Invocations', 'Errors', 'IteratorAge'].map((name) => [`${name} ${id}`, [undefined]]));
/** No task runs, and four requests are made. */
const quiet: Metrics = { ...night, Count: 4, '5XXError': 0, RequestsTurnedAway: 0, 'SlowRequests-dial': 0 };

/**
 * What is different while something is wrong: the least that raises the alarm, or what the fault
 * makes.
 */
type Fault = { words: string; metrics: Metrics };
const faults: Record<string, Fault | Fault[]> = {
  'server-errors': [
    { words: 'a release whose results fail', metrics: { '5XXError': 118 * perPeriod } },
    { words: 'four of four requests fail', metrics: { ...quiet, '5XXError': 4 } },
  ],
  'tokens-refused': [
    { words: 'the audiences are wrong', metrics: { TokensRefused: 170 * perPeriod } },
    {
      words: 'all tokens are refused while no task runs',
      metrics: { ...quiet, Count: 20, TokensRefused: 20 },
    },
  ],
  'turned-away': {
    words: 'a client asks in a loop',
    metrics: { Count: 400 * perPeriod, RequestsTurnedAway: 220 * perPeriod },
  },
  'latency-general': {
    words: 'searches wait for a throttled table',
    metrics: { 'SlowRequests-general': 10 },
  },
  'latency-dial': { words: 'leases wait for a throttled table', metrics: { 'SlowRequests-dial': 540 } },
  'functions-throttled': { words: 'the quota of the account is reached', metrics: { Throttles: 1 } },
  'exports-throttled': {
    words: 'a reader exports in a loop',
    metrics: { Throttles: 7, [`Throttles ${exporting[0]}`]: 7 },
  },
  'dead-letters': { words: 'a file cannot be imported', metrics: { ApproximateNumberOfMessagesVisible: 1 } },
  'table-throttled': { words: 'one key is too hot', metrics: { 'WriteThrottleEvents index': 100 } },
  'transactions-lost': {
    words: 'single adds to one list meet: 2,600 lost for 53 written',
    metrics: { TransactionConflict: 2600 * perPeriod, SuccessfulRequestLatency: 53 * perPeriod },
  },
  'nothing-leased': {
    words: 'contacts that are due are not found',
    metrics: { CallsLeased: 0, EmptyLeases: 10 },
  },
  'dialers-silent': [
    {
      words: 'the dialers died',
      metrics: { Count: 0, CallsLeased: [undefined], EmptyLeases: [undefined], TasksWithoutDialer: 1 },
    },
    {
      words: 'what looks for them fails',
      metrics: { 'Errors doDueWork': 5, TasksWithoutDialer: [undefined] },
    },
  ],
  'events-not-published': { words: 'the bus refuses', metrics: { EventsNotPublished: 1 } },
  'import-stuck': { words: 'its runner dies each time', metrics: { ImportAgeSeconds: 15 * minute } },
  'removal-stuck': { words: 'the removal fails each time', metrics: { RemovalAgeSeconds: 24 * hour } },
  'old-calls-stuck': { words: 'the removal fails each time', metrics: { OldCallsAgeSeconds: 24 * hour } },
  'erasure-stuck': { words: 'the erasure fails each time', metrics: { ErasureAgeSeconds: 15 * minute } },
  'end-stuck': { words: 'the end fails each time', metrics: { EndAgeSeconds: 15 * minute } },
  'deferred-stuck': { words: 'the look fails each time', metrics: { DeferredAgeSeconds: 30 * minute } },
  'webhook-failing': { words: 'a receiver is down', metrics: { WebhooksFailing: 1 } },
  'deliveries-behind': {
    words: 'a receiver is down',
    metrics: { WebhooksFailing: 1, DeliveryAgeSeconds: 30 * minute },
  },
  'importFile-errors': { words: 'a permission is missing', metrics: { 'Errors importFile': 3 } },
  'doDueFileWork-errors': { words: 'each run is cut off', metrics: { 'Errors doDueFileWork': 1 } },
  'doDueFileWork-silent': {
    words: 'its rule is disabled',
    metrics: { 'Invocations doDueFileWork': [undefined] },
  },
  'doDueWork-errors': { words: 'a permission is missing', metrics: { 'Errors doDueWork': 5 } },
  'doDueWork-silent': { words: 'its rule is disabled', metrics: { 'Invocations doDueWork': [undefined] } },
  'appendEvents-errors': { words: 'a permission is missing', metrics: { 'Errors appendEvents': 3 } },
  'appendEvents-behind': {
    words: 'a release with an error',
    metrics: { 'IteratorAge appendEvents': 300_000 },
  },
  'appendEvents-silent': [
    { words: 'its mapping is disabled', metrics: disabledMapping('appendEvents') },
    {
      words: 'its mapping is disabled, and a call ends now and then',
      metrics: {
        ...night,
        ...disabledMapping('appendEvents'),
        CallsSucceeded: [1, undefined, undefined, undefined],
      },
    },
    {
      words: 'each run fails',
      metrics: { 'Invocations appendEvents': 40, 'Errors appendEvents': 40 },
    },
  ],
  'publishEvents-errors': { words: 'a permission is missing', metrics: { 'Errors publishEvents': 3 } },
  'publishEvents-behind': { words: 'the bus is down', metrics: { 'IteratorAge publishEvents': 300_000 } },
  'publishEvents-silent': { words: 'its mapping is disabled', metrics: disabledMapping('publishEvents') },
  'deliverEvents-errors': { words: 'a permission is missing', metrics: { 'Errors deliverEvents': 3 } },
  'pumpCalls-errors': { words: 'the Connect instance is gone', metrics: { 'Errors pumpCalls': 5 } },
  'pumpCalls-silent': { words: 'its rule is disabled', metrics: { 'Invocations pumpCalls': [undefined] } },
  'connectResults-errors': { words: 'a permission is missing', metrics: { 'Errors connectResults': 3000 } },
};

const { isRaised, used } = evaluation(json);
const raisedIn = (metrics: Metrics) =>
  [...alarms].filter(([, alarm]) => isRaised(alarm, metrics)).map(([name]) => name);

const all = Object.entries(faults).flatMap(([name, made]) =>
  [made].flat().map(({ words, metrics }) => [name, words, metrics] as const),
);

describe('each alarm', () => {
  it('has a fault that raises it', () => {
    expect(Object.keys(faults).sort()).toEqual([...alarms.keys()].sort());
  });

  it.each(all)('%s is raised: %s', (name, _, metrics) => {
    expect(isRaised(alarms.get(name)!, { ...busyHour, ...metrics })).toBe(true);
  });

  it('is quiet in a busy hour in which all is well, and in such a night', () => {
    expect([raisedIn(busyHour), raisedIn(night), raisedIn(quiet)]).toEqual([[], [], []]);
    expect(Object.keys(busyHour).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('the topics', () => {
  const topics = ['AlarmTopicArn', 'TomorrowTopicArn'].map(
    (output) => (json.Outputs[output] as { Value: { Ref: string } }).Value.Ref,
  );
  const namesOf = (topic: string) =>
    [...alarms].filter(([, { AlarmActions }]) => AlarmActions[0]!.Ref === topic).map(([name]) => name);

  it('are two, each with the addresses of the stage; an alarm has one of them', () => {
    expect(resourcesOf(json, 'AWS::SNS::Topic').map(([id]) => id)).toEqual(topics);
    for (const { AlarmActions, OKActions } of alarms.values()) {
      expect(AlarmActions).toHaveLength(1);
      expect(OKActions).toEqual(AlarmActions);
    }
    for (const TopicArn of topics)
      for (const Endpoint of ['operators@example.com', 'duty@example.com'])
        template.hasResourceProperties('AWS::SNS::Subscription', {
          Protocol: 'email',
          Endpoint,
          TopicArn: { Ref: TopicArn },
        });
  });

  it('wake nobody for the receiver of a customer', () => {
    const broken = { ...busyHour, WebhooksFailing: 1, DeliveryAgeSeconds: 30 * minute };
    const raised = raisedIn(broken);
    expect(raised).toEqual(['webhook-failing', 'deliveries-behind']);
    expect(namesOf(topics[1]!)).toEqual(expect.arrayContaining(raised));
  });

  it('wake somebody where nobody would learn by the morning that calls stand still', () => {
    const names = ['doDueWork-errors', 'dialers-silent', 'appendEvents-silent', 'tokens-refused'];
    expect(namesOf(topics[0]!)).toEqual(expect.arrayContaining(names));
  });

  it('are the tables of the operations guide, each alarm with its fault, what to do, and why it is quiet', () => {
    const guide = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const inGuide = ['Wake somebody up', 'Look at it tomorrow'].map((title) => {
      const [, section = ''] = guide.split(`\n### ${title}\n`);
      const rows = section
        .split('\n#')[0]!
        .split('\n')
        .filter((line) => line.startsWith('| `'));
      return rows.flatMap((row) => {
        const cells = row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim());
        expect([row, cells.length, cells.includes('')]).toEqual([row, 4, false]);
        return [...cells[0]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      });
    });
    expect(inGuide.map((names) => names.sort())).toEqual(topics.map((topic) => namesOf(topic).sort()));
  });
});

describe('what a stage costs', () => {
  const plain = synthesized(production).json;
  const watchedBy = (of: StackTemplate) =>
    alarmsOf(of).flatMap(({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat) ?? [{}]).length;

  it.each([
    ['idle', idleMonth(), 27],
    ['busy', busyMonth(), 105],
  ])('%s is within its limit', (_, { total }, limit) => {
    expect(total).toBeLessThanOrEqual(limit);
  });

  it('is counted with the metrics, the clients and the rules that it has', () => {
    const counted = resourcesOf(plain, 'AWS::Logs::MetricFilter').length;
    const clients = resourcesOf(plain, 'AWS::Cognito::UserPoolClient').filter(
      ([, { Properties }]) => Properties.GenerateSecret === true,
    );
    expect(stage).toMatchObject({
      clients: clients.length,
      alarmMetrics: watchedBy(plain),
      ownMetrics: Object.keys(unitOf).length + counted,
      countedInLogs: counted,
    });
    expect(costsPage()).toContain('Connect adds four metrics');
    expect(watchedBy(json) - watchedBy(plain)).toBe(4);
  });

  it('is what the page says: npm run costs writes it', () => {
    const page = readFileSync(new URL('../../../docs/costs.md', import.meta.url), 'utf8');
    expect(page).toBe(costsPage());
  });
});
