import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../shared/api/service-metrics.ts';
import type { AlarmSpec } from '../alarms.ts';
import { type Monitored, period } from '../monitored.ts';

/** API Gateway counts all 4xx as one: its access log tells those that were turned away. */
const turnedAway = ({ accessLog, settings }: Monitored, scope: Construct): AlarmSpec[] => {
  if (accessLog === undefined) return [];
  const metricName = `RequestsTurnedAway-${settings.stage}`;
  new MetricFilter(scope, 'TurnedAway', {
    logGroup: accessLog,
    filterPattern: FilterPattern.stringValue('$.status', '=', '429'),
    metricNamespace,
    metricName,
    metricValue: '1',
    defaultValue: 0,
  });
  return [
    {
      name: 'turned-away',
      words: 'Requests are answered 429: callers want more than the throttles or the table give',
      metric: new Metric({ namespace: metricNamespace, metricName, statistic: Stats.SUM, period }),
      from: 100,
    },
  ];
};

export const gatewayAlarms = (monitored: Monitored, scope: Construct): AlarmSpec[] => [
  {
    name: 'server-errors',
    words: 'Requests end in an error of ours (5xx)',
    metric: monitored.api.metricServerError({ statistic: Stats.SUM, period }),
    from: 5,
  },
  ...turnedAway(monitored, scope),
];
