import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { endTask } from '../../shared/domain/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/core.ts';

export const stopTask = ({ tasks, contacts, now }: Runtime) =>
  endpoint(routes.stopTask, checks.stopTask, async ({ body: { id, reason } }) => {
    const { status } = await tasks.move(id, 'stop', async (task) =>
      endTask(task, await contacts.count(task.dataSourceId), now(), reason),
    );
    return { id, status };
  });

export const handler = onLambda(stopTask);
