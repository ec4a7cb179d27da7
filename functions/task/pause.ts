import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/core.ts';

export const pauseTask = ({ tasks, now }: Runtime) =>
  endpoint(routes.pauseTask, checks.pauseTask, async ({ body: { id } }) => {
    const { status } = await tasks.move(id, 'pause', (task) => ({ ...task, updateTime: now() }));
    return { id, status };
  });

export const handler = onLambda(pauseTask);
