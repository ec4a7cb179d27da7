import * as checks from '../../shared/api/generated/taskTimeline.js';
import { taskTimeline as route } from '../../shared/api/routes/task-insight.ts';
import { timelineRow } from '../../shared/domain/tasks/timeline.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskTimeline = ({ insight, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params, query: { bucket } }) => {
    const rows = await insight.timeline(params.id, bucket, now());
    return { bucket, rows: rows.map((row) => timelineRow(row, formatTime)) };
  });

export const handler = onLambda(route, taskTimeline);
