import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  appendEvents,
  doDueWork,
  type EventFunction,
  eventFunctions,
  pumpCalls,
} from '../../shared/app/event-functions.ts';
import type { ServiceMetric } from '../../shared/platform/observability/service-metrics.ts';
import { type AlarmSpec, type SilenceAlarmSpec, shareOf, sumOf } from './alarm-spec.ts';
import { conflicts, type Monitored, ownMetric, period, throttleEvents, transactions } from './monitored.ts';

const storageAlarms = (monitored: Monitored): AlarmSpec[] => [
  {
    name: 'dead-letters',
    words: 'An event could not be handled and waits in the dead-letter queue',
    metric: monitored.deadLetters.metricApproximateNumberOfMessagesVisible({
      statistic: Stats.MAXIMUM,
      period,
    }),
    from: 1,
  },
  {
    name: 'table-throttled',
    words: 'DynamoDB refuses reads or writes for more than retries make up',
    metric: sumOf('throttled reads and writes', throttleEvents(monitored)),
    from: 100,
    periods: 2,
  },
  {
    name: 'transactions-lost',
    words: 'Half of the transactions are refused because others change the same items',
    metric: shareOf(
      'transactions lost, in percent',
      conflicts(monitored),
      10 * period.toSeconds(),
      { written: transactions(monitored) },
      'FILL(part, 0) + FILL(written, 0)',
    ),
    from: 50,
    periods: 2,
  },
];

/** Outside the hours of all tasks, and without due contacts, lease requests wait for longer. */
const nothingLeased = (monitored: Monitored): AlarmSpec => ({
  name: 'nothing-leased',
  words: 'Tasks have contacts to call and dialers ask, but no call is leased',
  metric: new MathExpression({
    expression: 'IF(FILL(leased, 0) > 0, 0, FILL(empty, 0))',
    label: 'empty lease requests while none got a call',
    period,
    usingMetrics: {
      leased: ownMetric(monitored, 'CallsLeased'),
      empty: ownMetric(monitored, 'EmptyLeases'),
    },
  }),
  from: 10,
  periods: 3,
  wakes: true,
});

/**
 * Dialers that died send nothing, so every other metric of calls is 0, as on a holiday. Without
 * data, nothing checks for them.
 */
const dialersSilent = (monitored: Monitored): AlarmSpec => ({
  name: 'dialers-silent',
  words: 'A task has had contacts to call for ten minutes, and no dialer asks',
  metric: ownMetric(monitored, 'TasksWithoutDialer', Stats.MAXIMUM),
  from: 1,
  missingIsBad: true,
  wakes: true,
});

/** Work that is due and was not done. Each kind has its own limit. */
const overdueAlarms = (monitored: Monitored): AlarmSpec[] => {
  const overdue = (name: string, words: string, metric: ServiceMetric, from: Duration): AlarmSpec => ({
    name,
    words,
    metric: ownMetric(monitored, metric, Stats.MAXIMUM),
    from: from.toSeconds(),
  });
  const { minutes, days } = Duration;
  return [
    overdue('import-stuck', 'An import has come no further for 15 minutes', 'ImportAgeSeconds', minutes(15)),
    overdue(
      'removal-stuck',
      'What a deleted task or data source left has not been removed for a day',
      'RemovalAgeSeconds',
      days(1),
    ),
    overdue(
      'old-calls-stuck',
      'Records of calls that are older than keepCallsDays have not been removed for a day',
      'OldCallsAgeSeconds',
      days(1),
    ),
    overdue('erasure-stuck', 'An erasure has not ended for 15 minutes', 'ErasureAgeSeconds', minutes(15)),
    overdue('end-stuck', 'A task is not stopped at its callUntil', 'EndAgeSeconds', minutes(15)),
    overdue(
      'deferred-stuck',
      'Deferred contacts of an adjusted task are not considered again',
      'DeferredAgeSeconds',
      minutes(30),
    ),
  ];
};

const webhookAlarms = (monitored: Monitored): AlarmSpec[] => [
  {
    name: 'webhook-failing',
    words: 'The receiver of a webhook has failed for 15 minutes, or the service has switched its webhook off',
    metric: ownMetric(monitored, 'WebhooksFailing', Stats.MAXIMUM),
    from: 1,
  },
  {
    name: 'deliveries-behind',
    words: 'An event has waited for 30 minutes to be sent to a webhook',
    metric: ownMetric(monitored, 'DeliveryAgeSeconds', Stats.MAXIMUM),
    from: Duration.minutes(30).toSeconds(),
  },
];

/** If one of them fails, no call is made, or nobody is told that no calls are made. */
const startsCalls: readonly string[] = [doDueWork.id, pumpCalls.id];
const wakesIf = (isUrgent: boolean) => (isUrgent ? ({ wakes: true } as const) : {});

const errorsOf = (deployed: LambdaFunction) => deployed.metricErrors({ statistic: Stats.SUM, period });
const runsOf = (deployed: LambdaFunction) => deployed.metricInvocations({ statistic: Stats.SUM, period });

const failing = (id: string, deployed: LambdaFunction): AlarmSpec => ({
  name: `${id}-errors`,
  words: `${id} fails`,
  metric: errorsOf(deployed),
  from: 3,
  ...wakesIf(startsCalls.includes(id)),
});

/** It runs once in each period, so it cannot fail often in one of them. */
const failingEachTime = (id: string, deployed: LambdaFunction): AlarmSpec => ({
  ...failing(id, deployed),
  from: 1,
  periods: 3,
});

/** It also fails, and is run again, if Connect reports the end before the call can be read. */
const losingResults = (id: string, deployed: LambdaFunction): AlarmSpec => ({
  name: `${id}-errors`,
  words: `A fifth of the runs of ${id} fails`,
  metric: shareOf(
    `failed runs of ${id}, in percent`,
    errorsOf(deployed),
    3,
    { all: runsOf(deployed) },
    'all',
  ),
  from: 20,
  wakes: true,
});

/** A rule that was disabled or deleted causes no error. */
const silent = (id: string, deployed: LambdaFunction): SilenceAlarmSpec => ({
  name: `${id}-silent`,
  words: `${id} no longer runs`,
  metric: runsOf(deployed),
  below: 1,
  periods: 3,
  ...wakesIf(startsCalls.includes(id)),
});

/**
 * The stream keeps changes for a day. Changes that were not listed by then are lost for the list of
 * events. EventBridge's consumers have the list.
 */
const behind = (id: string, deployed: LambdaFunction): AlarmSpec => ({
  name: `${id}-behind`,
  words: `${id} is more than five minutes behind the table`,
  metric: deployed.metric('IteratorAge', { statistic: Stats.MAXIMUM, period }),
  from: Duration.minutes(5).toMilliseconds(),
  periods: 2,
  ...wakesIf(id === appendEvents.id),
});

/**
 * A mapping that was disabled or deleted causes no error, and a function that is not called has no
 * age. The last call of a period may be listed in the next one, so a single period like that is not
 * enough.
 */
const notFollowing = (monitored: Monitored, id: string, deployed: LambdaFunction): AlarmSpec => ({
  name: `${id}-silent`,
  words: `Calls end, and ${id} writes no event`,
  metric: new MathExpression({
    expression:
      'IF(FILL(succeeded, 0) + FILL(failed, 0) + FILL(unanswered, 0) > 0 && FILL(runs, 0) - FILL(errors, 0) <= 0, 1, 0)',
    label: `calls ended, and ${id} wrote nothing`,
    period,
    usingMetrics: {
      succeeded: ownMetric(monitored, 'CallsSucceeded'),
      failed: ownMetric(monitored, 'CallsFailed'),
      unanswered: ownMetric(monitored, 'CallsNotAnswered'),
      runs: runsOf(deployed),
      errors: errorsOf(deployed),
    },
  }),
  from: 1,
  periods: 12,
  enough: 3,
  ...wakesIf(id === appendEvents.id),
});

/** The function reports these to Lambda record by record, so they are not among its errors. */
const notPublished = (monitored: Monitored): AlarmSpec => ({
  name: 'events-not-published',
  words: 'The event bus refuses events',
  metric: ownMetric(monitored, 'EventsNotPublished'),
  from: 1,
  periods: 2,
});

const alarmsOf = (monitored: Monitored, { id, trigger }: EventFunction): (AlarmSpec | SilenceAlarmSpec)[] => {
  const deployed = monitored.functions.get(id);
  if (deployed === undefined) return [];
  switch (trigger.kind) {
    case 'schedule':
      return [
        trigger.everyMinutes < period.toMinutes() ? failing(id, deployed) : failingEachTime(id, deployed),
        silent(id, deployed),
      ];
    case 'tableStream':
      return [failing(id, deployed), behind(id, deployed), notFollowing(monitored, id, deployed)];
    case 'connectContactEvents':
      return [losingResults(id, deployed)];
    default:
      return [failing(id, deployed)];
  }
};

export const backgroundAlarms = (monitored: Monitored): (AlarmSpec | SilenceAlarmSpec)[] => [
  ...storageAlarms(monitored),
  nothingLeased(monitored),
  dialersSilent(monitored),
  notPublished(monitored),
  ...overdueAlarms(monitored),
  ...webhookAlarms(monitored),
  ...eventFunctions.flatMap((deployed) => alarmsOf(monitored, deployed)),
];
