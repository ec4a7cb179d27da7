import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const closeTask = ({ dialer, now }: Runtime) =>
  endpoint(routes.closeTask, checks.closeTask, async ({ body: { id }, caller, requestKey }) => {
    const { status } = await dialer.close(id, now(), caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(routes.closeTask, closeTask);
