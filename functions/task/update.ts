import * as checks from '../../shared/api/generated/updateTask.js';
import { updateTask as route } from '../../shared/api/routes/tasks.ts';
import { assertExcludable, changeTask, type Task } from '../../shared/domain/tasks/task.ts';
import { assertNotChangedSince } from '../../shared/domain/tasks/task-adjustments.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const updateTask = ({ tasks, dataSources, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const { id, ifUpdateTime, ...changes } = body;
    const updatedAt = now();
    const changed = async (task: Task) => {
      assertNotChangedSince(task, ifUpdateTime, formatTime);
      assertExcludable(await dataSources.unknownAmong(changes.excludedDataSourceIds ?? []));
      return changeTask(task, changes, updatedAt);
    };
    const { taskName, updateTime } = await tasks.move(id, 'update', changed, caller, requestKey);
    return { id, taskName, updateTime: formatTime(updateTime ?? updatedAt) };
  });

export const handler = onLambda(route, updateTask);
