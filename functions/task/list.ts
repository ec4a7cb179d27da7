import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import type { TaskStatus } from '../../shared/domain/tasks/task-states.ts';
import { taskSummary } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offsetOf } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const listTasks = ({ tasks, taskCounts, formatTime }: Runtime) =>
  endpoint(routes.listTasks, checks.listTasks, async ({ query }) => {
    const { total, rows } = await tasks.page(offsetOf(query), query.pageSize, {
      taskName: query.taskName,
      status: query.status as TaskStatus | undefined,
    });
    return { total, rows: (await taskCounts.of(rows)).map((row) => taskSummary(row, formatTime)) };
  });

export const handler = onLambda(routes.listTasks, listTasks);
