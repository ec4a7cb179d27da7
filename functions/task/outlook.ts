import * as checks from '../../shared/app/generated/taskOutlook.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { taskOutlook as route } from '../../shared/insight/routes/task-outlook.ts';
import { outlookView } from '../../shared/insight/rules/task-outlook.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const taskOutlook = ({ insight, now, formatTime, serviceHours }: InsightRuntime) =>
  endpoint(route, checks, async ({ params }) => {
    const asked = now();
    return outlookView(await insight.outlook(params.id, asked), asked, formatTime, serviceHours.zone);
  });

export const handler = onLambda(route, openInsight, taskOutlook);
