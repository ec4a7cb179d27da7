import * as checks from '../../shared/api/generated/taskOverview.js';
import { taskOverview as route } from '../../shared/api/routes/task-insight.ts';
import { overviewView } from '../../shared/domain/tasks/task-overview.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskOverview = ({ insight, now, formatTime, serviceHours }: Runtime) =>
  endpoint(route, checks, async ({ params }) => {
    const asked = now();
    return overviewView(await insight.overview(params.id, asked), asked, formatTime, serviceHours);
  });

export const handler = onLambda(route, taskOverview);
