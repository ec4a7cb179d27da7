import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { timelineRow } from '../../shared/domain/tasks/timeline.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskTimeline = ({ insight, now, formatTime }: Runtime) =>
  endpoint(routes.taskTimeline, checks.taskTimeline, async ({ params, query: { bucket } }) => {
    const rows = await insight.timeline(params.id, bucket, now());
    return { bucket, rows: rows.map((row) => timelineRow(row, formatTime)) };
  });

export const handler = onLambda(routes.taskTimeline, taskTimeline);
