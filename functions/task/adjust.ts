import * as checks from '../../shared/api/generated/adjustTask.js';
import { adjustTask as route } from '../../shared/api/routes/tasks.ts';
import { assertExcludable, type Task } from '../../shared/domain/tasks/task.ts';
import {
  adjustTask as adjust,
  assertAdjustable,
  assertNotChangedSince,
} from '../../shared/domain/tasks/task-adjustments.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const adjustTask = ({ dialer, dataSources, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const { id, ifUpdateTime, ...changes } = body;
    const adjustedAt = now();
    const adjusted = async (task: Task) => {
      assertNotChangedSince(task, ifUpdateTime, formatTime);
      assertAdjustable(changes);
      assertExcludable(await dataSources.unknownAmong(changes.excludedDataSourceIds ?? []));
      const counts = await dialer.callCounts({ ...task, ...changes });
      return adjust(task, changes, counts, adjustedAt);
    };
    const task = await dialer.adjust(id, adjusted, caller, requestKey);
    await dialer.reconsiderDeferred(task, adjustedAt);
    if (changes.keepOpen === false) await dialer.completeIfSettled(task, adjustedAt);
    return { id, status: task.status, updateTime: formatTime(task.updateTime ?? adjustedAt) };
  });

export const handler = onLambda(route, adjustTask);
