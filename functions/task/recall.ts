import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const recallTask = ({ dialer, now }: Runtime) =>
  endpoint(routes.recallTask, checks.recallTask, async ({ params, body, caller, requestKey }) =>
    dialer.recall(params.id, { ...body, by: caller }, now(), requestKey),
  );

export const handler = onLambda(routes.recallTask, recallTask);
