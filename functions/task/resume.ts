import * as checks from '../../shared/app/generated/resumeTask.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openTasks, type TaskRuntime } from '../../shared/app/runtime/tasks.ts';
import { readCallCounts } from '../../shared/dialing/index.ts';
import { endpoint } from '../../shared/platform/http/index.ts';
import { resumeTask as route } from '../../shared/tasks/routes.ts';
import { resumeTask as resume, type Task } from '../../shared/tasks/rules.ts';

export const resumeTask = ({ database, tasks, now }: TaskRuntime) =>
  endpoint(route, checks, async ({ body: { id }, caller, requestKey }) => {
    const moved = async (task: Task) => resume(task, await readCallCounts(database, task), now());
    const { status } = await tasks.move(id, 'resume', moved, caller, requestKey);
    return { id, status };
  });

export const handler = onLambda(route, openTasks, resumeTask);
