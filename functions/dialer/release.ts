import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { secondMs } from '../../shared/domain/time.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const releaseCall = ({ dialer, now }: Runtime) =>
  endpoint(routes.releaseCall, checks.releaseCall, async ({ body, requestKey }) => {
    const { callId, waitSeconds } = body;
    const at = now();
    const wait = waitSeconds > 0 ? { notBefore: at + waitSeconds * secondMs } : {};
    return dialer.release({ callId, ...wait }, at, requestKey);
  });

export const handler = onLambda(routes.releaseCall, releaseCall);
