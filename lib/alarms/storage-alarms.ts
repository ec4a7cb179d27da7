import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmSpec } from '../alarms.ts';
import { type Monitored, period } from '../monitored.ts';
import { combined } from './combined.ts';

export const storageAlarms = ({ table, deadLetters }: Monitored): AlarmSpec[] => [
  {
    name: 'dead-letters',
    words: 'An event could not be handled and waits in the dead-letter queue',
    metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period }),
    from: 1,
  },
  {
    name: 'table-throttled',
    words: 'DynamoDB refuses reads or writes for more than retries make up',
    metric: combined(
      'SUM',
      'throttled reads and writes',
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
        table.metric(name, { statistic: Stats.SUM, period }),
      ),
    ),
    from: 100,
    periods: 2,
  },
];
