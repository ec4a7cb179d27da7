import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { callerOf } from '../../shared/http/caller.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/core.ts';

export const recallTask = ({ dialer, now }: Runtime) =>
  endpoint(routes.recallTask, checks.recallTask, async ({ params, body }, event) =>
    dialer.recall(params.id, { ...body, by: callerOf(event) }, now()),
  );

export const handler = onLambda(recallTask);
