import * as checks from '../../shared/app/generated/releaseCall.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { releaseCall as route } from '../../shared/dialing/routes/dialer.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { secondMs } from '../../shared/platform/time/time.ts';

export const releaseCall = ({ dialer, now }: DialingRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const { callId, waitSeconds } = body;
    const at = now();
    const wait = waitSeconds > 0 ? { notBefore: at + waitSeconds * secondMs } : {};
    return dialer.liveLeases.release({ callId, ...wait }, at, requestKey);
  });

export const handler = onLambda(route, openDialing, releaseCall);
