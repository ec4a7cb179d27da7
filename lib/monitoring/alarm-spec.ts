import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { period } from './monitored.ts';

export type AlarmSpec = {
  name: string;
  words: string;
  metric: IMetric;
  /** Raised if the value is at least `from` in this many periods in a row. */
  from: number;
  periods?: number;
  /** How many of these periods are enough; by default all of them. */
  enough?: number;
  /** Missing data means that what writes the metric has failed. */
  missingIsBad?: true;
  /**
   * The alarm cannot wait until the morning: calls stop, many callers are refused, or data will be
   * lost.
   */
  wakes?: true;
};

/** Raised below this value, and without data too, because a silent function has failed. */
export type SilenceAlarmSpec = Omit<AlarmSpec, 'from' | 'missingIsBad'> & { below: number };

/**
 * The sum of the metrics. A function that was not called has no data, and without FILL the sum
 * would have none.
 */
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
 * The percentage of `part` in `all`; 0 while `part` is below `least`, because at night one failed
 * request of three would be a third. `all` may be an expression of the metrics in `others`.
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
