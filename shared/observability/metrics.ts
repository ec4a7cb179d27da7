import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { metricNamespace, type ServiceMetric, unitOf } from '../api/service-metrics.ts';

const { AWS_LAMBDA_FUNCTION_NAME, STAGE } = process.env;

const metrics = new Metrics({
  namespace: metricNamespace,
  serviceName: 'outbound',
  defaultDimensions: { stage: STAGE ?? 'none' },
});

/** One line of the log that CloudWatch turns into a metric; nothing off Lambda. */
export const count = (name: ServiceMetric, value: number): void => {
  if (AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  metrics.singleMetric().addMetric(name, MetricUnit[unitOf[name]], value);
};
