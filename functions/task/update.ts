import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { assertExcludable, changeTask } from '../../shared/domain/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/core.ts';

export const updateTask = ({ tasks, dataSources, now, formatTime }: Runtime) =>
  endpoint(routes.updateTask, checks.updateTask, async ({ body }) => {
    const { id, ...changes } = body;
    const updatedAt = now();
    const { taskName } = await tasks.move(id, 'update', async (task) => {
      assertExcludable(await dataSources.unknownAmong(changes.excludedDataSourceIds ?? []));
      return changeTask(task, changes, updatedAt);
    });
    return { id, taskName, updateTime: formatTime(updatedAt) };
  });

export const handler = onLambda(updateTask);
