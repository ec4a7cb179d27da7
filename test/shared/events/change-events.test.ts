import { afterAll, beforeAll, expect, it } from 'vitest';
import { contactId } from '../../../shared/contacts/rules.ts';
import { type DomainEvent, eventsOf, type ItemChange } from '../../../shared/events/change-events.ts';
import { type Item, keys } from '../../../shared/platform/table/index.ts';
import {
  aRunningTask,
  aService,
  leaseFrom,
  reportAll,
  type Service,
  start,
} from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';

let table: OpenTable;
let service: Service;

beforeAll(async () => {
  table = await engines[0]!.open();
  service = aService(table.database);
});
afterAll(() => table.close());

const watched = (task: { id: string; dataSourceId: string }) => [
  keys.task(task.id),
  keys.dialState(task.id),
  keys.taskContact(task.id, 0),
  keys.contact(task.dataSourceId, 0),
  ...Array.from({ length: 16 }, (_, shard) => keys.taskCounter(task.id, shard)),
];

/** The changes of every item that one operation on the task can touch, as a stream would tell them. */
const changesBy = async (
  task: { id: string; dataSourceId: string },
  operation: () => Promise<unknown>,
): Promise<ItemChange[]> => {
  const before = await table.database.batchGet(watched(task));
  await operation();
  const after = await table.database.batchGet(watched(task));
  return before.map((item, i) => ({ before: item, after: after[i] }));
};

const eventsBy = async (
  task: { id: string; dataSourceId: string },
  operation: () => Promise<unknown>,
): Promise<DomainEvent[]> => (await changesBy(task, operation)).flatMap(eventsOf);

it('tells the final outcome of a contact, and the end of its task', async () => {
  const task = await aRunningTask(table.database, service, {
    contactCount: 1,
    maxDialCount: 2,
    callInterval: 0,
  });
  const first = await leaseFrom(service, task, start);
  expect(await eventsBy(task, () => reportAll(service, first, 'noAnswer', start, 4))).toEqual([]);
  let calls: typeof first = [];
  const leasing = eventsBy(task, async () => {
    calls = await leaseFrom(service, task, start);
  });
  expect(await leasing).toEqual([]);
  expect(await eventsBy(task, () => reportAll(service, calls, 'failed', start + 1, 3))).toEqual([
    expect.objectContaining({
      type: 'task.state_changed',
      data: expect.objectContaining({ previousStatus: 1, status: 4 }),
    }),
    {
      id: calls[0]?.callId,
      type: 'contact.settled',
      data: {
        taskId: task.id,
        dataSourceId: task.dataSourceId,
        contactId: contactId(task.dataSourceId, 0),
        callId: calls[0]?.callId,
        outcome: 'failed',
        reason: null,
        status: 2,
        callCount: 2,
        callDuration: 7,
        lastCallTime: start + 1,
      },
    },
  ]);
  const recalled = await eventsBy(task, () =>
    service.dialer.recalls.recall(task.id, { priority: 5 }, start + 2),
  );
  expect(recalled).toMatchObject([{ type: 'task.state_changed', data: { previousStatus: 4, status: 1 } }]);
});

it('tells nothing of items that appear, are removed, or are none of its concern', () => {
  const task: Item = { ...keys.task('a'), id: 'a', status: 1, version: 3 };
  expect(eventsOf({ after: task })).toEqual([]);
  expect(eventsOf({ before: { ...task, ...keys.dialState('a') } })).toEqual([]);
  expect(eventsOf({})).toEqual([]);
  expect(eventsOf({ before: task, after: { ...task, version: 4 } })).toEqual([]);
  const source: Item = { ...keys.dataSource('a'), status: 1 };
  expect(eventsOf({ before: source, after: { ...source, status: 2 } })).toEqual([]);
});
