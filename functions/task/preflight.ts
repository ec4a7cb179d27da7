import * as checks from '../../shared/api/generated/preflightTask.js';
import { preflightTask as route } from '../../shared/api/routes/task-preflight.ts';
import { preflightView, taskToCheck } from '../../shared/domain/tasks/preflight.ts';
import { assertSourcesKnown, sourcesOf } from '../../shared/domain/tasks/task.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const preflightTask = ({ tasks, dataSources, preflight, now, formatTime, serviceHours }: Runtime) =>
  endpoint(route, checks, async ({ body }) => {
    const asked = now();
    const known = taskToCheck(body, asked);
    const task = typeof known === 'string' ? await tasks.find(known) : known;
    if (task === known) assertSourcesKnown(task, await dataSources.unknownAmong(sourcesOf(task)));
    return preflightView(await preflight.of(task), task, asked, formatTime, serviceHours);
  });

export const handler = onLambda(route, preflightTask);
