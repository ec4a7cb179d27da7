import * as checks from '../../shared/app/generated/recallTask.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { recallTask as route } from '../../shared/dialing/routes/dialer.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const recallTask = ({ dialer, now }: DialingRuntime) =>
  endpoint(route, checks, async ({ params, body, caller, requestKey }) =>
    dialer.recalls.recall(params.id, { ...body, by: caller }, now(), requestKey),
  );

export const handler = onLambda(route, openDialing, recallTask);
