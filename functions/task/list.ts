import * as checks from '../../shared/app/generated/listTasks.js';
import { type CountRuntime, openCounts } from '../../shared/app/runtime/counts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { offsetOf } from '../../shared/platform/http/request.ts';
import { listTasks as route } from '../../shared/tasks/routes/tasks.ts';
import type { TaskStatus } from '../../shared/tasks/rules/task-states.ts';
import { taskSummary } from '../../shared/tasks/rules/task-views.ts';

export const listTasks = ({ tasks, taskCounts, formatTime }: CountRuntime) =>
  endpoint(route, checks, async ({ query }) => {
    const { total, rows } = await tasks.page(offsetOf(query), query.pageSize, {
      taskName: query.taskName,
      status: query.status as TaskStatus | undefined,
    });
    return { total, rows: (await taskCounts.of(rows)).map((row) => taskSummary(row, formatTime)) };
  });

export const handler = onLambda(route, openCounts, listTasks);
