import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { count } from '../../shared/observability/metrics.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const leaseCalls = ({ dialer, now, formatTime }: Runtime) =>
  endpoint(routes.leaseCalls, checks.leaseCalls, async ({ body, requestKey }) => {
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

export const handler = onLambda(routes.leaseCalls, leaseCalls);
