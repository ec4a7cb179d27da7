import * as checks from '../../shared/api/generated/extendLease.js';
import { extendLease as route } from '../../shared/api/routes/dialer.ts';
import { secondMs } from '../../shared/domain/time.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const extendLease = ({ dialer, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body }) => {
    const at = now();
    const until = at + body.leaseSeconds * secondMs;
    const { callId, leaseExpireTime } = await dialer.extend({ callId: body.callId, until }, at);
    return { callId, leaseExpireTime: formatTime(leaseExpireTime) };
  });

export const handler = onLambda(route, extendLease);
