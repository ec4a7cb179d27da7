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

/** CloudWatch's limit for an alarm. */
const metricsPerAlarm = 10;

/** Splits the metrics of many functions into lists of which each fits one alarm. */
export const perAlarm = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / metricsPerAlarm) }, (_, i) =>
    all.slice(i * metricsPerAlarm, (i + 1) * metricsPerAlarm),
  );

/** Makes one metric of several. A function that was not called has no data; without FILL the result would have none. */
export const combine = (how: 'SUM' | 'MAX', label: string, metrics: readonly IMetric[]): MathExpression => {
  const names = metrics.map((_, i) => `m${i}`);
  return new MathExpression({
    expression: `${how}([${names.map((name) => `FILL(${name}, 0)`).join(', ')}])`,
    label,
    period,
    usingMetrics: Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric])),
  });
};
