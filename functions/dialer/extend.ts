import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { secondMs } from '../../shared/domain/time.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const extendLease = ({ dialer, now, formatTime }: Runtime) =>
  endpoint(routes.extendLease, checks.extendLease, async ({ body }) => {
    const at = now();
    const until = at + body.leaseSeconds * secondMs;
    const { callId, leaseExpireTime } = await dialer.extend({ callId: body.callId, until }, at);
    return { callId, leaseExpireTime: formatTime(leaseExpireTime) };
  });

export const handler = onLambda(routes.extendLease, extendLease);
