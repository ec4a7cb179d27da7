import * as checks from '../../shared/app/generated/pauseTask.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openTasks, type TaskRuntime } from '../../shared/app/runtime/tasks.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { pauseTask as route } from '../../shared/tasks/routes/task-moves.ts';
import { pauseTask as pause, type Task } from '../../shared/tasks/rules/task.ts';

export const pauseTask = ({ tasks, now }: TaskRuntime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const moved = (task: Task) => pause(task, now());
    const { status } = await tasks.move(id, 'pause', moved, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, openTasks, pauseTask);
