import * as checks from '../../shared/api/generated/annotateCall.js';
import { annotateCall as route } from '../../shared/api/routes/calls.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const annotateCall = ({ dialer, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body }) => {
    const { callId, updateTime } = await dialer.annotate(body, now());
    return { callId, updateTime: formatTime(updateTime) };
  });

export const handler = onLambda(route, annotateCall);
