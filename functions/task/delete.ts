import * as checks from '../../shared/api/generated/deleteTask.js';
import { deleteTask as route } from '../../shared/api/routes/task-moves.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const deleteTask = ({ tasks, now }: Runtime) =>
  endpoint(route, checks, async ({ body: { id }, requestKey }) => {
    await tasks.remove(id, now(), requestKey);
    return null;
  });

export const handler = onLambda(route, deleteTask);
