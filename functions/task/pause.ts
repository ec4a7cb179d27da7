import * as checks from '../../shared/api/generated/pauseTask.js';
import { pauseTask as route } from '../../shared/api/routes/task-moves.ts';
import { pauseTask as pause, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const pauseTask = ({ tasks, now }: Runtime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const moved = (task: Task) => pause(task, now());
    const { status } = await tasks.move(id, 'pause', moved, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, pauseTask);
