import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { period } from './monitored.ts';

export type AlarmSpec = {
  name: string;
  words: string;
  metric: IMetric;
  /** Raised from this value on, in this many periods in a row. */
  from: number;
  periods?: number;
  /** So many of the periods are enough; by default all of them. */
  enough?: number;
  /** What writes the metric has failed if there is no data. */
  missingIsBad?: true;
  /** It cannot wait until the morning: calls stop, many callers are refused, or data will be lost. */
  wakes?: true;
};

/** Raised below this value, and without data too: a silent function has failed. */
export type SilenceAlarmSpec = Omit<AlarmSpec, 'from' | 'missingIsBad'> & { below: number };

/** The sum of the metrics. A function that was not called has no data; without FILL the sum would have none. */
export const sumOf = (label: string, metrics: readonly IMetric[]): MathExpression => {
  const names = metrics.map((_, i) => `m${i}`);
  return new MathExpression({
    expression: `SUM([${names.map((name) => `FILL(${name}, 0)`).join(', ')}])`,
    label,
    period,
    usingMetrics: Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric])),
  });
};

/**
 * How many percent of `all` the `part` is; 0 while `part` is below `least`. At night one failed request of three would be a third.
 * `all` may be an expression of the metrics in `others`.
 */
export const shareOf = (
  label: string,
  part: IMetric,
  least: number,
  others: Record<string, IMetric>,
  all: string,
): MathExpression =>
  new MathExpression({
    expression: `IF(FILL(part, 0) >= ${least}, 100 * FILL(part, 0) / (${all}), 0)`,
    label,
    period,
    usingMetrics: { part, ...others },
  });
