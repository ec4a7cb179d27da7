import * as checks from '../../shared/api/generated/releaseCall.js';
import { releaseCall as route } from '../../shared/api/routes/dialer.ts';
import { secondMs } from '../../shared/domain/time.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const releaseCall = ({ dialer, now }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const { callId, waitSeconds } = body;
    const at = now();
    const wait = waitSeconds > 0 ? { notBefore: at + waitSeconds * secondMs } : {};
    return dialer.release({ callId, ...wait }, at, requestKey);
  });

export const handler = onLambda(route, releaseCall);
