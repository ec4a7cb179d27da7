import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { period } from './monitored.ts';

export type AlarmSpec = {
  name: string;
  words: string;
  metric: IMetric;
  /** Raised from this value on, in this many periods in a row. */
  from: number;
  periods?: number;
};

/** Raised below this value, and without data too: a silent function has failed. */
export type SilenceAlarmSpec = Omit<AlarmSpec, 'from'> & { below: number };

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
