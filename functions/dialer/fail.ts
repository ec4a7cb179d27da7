import * as checks from '../../shared/api/generated/failTask.js';
import { failTask as route } from '../../shared/api/routes/dialer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const failTask = ({ dialer, now }: Runtime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const { id, status } = await dialer.fail(body.taskId, body.reason, now(), caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, failTask);
