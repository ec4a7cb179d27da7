import * as checks from '../../shared/app/generated/taskTimeline.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { timelineRow } from '../../shared/calls/rules/timeline.ts';
import { taskTimeline as route } from '../../shared/insight/routes/task-insight.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const taskTimeline = ({ insight, now, formatTime }: InsightRuntime) =>
  endpoint(route, checks, async ({ params, query: { bucket } }) => {
    const rows = await insight.timeline(params.id, bucket, now());
    return { bucket, rows: rows.map((row) => timelineRow(row, formatTime)) };
  });

export const handler = onLambda(route, openInsight, taskTimeline);
