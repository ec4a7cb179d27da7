import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { period } from '../monitored.ts';

/** CloudWatch's limit for an alarm. */
export const metricsPerAlarm = 10;

export const chunks = <T>(all: readonly T[], size = metricsPerAlarm): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/**
 * One metric of several. What was not called has no data, and without filling one gap would leave the
 * whole without a value.
 */
export const combined = (how: 'SUM' | 'MAX', label: string, metrics: readonly IMetric[]): MathExpression => {
  const names = metrics.map((_, i) => `m${i}`);
  return new MathExpression({
    expression: `${how}([${names.map((name) => `FILL(${name}, 0)`).join(', ')}])`,
    label,
    period,
    usingMetrics: Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric])),
  });
};
