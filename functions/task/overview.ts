import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { overviewView } from '../../shared/domain/tasks/task-overview.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const taskOverview = ({ insight, now, formatTime, serviceHours }: Runtime) =>
  endpoint(routes.taskOverview, checks.taskOverview, async ({ params }) => {
    const asked = now();
    return overviewView(await insight.overview(params.id, asked), asked, formatTime, serviceHours);
  });

export const handler = onLambda(routes.taskOverview, taskOverview);
