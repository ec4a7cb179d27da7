import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { pauseTask as pause, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const pauseTask = ({ tasks, now }: Runtime) =>
  endpoint(routes.pauseTask, checks.pauseTask, async ({ body: { id }, caller, requestKey }) => {
    const moved = (task: Task) => pause(task, now());
    const { status } = await tasks.move(id, 'pause', moved, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(routes.pauseTask, pauseTask);
