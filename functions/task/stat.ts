import * as checks from '../../shared/api/generated/taskStat.js';
import { taskStat as route } from '../../shared/api/routes/task-calls.ts';
import { taskStatistics } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskStat = ({ tasks, taskCounts, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params }) =>
    taskStatistics(await taskCounts.ofOne(await tasks.find(params.id)), formatTime),
  );

export const handler = onLambda(route, taskStat);
