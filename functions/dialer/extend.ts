import * as checks from '../../shared/app/generated/extendLease.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { extendLease as route } from '../../shared/dialing/routes/dialer.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { secondMs } from '../../shared/platform/time/time.ts';

export const extendLease = ({ dialer, now, formatTime }: DialingRuntime) =>
  endpoint(route, checks, async ({ body }) => {
    const at = now();
    const until = at + body.leaseSeconds * secondMs;
    const { callId, leaseExpireTime } = await dialer.liveLeases.extend({ callId: body.callId, until }, at);
    return { callId, leaseExpireTime: formatTime(leaseExpireTime) };
  });

export const handler = onLambda(route, openDialing, extendLease);
