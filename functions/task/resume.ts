import * as checks from '../../shared/api/generated/resumeTask.js';
import { resumeTask as route } from '../../shared/api/routes/task-moves.ts';
import { resumeTask as resume, type Task } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const resumeTask = ({ tasks, dialer, now }: Runtime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const moved = async (task: Task) => resume(task, await dialer.callCounts(task), now());
    const { status } = await tasks.move(id, 'resume', moved, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, resumeTask);
