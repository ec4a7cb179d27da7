import * as checks from '../../shared/app/generated/deleteTask.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openTasks, type TaskRuntime } from '../../shared/app/runtime/tasks.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { deleteTask as route } from '../../shared/tasks/routes/task-moves.ts';

export const deleteTask = ({ tasks, now }: TaskRuntime) =>
  endpoint(route, checks, async ({ body: { id }, requestKey }) => {
    await tasks.remove(id, now(), requestKey);
    return null;
  });

export const handler = onLambda(route, openTasks, deleteTask);
