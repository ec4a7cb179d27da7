import * as checks from '../../shared/api/generated/addTask.js';
import { addTask as route } from '../../shared/api/routes/tasks.ts';
import { assertSourcesKnown, createTask, sourcesOf } from '../../shared/domain/tasks/task.ts';
import { addedTask, emptyTally } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const addTask = ({ tasks, dataSources, contacts, newId, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const draft = createTask(body, newId(), now());
    assertSourcesKnown(draft, await dataSources.unknownAmong(sourcesOf(draft)));
    const task = await tasks.add(draft, caller, requestKey);
    const contactCount = await contacts.count(task.dataSourceId);
    return addedTask({ task, contactCount, tally: emptyTally }, formatTime);
  });

export const handler = onLambda(route, addTask);
