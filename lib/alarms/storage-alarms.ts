import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmSpec } from '../alarms.ts';
import { type Monitored, period, tableMetrics } from '../monitored.ts';
import { combined } from './combined.ts';

export const storageAlarms = (monitored: Monitored): AlarmSpec[] => [
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
    metric: combined(
      'SUM',
      'throttled reads and writes',
      ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => tableMetrics(monitored, name)),
    ),
    from: 100,
    periods: 2,
  },
];
