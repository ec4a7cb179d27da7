import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { taskStatistics } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskStat = ({ tasks, taskCounts, formatTime }: Runtime) =>
  endpoint(routes.taskStat, checks.taskStat, async ({ params }) =>
    taskStatistics(await taskCounts.ofOne(await tasks.find(params.id)), formatTime),
  );

export const handler = onLambda(routes.taskStat, taskStat);
