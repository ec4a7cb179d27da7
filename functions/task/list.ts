import * as checks from '../../shared/app/generated/listTasks.js';
import { type CountRuntime, openCounts } from '../../shared/app/runtime/counts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { endpoint, offsetOf } from '../../shared/platform/http/index.ts';
import { listTasks as route } from '../../shared/tasks/routes.ts';
import { type TaskStatus, taskSummary } from '../../shared/tasks/rules.ts';

export const listTasks = ({ tasks, taskCounts, formatTime }: CountRuntime) =>
  endpoint(route, checks, async ({ query }) => {
    const { total, rows } = await tasks.page(offsetOf(query), query.pageSize, {
      taskName: query.taskName,
      status: query.status as TaskStatus | undefined,
    });
    return { total, rows: (await taskCounts.of(rows)).map((row) => taskSummary(row, formatTime)) };
  });

export const handler = onLambda(route, openCounts, listTasks);
