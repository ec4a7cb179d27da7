import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const failTask = ({ dialer, now }: Runtime) =>
  endpoint(routes.failTask, checks.failTask, async ({ body, caller, requestKey }) => {
    const { id, status } = await dialer.fail(body.taskId, body.reason, now(), caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(routes.failTask, failTask);
