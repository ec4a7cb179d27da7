import * as checks from '../../shared/app/generated/preflightTask.js';
import { type InsightRuntime, openInsight } from '../../shared/app/runtime/insight.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { preflightTask as route } from '../../shared/insight/routes/task-preflight.ts';
import { preflightView, taskToCheck } from '../../shared/insight/rules/preflight.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { assertSourcesKnown, sourcesOf } from '../../shared/tasks/rules/task.ts';

export const preflightTask = ({
  tasks,
  dataSources,
  preflight,
  rules,
  now,
  formatTime,
  serviceHours,
}: InsightRuntime) =>
  endpoint(route, checks, async ({ body }) => {
    const asked = now();
    const known = taskToCheck(body, asked);
    const task = typeof known === 'string' ? await tasks.find(known) : known;
    if (task === known) assertSourcesKnown(task, await dataSources.unknownAmong(sourcesOf(task)));
    const found = await preflight.of(task, rules, asked);
    if (task !== known) await preflight.keepSelected(task, found);
    return preflightView(found, task, asked, formatTime, serviceHours);
  });

export const handler = onLambda(route, openInsight, preflightTask);
