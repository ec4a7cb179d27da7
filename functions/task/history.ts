import * as checks from '../../shared/app/generated/taskHistory.js';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { openTasks, type TaskRuntime } from '../../shared/app/runtime/tasks.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { offsetOf } from '../../shared/platform/http/request.ts';
import { taskHistory as route } from '../../shared/tasks/routes/task-moves.ts';
import { historyRow } from '../../shared/tasks/rules/task-changes.ts';

export const taskHistory = ({ tasks, formatTime }: TaskRuntime) =>
  endpoint(route, checks, async ({ params, query }) => {
    const { total, rows } = await tasks.history(params.id, offsetOf(query), query.pageSize);
    return { total, rows: rows.map((entry) => historyRow(entry, formatTime)) };
  });

export const handler = onLambda(route, openTasks, taskHistory);
