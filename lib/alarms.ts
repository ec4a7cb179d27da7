import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
  Alarm as CloudWatchAlarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { eventFunctions } from '../shared/api/event-functions.ts';
import { period, type Watched } from './watched.ts';

type Watch = {
  name: string;
  words: string;
  metric: IMetric;
  /** Raised from this value on, in this many periods in a row. */
  from: number;
  periods?: number;
};

const throttles = ({ table }: Watched) =>
  new MathExpression({
    expression: 'reads + writes',
    label: 'throttled reads and writes',
    period,
    usingMetrics: {
      reads: table.metric('ReadThrottleEvents', { statistic: Stats.SUM, period }),
      writes: table.metric('WriteThrottleEvents', { statistic: Stats.SUM, period }),
    },
  });

const watchesOf = (watched: Watched): Watch[] => [
  {
    name: 'server-errors',
    words: 'Requests end in an error of ours (5xx)',
    metric: watched.api.metricServerError({ statistic: Stats.SUM, period }),
    from: 5,
  },
  {
    name: 'latency',
    words: 'One request in ten takes longer than three seconds',
    metric: watched.api.metricLatency({ statistic: Stats.percentile(90), period }),
    from: Duration.seconds(3).toMilliseconds(),
    periods: 3,
  },
  {
    name: 'dead-letters',
    words: 'An event could not be handled and waits in the dead-letter queue',
    metric: watched.deadLetters.metricApproximateNumberOfMessagesVisible({
      statistic: Stats.MAXIMUM,
      period,
    }),
    from: 1,
  },
  {
    name: 'table-throttled',
    words: 'DynamoDB refuses reads or writes for more than retries make up',
    metric: throttles(watched),
    from: 100,
    periods: 2,
  },
  ...eventFunctions.flatMap((deployed) => functionWatches(watched, deployed.id, deployed.trigger.kind)),
];

const functionWatches = ({ functions }: Watched, id: string, kind: string): Watch[] => {
  const watched = functions.get(id);
  if (watched === undefined) return [];
  const errors: Watch = {
    name: `${id}-errors`,
    words: `${id} fails`,
    metric: watched.metricErrors({ statistic: Stats.SUM, period }),
    from: 3,
  };
  if (kind !== 'tableStream') return [errors];
  const behind: Watch = {
    name: `${id}-behind`,
    words: `${id} is more than five minutes behind the table`,
    metric: watched.metric('IteratorAge', { statistic: Stats.MAXIMUM, period }),
    from: Duration.minutes(5).toMilliseconds(),
    periods: 2,
  };
  return [errors, behind];
};

/** Every alarm stands in docs/operations.md with what it means and what to do. */
export const addAlarms = (scope: Construct, watched: Watched, topic: ITopic): void => {
  const action = new SnsAction(topic);
  for (const { name, words, metric, from, periods = 1 } of watchesOf(watched)) {
    const alarm: Alarm = new CloudWatchAlarm(scope, `alarm-${name}`, {
      alarmName: `outbound-${watched.settings.stage}-${name}`,
      alarmDescription: `${words}. See docs/operations.md, ${name}.`,
      metric,
      threshold: from,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
};
