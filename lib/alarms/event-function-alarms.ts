import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type EventFunction, eventFunctions } from '../../shared/api/event-functions.ts';
import type { AlarmSpec, SilenceAlarmSpec } from '../alarms.ts';
import { type Monitored, ownMetric, period } from '../monitored.ts';

const stuckSeconds = Duration.minutes(15).toSeconds();

export const importAlarms = (monitored: Monitored): AlarmSpec[] => [
  {
    name: 'import-stuck',
    words: 'An import has been running for 15 minutes',
    metric: ownMetric(monitored, 'ImportAgeSeconds', Stats.MAXIMUM),
    from: stuckSeconds,
  },
];

const failing = (id: string, deployed: LambdaFunction): AlarmSpec => ({
  name: `${id}-errors`,
  words: `${id} fails`,
  metric: deployed.metricErrors({ statistic: Stats.SUM, period }),
  from: 3,
});

/** A rule that was switched off or lost leaves no error anywhere. */
const silent = (id: string, deployed: LambdaFunction): SilenceAlarmSpec => ({
  name: `${id}-silent`,
  words: `${id} no longer runs`,
  metric: deployed.metricInvocations({ statistic: Stats.SUM, period }),
  below: 1,
  periods: 3,
});

const stream = (monitored: Monitored, id: string, deployed: LambdaFunction): AlarmSpec[] => [
  {
    name: `${id}-behind`,
    words: `${id} is more than five minutes behind the table`,
    metric: deployed.metric('IteratorAge', { statistic: Stats.MAXIMUM, period }),
    from: Duration.minutes(5).toMilliseconds(),
    periods: 2,
  },
  {
    // Reported to Lambda record by record, which its count of errors leaves out.
    name: 'events-not-published',
    words: 'The event bus refuses events',
    metric: ownMetric(monitored, 'EventsNotPublished'),
    from: 1,
    periods: 2,
  },
];

const alarmsOf = (monitored: Monitored, { id, trigger }: EventFunction): (AlarmSpec | SilenceAlarmSpec)[] => {
  const deployed = monitored.functions.get(id);
  if (deployed === undefined) return [];
  switch (trigger.kind) {
    case 'schedule':
      return [failing(id, deployed), silent(id, deployed)];
    case 'tableStream':
      return [failing(id, deployed), ...stream(monitored, id, deployed)];
    default:
      return [failing(id, deployed)];
  }
};

export const eventFunctionAlarms = (monitored: Monitored): (AlarmSpec | SilenceAlarmSpec)[] =>
  eventFunctions.flatMap((deployed) => alarmsOf(monitored, deployed));
