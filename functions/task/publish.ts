import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { publishTask as publish, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const publishTask = ({ tasks, now, formatTime }: Runtime) =>
  endpoint(routes.publishTask, checks.publishTask, async ({ body: { id }, caller, requestKey }) => {
    const publishedAt = now();
    const published = (task: Task) => publish(task, publishedAt);
    const { status, startTime } = await tasks.move(id, 'publish', published, caller, requestKey);
    return { id, status, startTime: formatTime(startTime ?? publishedAt) };
  });

export const handler = onLambda(routes.publishTask, publishTask);
