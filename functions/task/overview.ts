import * as checks from '../../shared/app/generated/taskOverview.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { taskOverview as route } from '../../shared/insight/routes/task-overviews.ts';
import { overviewView } from '../../shared/insight/rules/task-overview.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const taskOverview = ({ insight, now, formatTime, serviceHours }: InsightRuntime) =>
  endpoint(route, checks, async ({ params }) => {
    const asked = now();
    return overviewView(await insight.overview(params.id, asked), asked, formatTime, serviceHours);
  });

export const handler = onLambda(route, openInsight, taskOverview);
