import * as checks from '../../shared/app/generated/updateTask.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { updateTask as route } from '../../shared/tasks/routes/tasks.ts';
import { assertExcludable, changeTask, type Task } from '../../shared/tasks/rules/task.ts';
import { assertNotChangedSince } from '../../shared/tasks/rules/task-changes.ts';

export const updateTask = ({ tasks, dataSources, now, formatTime }: ContactRuntime) =>
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

export const handler = onLambda(route, openContacts, updateTask);
