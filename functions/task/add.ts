import * as checks from '../../shared/app/generated/addTask.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { addTask as route } from '../../shared/tasks/routes/tasks.ts';
import { assertSourcesKnown, createTask, sourcesOf } from '../../shared/tasks/rules/task.ts';
import { addedTask, emptyTally } from '../../shared/tasks/rules/task-views.ts';

export const addTask = ({ tasks, dataSources, contacts, newId, now, formatTime }: ContactRuntime) =>
  endpoint(route, checks, async ({ body, caller, requestKey }) => {
    const draft = createTask(body, newId(), now());
    assertSourcesKnown(draft, await dataSources.unknownAmong(sourcesOf(draft)));
    const task = await tasks.add(draft, caller, requestKey);
    const contactCount = await contacts.count(task.dataSourceId);
    return addedTask({ task, contactCount, tally: emptyTally }, formatTime);
  });

export const handler = onLambda(route, openContacts, addTask);
