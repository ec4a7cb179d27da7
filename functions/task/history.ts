import * as checks from '../../shared/api/generated/taskHistory.js';
import { taskHistory as route } from '../../shared/api/routes/task-history.ts';
import { historyRow } from '../../shared/domain/tasks/task-history.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offsetOf } from '../../shared/http/paging.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskHistory = ({ tasks, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params, query }) => {
    const { total, rows } = await tasks.history(params.id, offsetOf(query), query.pageSize);
    return { total, rows: rows.map((entry) => historyRow(entry, formatTime)) };
  });

export const handler = onLambda(route, taskHistory);
