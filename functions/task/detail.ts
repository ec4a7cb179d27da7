import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { detailedTask } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskDetail = ({ tasks, taskCounts, formatTime }: Runtime) =>
  endpoint(routes.taskDetail, checks.taskDetail, async ({ params }) =>
    detailedTask(await taskCounts.ofOne(await tasks.find(params.id)), formatTime),
  );

export const handler = onLambda(routes.taskDetail, taskDetail);
