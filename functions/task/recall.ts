import * as checks from '../../shared/api/generated/recallTask.js';
import { recallTask as route } from '../../shared/api/routes/task-calls.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const recallTask = ({ dialer, now }: Runtime) =>
  endpoint(route, checks, async ({ params, body, caller, requestKey }) =>
    dialer.recall(params.id, { ...body, by: caller }, now(), requestKey),
  );

export const handler = onLambda(route, recallTask);
