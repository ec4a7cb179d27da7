import { expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { readDialState } from '../../../shared/dialing/dial-progress-items.ts';
import { readCounters } from '../../../shared/dialing/task-counters.ts';
import { ServiceError } from '../../../shared/platform/rules/errors.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import {
  aRunningTask,
  aService,
  leaseFrom,
  minute,
  reportAll,
  type Service,
  start,
} from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';
import { seedEmptyDataSource, seededPhone } from '../../support/engines/seed-contacts.ts';

/** Every lease has run out by then. */
const later = start + minute;
/** The cursor moves over two contacts at a time. */
const two = (database: Database) => aService(database, 'UTC', 2);
const refused = (error: unknown) => {
  if (!(error instanceof ServiceError)) throw error;
};
const recallOf =
  (seq: number) =>
  (service: Service, { id, dataSourceId }: Task) =>
    service.dialer.recalls.recall(id, { contactIds: [contactId(dataSourceId, seq)], priority: 1 }, later);
const lateResult = ({ dialer }: Service, _: Task, { callId }: LeasedCall) =>
  dialer.results.report({ callId, outcome: 'success', duration: 9 }, later);

const changed = async ({ contacts, dialer }: Service, { dataSourceId }: Task) => {
  const changes = new Map([['plan', 'in']]);
  const contact = await contacts.update(dataSourceId, contactId(dataSourceId, 1), { changes }, start);
  await dialer.deferred.reconsiderOne(contact, false, start);
};

/**
 * What changes figures of a task. Of its contacts 0 has failed, 1 was passed, 2 was leased, and 3
 * is not to be called.
 */
const changes: Record<
  string,
  (service: Service, task: Task, call: LeasedCall, failed: LeasedCall) => Promise<unknown>
> = {
  'a late result': lateResult,
  'an annotation': ({ dialer }, _, __, { callId }) =>
    dialer.annotations.annotate({ callId, disposition: 'rude' }, later),
  'a recall of a contact that was called': recallOf(0),
  'a recall of a contact that was never called': recallOf(4),
  'a recall of all that failed': ({ dialer }, { id }) => dialer.recalls.recall(id, { priority: 1 }, later),
  'a contact that is selected after all': changed,
  'a lease': (service, task) => leaseFrom(service, task, start, { limit: 4, leaseSeconds: 10 }),
};

const ofRunning = [changes['a lease'], changed];

const aTask = async (database: Database) => {
  const service = two(database);
  await seedEmptyDataSource(database, doNotCall.id);
  await service.contacts.add(doNotCall.id, { phoneNumber: seededPhone(3), fields: {} }, start);
  const task = await aRunningTask(database, service, {
    ...{ contactCount: 6, maxDialCount: 1 },
    contactFilter: [{ field: 'plan', is: 'notEqual', value: 'out' }],
  });
  const changes = new Map([['plan', 'out']]);
  const passed = contactId(task.dataSourceId, 1);
  await service.contacts.update(task.dataSourceId, passed, { changes }, start);
  const [failed, call] = await leaseFrom(service, task, start, { limit: 2, leaseSeconds: 10 });
  await reportAll(service, [failed!], 'failed', start);
  const close = async () => {
    await service.dialer.ends.fail(task.id, 'no trunk', later).catch(refused);
    await service.dialer.ends.close(task.id, later);
  };
  const figures = async () => {
    // The number under which contacts would be counted that fail from now on is no figure.
    const { recallNumbers: _, ...counters } = await readCounters(database, task.id);
    return { counters, dial: await readDialState(database, task.id) };
  };
  return { service, task, call: call!, failed: failed!, close, figures };
};

it.each(Object.entries(changes))(
  'the figures of a closed task are final, wherever the close overtakes %s',
  async (_, change) => {
    await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
      const { service, task, call, failed, close, figures } = await aTask(table.database);
      if (!ofRunning.includes(change)) await service.dialer.ends.fail(task.id, 'no trunk', start);
      let closed: unknown;
      overtake(async () => {
        await close();
        closed = await figures();
      });
      await change(two(slow), task, call, failed).catch(refused);
      if (closed === undefined) return;
      expect(await figures()).toEqual(closed);
      expect(await service.tasks.find(task.id)).toMatchObject({ status: status.closed });
    });
  },
);

it('a late result is counted or refused, wherever it overtakes the close of its task', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const { service, task, call } = await aTask(table.database);
    await service.dialer.ends.fail(task.id, 'no trunk', start);
    let counted = 0;
    overtake(async () => {
      counted = (await lateResult(service, task, call).catch(refused)) ? 1 : 0;
    });
    expect(await two(slow).dialer.ends.close(task.id, later)).toMatchObject({ status: status.closed });
    expect((await readCounters(table.database, task.id)).tally.callCount).toBe(1 + counted);
  });
});
