import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { overviewView } from '../../shared/domain/tasks/task-overview.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { type InsightRuntime, onInsightLambda } from '../../shared/runtime/insight.ts';

export const taskOverview = ({ insight, now, formatTime, timeZone }: InsightRuntime) =>
  endpoint(routes.taskOverview, checks.taskOverview, async ({ params }) => {
    const asked = now();
    return overviewView(await insight.overview(params.id, asked), asked, formatTime, timeZone);
  });

export const handler = onInsightLambda(taskOverview);
