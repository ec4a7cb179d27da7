import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { resumeTask as resume, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const resumeTask = ({ tasks, dialer, now }: Runtime) =>
  endpoint(routes.resumeTask, checks.resumeTask, async ({ body: { id }, caller, requestKey }) => {
    const moved = async (task: Task) => resume(task, await dialer.callCounts(task), now());
    const { status } = await tasks.move(id, 'resume', moved, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(routes.resumeTask, resumeTask);
