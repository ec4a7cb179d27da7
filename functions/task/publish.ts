import * as checks from '../../shared/api/generated/publishTask.js';
import { publishTask as route } from '../../shared/api/routes/task-moves.ts';
import { publishTask as publish, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const publishTask = ({ tasks, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const publishedAt = now();
    const published = (task: Task) => publish(task, publishedAt);
    const { status, startTime } = await tasks.move(id, 'publish', published, caller, requestKey);
    return { id, status, startTime: formatTime(startTime ?? publishedAt) };
  });

export const handler = onLambda(route, publishTask);
