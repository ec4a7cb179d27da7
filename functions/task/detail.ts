import * as checks from '../../shared/app/generated/taskDetail.js';
import { type CountRuntime, openCounts } from '../../shared/app/runtime/counts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { taskDetail as route } from '../../shared/tasks/routes/tasks.ts';
import { detailedTask } from '../../shared/tasks/rules/task-views.ts';

export const taskDetail = ({ tasks, taskCounts, formatTime }: CountRuntime) =>
  endpoint(route, checks, async ({ params }) =>
    detailedTask(await taskCounts.ofOne(await tasks.find(params.id)), formatTime),
  );

export const handler = onLambda(route, openCounts, taskDetail);
