import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/core.ts';

export const publishTask = ({ tasks, now, formatTime }: Runtime) =>
  endpoint(routes.publishTask, checks.publishTask, async ({ body: { id } }) => {
    const startTime = now();
    const { status } = await tasks.move(id, 'publish', (task) => ({
      ...task,
      startTime,
      updateTime: startTime,
    }));
    return { id, status, startTime: formatTime(startTime) };
  });

export const handler = onLambda(publishTask);
