import * as checks from '../../shared/api/generated/listTasks.js';
import { listTasks as route } from '../../shared/api/routes/tasks.ts';
import type { TaskStatus } from '../../shared/domain/tasks/task-states.ts';
import { taskSummary } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offsetOf } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const listTasks = ({ tasks, taskCounts, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ query }) => {
    const { total, rows } = await tasks.page(offsetOf(query), query.pageSize, {
      taskName: query.taskName,
      status: query.status as TaskStatus | undefined,
    });
    return { total, rows: (await taskCounts.of(rows)).map((row) => taskSummary(row, formatTime)) };
  });

export const handler = onLambda(route, listTasks);
