import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { metricNamespace } from '../../shared/api/service-metrics.ts';
import { classOf } from '../deployed-functions.ts';
import { type AlarmSpec, combine, perAlarm } from './alarm-spec.ts';
import { type Monitored, period } from './monitored.ts';

const slowMs = Duration.seconds(3).toMilliseconds();

/** API Gateway counts all 4xx answers together, so the 429 answers are counted in its access log. */
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

/** `name`, `name-2`, `name-3`: an alarm for each ten functions. */
const numbered = (name: string, index: number) => (index === 0 ? name : `${name}-${index + 1}`);

const namesOf = (functions: readonly (readonly [string, LambdaFunction])[]) =>
  functions.map(([id]) => id).join(', ');

/** Imports and exports are left out: the larger the file, the longer they take. */
const slowRequests = ({ functions }: Monitored): AlarmSpec[] => {
  const classes = new Map(allRoutes.map((route) => [route.id, classOf(route)]));
  return (['general', 'dial'] as const).flatMap((name) => {
    const ofClass = [...functions].filter(([id]) => classes.get(id) === name);
    return perAlarm(ofClass).map((some, i) => ({
      name: numbered(`latency-${name}`, i),
      words: `One request in ten takes longer than three seconds in one of ${namesOf(some)}`,
      metric: combine(
        'MAX',
        'p90 of the slowest, milliseconds',
        some.map(([, each]) => each.metricDuration({ statistic: Stats.percentile(90), period })),
      ),
      from: slowMs,
      periods: 3,
    }));
  });
};

const throttled = (
  name: string,
  functions: readonly (readonly [string, LambdaFunction])[],
  reason: string,
): AlarmSpec[] =>
  perAlarm(functions).map((some, i) => ({
    name: numbered(name, i),
    words: `Lambda refuses to run one of ${namesOf(some)}: ${reason}`,
    metric: combine(
      'SUM',
      'refused calls',
      some.map(([, each]) => each.metricThrottles({ statistic: Stats.SUM, period })),
    ),
    from: 1,
  }));

/** A refused call is never run, so it is in no log. Exports have a limit of their own, which readers reach. */
const throttledFunctions = ({ functions }: Monitored): AlarmSpec[] => {
  const exporting = new Set(allRoutes.filter((route) => classOf(route) === 'export').map(({ id }) => id));
  const exports = [...functions].filter(([id]) => exporting.has(id));
  const others = [...functions].filter(([id]) => !exporting.has(id));
  return [
    ...throttled('functions-throttled', others, 'too many functions run at once'),
    ...throttled('exports-throttled', exports, 'too many exports run at once'),
  ];
};

export const requestAlarms = (monitored: Monitored, scope: Construct): AlarmSpec[] => [
  {
    name: 'server-errors',
    words: 'Requests end in an error of ours (5xx)',
    metric: monitored.api.metricServerError({ statistic: Stats.SUM, period }),
    from: 5,
  },
  ...turnedAway(monitored, scope),
  ...slowRequests(monitored),
  ...throttledFunctions(monitored),
];
