import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/core.ts';

export const resumeTask = ({ tasks, now }: Runtime) =>
  endpoint(routes.resumeTask, checks.resumeTask, async ({ body: { id } }) => {
    const { status } = await tasks.move(id, 'resume', (task) => ({ ...task, updateTime: now() }));
    return { id, status };
  });

export const handler = onLambda(resumeTask);
