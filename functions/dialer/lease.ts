import * as checks from '../../shared/app/generated/leaseCalls.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { leaseMetrics } from '../../shared/dialing/call-metrics.ts';
import { leaseCalls as route } from '../../shared/dialing/routes/dialer.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { countAll } from '../../shared/platform/observability/metrics.ts';

export const leaseCalls = ({ dialer, now, formatTime }: DialingRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const leased = await dialer.leases.lease(body, now(), requestKey);
    if (!requestKey?.isDone) countAll(leaseMetrics(body.limit, leased));
    const { calls, retryAfterSeconds, taskStatus } = leased;
    return {
      calls: calls.map(({ task, ...call }) => ({
        ...call,
        leaseExpireTime: formatTime(call.leaseExpireTime),
      })),
      tasks: Object.fromEntries(calls.map(({ taskId, task }) => [taskId, task])),
      retryAfterSeconds,
      ...(taskStatus !== undefined && { taskStatus }),
    };
  });

export const handler = onLambda(route, openDialing, leaseCalls);
