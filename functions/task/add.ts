import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { assertSourcesKnown, createTask, sourcesOf } from '../../shared/domain/tasks/task.ts';
import { addedTask, emptyTally } from '../../shared/domain/tasks/task-views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const addTask = ({ tasks, dataSources, contacts, newId, now, formatTime }: Runtime) =>
  endpoint(routes.addTask, checks.addTask, async ({ body, caller, requestKey }) => {
    const draft = createTask(body, newId(), now());
    assertSourcesKnown(draft, await dataSources.unknownAmong(sourcesOf(draft)));
    const task = await tasks.add(draft, caller, requestKey);
    const contactCount = await contacts.count(task.dataSourceId);
    return addedTask({ task, contactCount, tally: emptyTally }, formatTime);
  });

export const handler = onLambda(routes.addTask, addTask);
