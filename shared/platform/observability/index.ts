export { describeError, log, logFailure, maskPhones } from './log.ts';
export { count, countAll } from './metrics.ts';
export {
  leaseMetrics,
  metricNamespace,
  metricOf,
  type ServiceMetric,
  tokenRefused,
} from './service-metrics.ts';
