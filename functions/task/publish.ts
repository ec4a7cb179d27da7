import * as checks from '../../shared/app/generated/publishTask.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openTasks, type TaskRuntime } from '../../shared/app/runtime/tasks.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { publishTask as route } from '../../shared/tasks/routes/task-moves.ts';
import { publishTask as publish, type Task } from '../../shared/tasks/rules/task.ts';

export const publishTask = ({ tasks, now, formatTime }: TaskRuntime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const publishedAt = now();
    const published = (task: Task) => publish(task, publishedAt);
    const { status, startTime } = await tasks.move(id, 'publish', published, caller, requestKey);
    return { id, status, startTime: formatTime(startTime ?? publishedAt) };
  });

export const handler = onLambda(route, openTasks, publishTask);
