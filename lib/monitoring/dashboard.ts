import { Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { allRoutes } from '../../shared/app/all-routes.ts';
import type { ServiceMetric } from '../../shared/platform/observability/service-metrics.ts';
import { conflicts, type Monitored, ownMetric, period, tableMetrics, throttleEvents } from './monitored.ts';

const sum = { statistic: Stats.SUM, period };

const graph = (title: string, left: IMetric[], width = 8): IWidget =>
  new GraphWidget({ title, left, width, height: 6, liveData: true });

const ofEach = (
  functions: Iterable<readonly [string, LambdaFunction]>,
  metricOf: (each: LambdaFunction, label: string) => IMetric,
) => [...functions].map(([id, each]) => metricOf(each, id));

const requests = ({ api }: Monitored) => [
  graph('Requests', [api.metricCount(sum)]),
  graph('Errors', [api.metricClientError(sum), api.metricServerError(sum)]),
  graph(
    'Latency',
    [50, 90, 99].map((p) =>
      api.metricLatency({ statistic: Stats.percentile(p), period, label: `p${p} milliseconds` }),
    ),
  ),
];

const byRoute = ({ functions }: Monitored) => {
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

const failures = ({ functions, deadLetters }: Monitored) => [
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

const work = (monitored: Monitored) => {
  const own = (...names: ServiceMetric[]) => names.map((name) => ownMetric(monitored, name));
  return [
    graph('Import rows', own('RowsImported', 'RowsRefused', 'ImportsFailed')),
    graph('Export size in bytes', [
      ...own('ExportBytes'),
      ownMetric(monitored, 'ExportBytes', Stats.MAXIMUM),
    ]),
    graph('Dial queue', [
      ...own('CallsAsked', 'CallsLeased', 'EmptyLeases'),
      ownMetric(monitored, 'TasksWithoutDialer', Stats.MAXIMUM),
    ]),
    graph('Call results', own('CallsSucceeded', 'CallsFailed', 'CallsNotAnswered')),
    graph('Events published', own('EventsPublished', 'EventsNotPublished')),
    graph('Deliveries to webhooks', own('DeliveriesSucceeded', 'DeliveriesFailed', 'DeliveriesGivenUp')),
  ];
};

const table = (monitored: Monitored) => [
  graph(
    'DynamoDB units consumed',
    ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].flatMap((name) =>
      tableMetrics(monitored, name),
    ),
  ),
  graph('DynamoDB throttled', throttleEvents(monitored)),
  graph('DynamoDB transactions lost', [conflicts(monitored)]),
  graph(
    'DynamoDB latency (p99)',
    [Operation.GET_ITEM, Operation.QUERY, Operation.TRANSACT_WRITE_ITEMS].map((operation) =>
      monitored.table.metric('SuccessfulRequestLatency', {
        statistic: Stats.percentile(99),
        period,
        dimensionsMap: { TableName: monitored.table.tableName, Operation: operation },
        label: operation,
      }),
    ),
  ),
];

export const dashboardOf = (scope: Construct, monitored: Monitored): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    // All regions of an account share the names of dashboards.
    dashboardName: `outbound-${monitored.settings.stage}-${Stack.of(scope).region}`,
    widgets: [requests, byRoute, work, failures, table].map((row) => row(monitored)),
  });
