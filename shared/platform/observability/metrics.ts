import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { setting } from '../settings/settings.ts';
import { metricNamespace, type ServiceMetric, unitOf } from './service-metrics.ts';

const { AWS_LAMBDA_FUNCTION_NAME } = process.env;

const metrics = new Metrics({
  namespace: metricNamespace,
  serviceName: 'outbound',
  defaultDimensions: { stage: setting('STAGE') },
});

/** Writes a log line that CloudWatch turns into a metric. Outside Lambda it writes nothing. */
export const count = (name: ServiceMetric, value: number): void => {
  if (AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  metrics.singleMetric().addMetric(name, MetricUnit[unitOf[name]], value);
};

/** Several metrics in one log line, since each line is paid for. */
export const countAll = (values: Partial<Record<ServiceMetric, number>>): void => {
  if (AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  for (const [name, value] of Object.entries(values) as [ServiceMetric, number][])
    metrics.addMetric(name, MetricUnit[unitOf[name]], value);
  metrics.publishStoredMetrics();
};
