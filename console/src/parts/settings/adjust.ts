import type { adjustable } from '../../../../shared/domain/tasks/task-settings.ts';
import { api, dataOf, once } from '../../api/client.ts';
import type { Body } from './draft.ts';

/** Changes settings of a task that runs or is paused. */
export const adjustTask = (id: string, changes: Partial<Pick<Body, (typeof adjustable)[number]>>) =>
  dataOf(api.POST('/api/task/adjust', { body: { id, ...changes }, ...once() }));
