import type { Database } from '../../../shared/platform/table/database.ts';
import type { TaskInput } from '../../../shared/tasks/rules/task.ts';
import { seededFields } from '../engines/seed-contacts.ts';
import { aDraft, aService, move, start } from './dialing.ts';

/** Selects every hundredth of the seeded contacts, all over the list. */
export const oneInAHundred: NonNullable<TaskInput['contactFilter']> = [
  {
    field: 'address',
    is: 'in',
    value: Array.from({ length: 10 }, (_, i) => seededFields(100 * i + 7).address!),
  },
];

const request = { limit: 10, leaseSeconds: 3600 };

/** Leases from a task of its own until the whole list was looked at; no call ends meanwhile. */
export const leaseAll = async (database: Database, dataSourceId: string, rules: Partial<TaskInput> = {}) => {
  const service = aService(database);
  const { id } = await move(service, await aDraft(service, dataSourceId, rules), 'publish');
  let [calls, leases] = [0, 0];
  for (let isOver = false; !isOver; leases++) {
    const leased = await service.dialer.leases.lease({ ...request, taskId: id }, start);
    calls += leased.calls.length;
    isOver = leased.calls.length === 0 && leased.retryAfterSeconds > 1;
  }
  return { calls, leases };
};
