import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation, type Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { metricNamespace, type ServiceMetric } from '../../shared/platform/observability/service-metrics.ts';
import { tableDefinition } from '../../shared/platform/table/table.ts';
import type { StackSettings } from '../settings/settings.ts';

/** What the dashboard and the alarms observe. */
export type Monitored = {
  settings: StackSettings;
  api: RestApiBase;
  /** By their ids. */
  functions: ReadonlyMap<string, LambdaFunction>;
  table: Table;
  deadLetters: Queue;
  /** The log of all functions. */
  log: LogGroup;
  /** Undefined if API Gateway writes no access log. */
  accessLog: LogGroup | undefined;
};

export const period = Duration.minutes(5);

/** A metric that shared/platform/observability/metrics.ts writes. */
export const ownMetric = (
  { settings }: Pick<Monitored, 'settings'>,
  name: ServiceMetric,
  statistic: string = Stats.SUM,
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: name,
    dimensionsMap: { service: 'outbound', stage: settings.stage },
    statistic,
    period,
    label: name,
  });

/** A metric of the table and of its index, which DynamoDB's metrics of a table do not include. */
export const tableMetrics = ({ table }: Pick<Monitored, 'table'>, name: string): Metric[] => {
  const { name: index } = tableDefinition.index;
  const metric = (label: string, dimensions: Record<string, string>) =>
    table.metric(name, {
      statistic: Stats.SUM,
      period,
      label,
      dimensionsMap: { TableName: table.tableName, ...dimensions },
    });
  return [metric(name, {}), metric(`${name}, index`, { GlobalSecondaryIndexName: index })];
};

/** Transactions that were written. */
export const transactions = ({ table }: Pick<Monitored, 'table'>): Metric =>
  table.metric('SuccessfulRequestLatency', {
    statistic: Stats.SAMPLE_COUNT,
    period,
    label: 'transactions',
    dimensionsMap: { TableName: table.tableName, Operation: Operation.TRANSACT_WRITE_ITEMS },
  });

/**
 * Writes that DynamoDB refused because a transaction was changing the same item. The stores retry
 * them.
 */
export const conflicts = ({ table }: Pick<Monitored, 'table'>): Metric =>
  table.metric('TransactionConflict', {
    statistic: Stats.SUM,
    period,
    label: 'TransactionConflict',
    dimensionsMap: { TableName: table.tableName },
  });

export const throttleEvents = (monitored: Pick<Monitored, 'table'>): Metric[] =>
  ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => tableMetrics(monitored, name));
