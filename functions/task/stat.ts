import * as checks from '../../shared/app/generated/taskStat.js';
import { type CountRuntime, openCounts } from '../../shared/app/runtime/counts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { taskStat as route } from '../../shared/insight/routes/task-insight.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { taskStatistics } from '../../shared/tasks/rules/task-views.ts';

export const taskStat = ({ tasks, taskCounts, formatTime }: CountRuntime) =>
  endpoint(route, checks, async ({ params }) =>
    taskStatistics(await taskCounts.ofOne(await tasks.find(params.id)), formatTime),
  );

export const handler = onLambda(route, openCounts, taskStat);
