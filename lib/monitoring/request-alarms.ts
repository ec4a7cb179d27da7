import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { allRoutes } from '../../shared/app/all-routes.ts';
import { metricNamespace, tokenRefused } from '../../shared/platform/observability/service-metrics.ts';
import { classOf } from '../deployed-functions.ts';
import type { RouteClass } from '../settings/settings.ts';
import { type AlarmSpec, shareOf, sumOf } from './alarm-spec.ts';
import { type Monitored, period } from './monitored.ts';

const slowMs = Duration.seconds(3).toMilliseconds();

/** As a percentage of all requests. */
const ofRequests = ({ api }: Monitored, label: string, part: IMetric, least: number) =>
  shareOf(label, part, least, { all: api.metricCount({ statistic: Stats.SUM, period }) }, 'all');

/** API Gateway counts all 4xx together, so the 429 answers are counted in its access log. */
const turnedAway = (monitored: Monitored, scope: Construct): AlarmSpec[] => {
  const { accessLog, settings } = monitored;
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
      words:
        'A twentieth of the requests is answered 429: callers want more than the throttles or the table give',
      metric: ofRequests(
        monitored,
        'requests turned away, in percent',
        new Metric({ namespace: metricNamespace, metricName, statistic: Stats.SUM, period }),
        100,
      ),
      from: 5,
      wakes: true,
    },
  ];
};

/** A metric that counts lines in the log of the functions. */
const countedInLog = (
  { log, settings }: Monitored,
  scope: Construct,
  name: string,
  pattern: string,
  id = name,
): Metric => {
  const metricName = `${name}-${settings.stage}`;
  new MetricFilter(scope, id, {
    logGroup: log,
    filterPattern: FilterPattern.literal(pattern),
    metricNamespace,
    metricName,
    metricValue: '1',
  });
  return new Metric({ namespace: metricNamespace, metricName, statistic: Stats.SUM, period });
};

const idsOf = (is: (of: RouteClass) => boolean) =>
  allRoutes.filter((route) => is(classOf(route))).map(({ id }) => id);

/**
 * The routes of a class, in the notation of log filters. Imports and exports are in neither class,
 * because they take longer for larger files.
 */
const routesOf = {
  dial: `(${idsOf((of) => of === 'dial')
    .map((id) => `$.route = "${id}"`)
    .join(' || ')})`,
  general: idsOf((of) => of !== 'general')
    .map((id) => `$.route != "${id}"`)
    .join(' && '),
};

/**
 * Counted in the log of the functions, because an alarm on the latency of each function costs forty
 * times as much.
 */
const slowRequests = (monitored: Monitored, scope: Construct): AlarmSpec[] => {
  const slow = (name: keyof typeof routesOf) => {
    const pattern = `{ $.message = "request" && $.milliseconds >= ${slowMs} && ${routesOf[name]} }`;
    return countedInLog(monitored, scope, `SlowRequests-${name}`, pattern, `Slow-${name}`);
  };
  return [
    {
      name: 'latency-general',
      words: 'Two requests a minute take longer than three seconds',
      metric: slow('general'),
      from: 2 * period.toMinutes(),
      periods: 3,
    },
    {
      name: 'latency-dial',
      words: 'Of a hundred requests, one of a dialer takes longer than three seconds',
      metric: ofRequests(
        monitored,
        'slow requests of dialers, in percent',
        slow('dial'),
        2 * period.toMinutes(),
      ),
      from: 1,
      periods: 3,
      wakes: true,
    },
  ];
};

/** Half of the requests or more are refused: for several clients, or for the only one. */
const refusedTokens = (monitored: Monitored, scope: Construct): AlarmSpec => ({
  name: 'tokens-refused',
  words: 'Half of the requests are refused for their token',
  metric: ofRequests(
    monitored,
    'refused tokens, in percent',
    countedInLog(monitored, scope, 'TokensRefused', `{ $.message = "${tokenRefused}" }`),
    2 * period.toMinutes(),
  ),
  from: 50,
  periods: 2,
  wakes: true,
});

/** At night there are few requests. Three failed ones are enough if they are half of all. */
const serverErrors = ({ api }: Monitored): AlarmSpec => ({
  name: 'server-errors',
  words: 'Of a hundred requests, one ends in an error of ours (5xx), or half of a few do',
  metric: new MathExpression({
    expression:
      'IF(FILL(failed, 0) >= 5 || (FILL(failed, 0) >= 3 && 2 * FILL(failed, 0) >= all), 100 * FILL(failed, 0) / all, 0)',
    label: 'errors of ours, in percent',
    period,
    usingMetrics: {
      failed: api.metricServerError({ statistic: Stats.SUM, period }),
      all: api.metricCount({ statistic: Stats.SUM, period }),
    },
  }),
  from: 1,
  wakes: true,
});

/**
 * A refused call is never run, so it is in no log. The quota is that of the account and region, and
 * so is the metric. Exports have a limit of their own, which readers may reach.
 */
const throttledFunctions = ({ functions }: Monitored): AlarmSpec[] => {
  const exporting = idsOf((of) => of === 'export');
  const sum = { statistic: Stats.SUM, period };
  const exports = () =>
    sumOf(
      'refused exports',
      exporting.map((id) => (functions.get(id) as LambdaFunction).metricThrottles(sum)),
    );
  return [
    {
      name: 'functions-throttled',
      words: 'Lambda refuses to run a function: too many functions of the account run at once',
      metric: new MathExpression({
        expression: 'FILL(all, 0) - exports',
        label: 'refused calls',
        period,
        usingMetrics: { all: LambdaFunction.metricAllThrottles(sum), exports: exports() },
      }),
      from: 1,
    },
    {
      name: 'exports-throttled',
      words: 'Lambda refuses to run an export: too many exports run at once',
      metric: exports(),
      from: 1,
    },
  ];
};

export const requestAlarms = (monitored: Monitored, scope: Construct): AlarmSpec[] => [
  serverErrors(monitored),
  refusedTokens(monitored, scope),
  ...turnedAway(monitored, scope),
  ...slowRequests(monitored, scope),
  ...throttledFunctions(monitored),
];
