import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { callerOf } from '../../shared/http/caller.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/core.ts';

export const failTask = ({ dialer, now }: Runtime) =>
  endpoint(routes.failTask, checks.failTask, async ({ body: { taskId, reason } }, event) => {
    const { id, status } = await dialer.fail(taskId, reason, now(), callerOf(event));
    return { id, status };
  });

export const handler = onLambda(failTask);
