import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { endTask, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const stopTask = ({ tasks, contacts, now }: Runtime) =>
  endpoint(routes.stopTask, checks.stopTask, async ({ body: { id, reason }, caller, requestKey }) => {
    const stopped = async (task: Task) =>
      endTask(task, await contacts.readHeld(task.dataSourceId), now(), reason);
    const { status } = await tasks.move(id, 'stop', stopped, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(routes.stopTask, stopTask);
