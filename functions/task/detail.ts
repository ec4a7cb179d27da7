import * as checks from '../../shared/api/generated/taskDetail.js';
import { taskDetail as route } from '../../shared/api/routes/tasks.ts';
import { detailedTask } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskDetail = ({ tasks, taskCounts, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params }) =>
    detailedTask(await taskCounts.ofOne(await tasks.find(params.id)), formatTime),
  );

export const handler = onLambda(route, taskDetail);
