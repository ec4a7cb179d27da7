import * as checks from '../../shared/app/generated/annotateCall.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { annotateCall as route } from '../../shared/calls/routes/calls.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const annotateCall = ({ dialer, now, formatTime }: DialingRuntime) =>
  endpoint(route, checks, async ({ body }) => {
    const { callId, updateTime } = await dialer.annotations.annotate(body, now());
    return { callId, updateTime: formatTime(updateTime) };
  });

export const handler = onLambda(route, openDialing, annotateCall);
