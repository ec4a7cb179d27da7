import * as checks from '../../shared/api/generated/stopTask.js';
import { stopTask as route } from '../../shared/api/routes/task-moves.ts';
import { endTask, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const stopTask = ({ tasks, contacts, now }: Runtime) =>
  endpoint(route, checks, async ({ body: { id, reason }, caller, requestKey }) => {
    const stopped = async (task: Task) =>
      endTask(task, await contacts.readHeld(task.dataSourceId), now(), reason);
    const { status } = await tasks.move(id, 'stop', stopped, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, stopTask);
