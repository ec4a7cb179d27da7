import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const deleteTask = ({ tasks, now }: Runtime) =>
  endpoint(routes.deleteTask, checks.deleteTask, async ({ body: { id }, requestKey }) => {
    await tasks.remove(id, now(), requestKey);
    return null;
  });

export const handler = onLambda(routes.deleteTask, deleteTask);
