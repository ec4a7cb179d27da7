import * as checks from '../../shared/api/generated/preflightTask.js';
import { preflightTask as route } from '../../shared/api/routes/task-preflight.ts';
import { plannedTask, preflightView } from '../../shared/domain/tasks/preflight.ts';
import { assertSourcesKnown, sourcesOf } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const preflightTask = ({ tasks, dataSources, preflight, now, formatTime, serviceHours }: Runtime) =>
  endpoint(route, checks, async ({ body }) => {
    const asked = now();
    const planned = plannedTask(body, asked);
    const task = typeof planned === 'string' ? await tasks.find(planned) : planned;
    if (task === planned) assertSourcesKnown(task, await dataSources.unknownAmong(sourcesOf(task)));
    return preflightView(await preflight.of(task), task, asked, formatTime, serviceHours);
  });

export const handler = onLambda(route, preflightTask);
