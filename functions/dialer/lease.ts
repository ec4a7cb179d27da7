import * as checks from '../../shared/api/generated/leaseCalls.js';
import { leaseCalls as route } from '../../shared/api/routes/dialer.ts';
import { leaseMetrics } from '../../shared/api/service-metrics.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { countAll } from '../../shared/observability/metrics.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const leaseCalls = ({ dialer, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const leased = await dialer.lease(body, now(), requestKey);
    if (!requestKey?.isDone) countAll(leaseMetrics(body.limit, leased));
    const { calls, retryAfterSeconds } = leased;
    return {
      calls: calls.map(({ task, ...call }) => ({
        ...call,
        leaseExpireTime: formatTime(call.leaseExpireTime),
      })),
      tasks: Object.fromEntries(calls.map(({ taskId, task }) => [taskId, task])),
      retryAfterSeconds,
    };
  });

export const handler = onLambda(route, leaseCalls);
