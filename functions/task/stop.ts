import * as checks from '../../shared/app/generated/stopTask.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { stopTask as route } from '../../shared/tasks/routes/task-moves.ts';
import { endTask, type Task } from '../../shared/tasks/rules/task.ts';

export const stopTask = ({ tasks, contacts, now }: ContactRuntime) =>
  endpoint(route, checks, async ({ body: { id, reason }, caller, requestKey }) => {
    const stopped = async (task: Task) =>
      endTask(task, await contacts.readHeld(task.dataSourceId), now(), reason);
    const { status } = await tasks.move(id, 'stop', stopped, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, openContacts, stopTask);
