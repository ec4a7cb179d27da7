import * as checks from '../../shared/app/generated/adjustTask.js';
import { type DialingRuntime, openDialing } from '../../shared/app/runtime/dialing.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { readCallCounts } from '../../shared/dialing/task-counters.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { formatOrNull } from '../../shared/platform/time/time.ts';
import { adjustTask as route } from '../../shared/tasks/routes/tasks.ts';
import { assertExcludable, type Task } from '../../shared/tasks/rules/task.ts';
import { adjustTask as adjust, assertNotChangedSince } from '../../shared/tasks/rules/task-changes.ts';

export const adjustTask = ({ database, dialer, selection, dataSources, now, formatTime }: DialingRuntime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const { id, ifUpdateTime, ...changes } = body;
    const adjustedAt = now();
    const adjusted = async (task: Task) => {
      assertNotChangedSince(task, ifUpdateTime, formatTime);
      assertExcludable(await dataSources.unknownAmong(changes.excludedDataSourceIds ?? []));
      const counts = await readCallCounts(database, { ...task, ...changes });
      return adjust(task, changes, counts, adjustedAt);
    };
    const task = await selection.adjust(id, adjusted, caller, requestKey);
    await dialer.deferred.reconsider(task, adjustedAt);
    if (changes.keepOpen === false) await dialer.ends.complete(task, adjustedAt);
    return { id, status: task.status, updateTime: formatOrNull(task.updateTime, formatTime) };
  });

export const handler = onLambda(route, openDialing, adjustTask);
