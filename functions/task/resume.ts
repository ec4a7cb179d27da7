import * as checks from '../../shared/app/generated/resumeTask.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openTasks, type TaskRuntime } from '../../shared/app/runtime/tasks.ts';
import { readCallCounts } from '../../shared/dialing/task-counters.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { resumeTask as route } from '../../shared/tasks/routes/task-moves.ts';
import { resumeTask as resume, type Task } from '../../shared/tasks/rules/task.ts';

export const resumeTask = ({ database, tasks, now }: TaskRuntime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const moved = async (task: Task) => resume(task, await readCallCounts(database, task), now());
    const { status } = await tasks.move(id, 'resume', moved, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, openTasks, resumeTask);
