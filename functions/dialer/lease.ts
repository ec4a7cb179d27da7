import * as checks from '../../shared/api/generated/leaseCalls.js';
import { leaseCalls as route } from '../../shared/api/routes/dialer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { count } from '../../shared/observability/metrics.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const leaseCalls = ({ dialer, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const { calls, retryAfterSeconds } = await dialer.lease(body, now(), requestKey);
    if (!requestKey?.isDone) {
      count('CallsAsked', body.limit);
      count('CallsLeased', calls.length);
    }
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
