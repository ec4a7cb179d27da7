import type { ServiceMetric } from '../platform/observability/service-metrics.ts';

/** The metric that counts calls of an outcome. */
export const metricOf = {
  success: 'CallsSucceeded',
  failed: 'CallsFailed',
  noAnswer: 'CallsNotAnswered',
} as const satisfies Record<string, ServiceMetric>;

/**
 * What a lease request adds to the metrics. `retryAfterSeconds` of its answer is 1 if a contact can
 * be called now.
 */
export const leaseMetrics = (
  asked: number,
  { calls, retryAfterSeconds }: { calls: readonly unknown[]; retryAfterSeconds: number },
) =>
  ({
    CallsAsked: asked,
    CallsLeased: calls.length,
    EmptyLeases: calls.length === 0 && retryAfterSeconds <= 1 ? 1 : 0,
  }) as const satisfies Partial<Record<ServiceMetric, number>>;
