import {
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { allRoutes } from '../shared/api/all-routes.ts';
import { metricNamespace, type ServiceMetric } from '../shared/api/service-metrics.ts';
import { period, type Watched } from './watched.ts';

const sum = { statistic: Stats.SUM, period };

const graph = (title: string, left: IMetric[], width = 8): IWidget =>
  new GraphWidget({ title, left, width, height: 6, liveData: true });

/** As shared/observability/metrics.ts writes them. */
const own = ({ settings }: Watched, name: ServiceMetric, statistic: string = Stats.SUM) =>
  new Metric({
    namespace: metricNamespace,
    metricName: name,
    dimensionsMap: { service: 'outbound', stage: settings.stage },
    statistic,
    period,
    label: name,
  });

const ofEach = (
  functions: Iterable<readonly [string, LambdaFunction]>,
  metricOf: (watched: LambdaFunction, label: string) => IMetric,
) => [...functions].map(([id, watched]) => metricOf(watched, id));

const requests = ({ api }: Watched) => [
  graph('Requests', [api.metricCount(sum)]),
  graph('Errors', [api.metricClientError(sum), api.metricServerError(sum)]),
  graph(
    'Latency',
    [50, 90, 99].map((p) =>
      api.metricLatency({ statistic: Stats.percentile(p), period, label: `p${p} milliseconds` }),
    ),
  ),
];

const byRoute = ({ functions }: Watched) => {
  const routes = new Set(allRoutes.map(({ id }) => id));
  const endpoints = [...functions].filter(([id]) => routes.has(id));
  return [
    graph(
      'Latency by route (p99)',
      ofEach(endpoints, (each, label) =>
        each.metricDuration({ statistic: Stats.percentile(99), period, label }),
      ),
      12,
    ),
    graph(
      'Requests by route',
      ofEach(endpoints, (each, label) => each.metricInvocations({ ...sum, label })),
      12,
    ),
  ];
};

const failures = ({ functions, deadLetters }: Watched) => [
  graph(
    'Functions failing',
    ofEach(functions, (each, label) => each.metricErrors({ ...sum, label })),
  ),
  graph(
    'Functions throttled',
    ofEach(functions, (each, label) => each.metricThrottles({ ...sum, label })),
  ),
  graph('Dead letters', [
    deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period }),
  ]),
];

const work = (watched: Watched) => [
  graph('Import rows', [
    own(watched, 'RowsImported'),
    own(watched, 'RowsRefused'),
    own(watched, 'ImportsFailed'),
  ]),
  graph('Export size in bytes', [own(watched, 'ExportBytes'), own(watched, 'ExportBytes', Stats.MAXIMUM)]),
  graph('Dial queue', [own(watched, 'CallsAsked'), own(watched, 'CallsLeased')]),
  graph('Call results', [
    own(watched, 'CallsSucceeded'),
    own(watched, 'CallsFailed'),
    own(watched, 'CallsNotAnswered'),
  ]),
  graph('Events published', [own(watched, 'EventsPublished')]),
];

const table = ({ table }: Watched) => [
  graph('DynamoDB units consumed', [
    table.metricConsumedReadCapacityUnits(sum),
    table.metricConsumedWriteCapacityUnits(sum),
  ]),
  graph('DynamoDB throttled', [
    table.metric('ReadThrottleEvents', sum),
    table.metric('WriteThrottleEvents', sum),
  ]),
  graph(
    'DynamoDB latency (p99)',
    [Operation.GET_ITEM, Operation.QUERY, Operation.TRANSACT_WRITE_ITEMS].map((operation) =>
      table.metric('SuccessfulRequestLatency', {
        statistic: Stats.percentile(99),
        period,
        dimensionsMap: { TableName: table.tableName, Operation: operation },
        label: operation,
      }),
    ),
  ),
];

export const dashboardOf = (scope: Construct, watched: Watched): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    dashboardName: `outbound-${watched.settings.stage}`,
    widgets: [requests, byRoute, work, failures, table].map((row) => row(watched)),
  });
