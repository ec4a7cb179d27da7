import * as checks from '../../shared/api/generated/closeTask.js';
import { closeTask as route } from '../../shared/api/routes/task-moves.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const closeTask = ({ dialer, now }: Runtime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const { status } = await dialer.close(id, now(), caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, closeTask);
