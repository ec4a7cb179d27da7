import { describe, expect, it } from 'vitest';
import { contactId } from '../../../../shared/domain/contacts/contact-id.ts';
import { doNotCall } from '../../../../shared/domain/contacts/data-source.ts';
import { status } from '../../../../shared/domain/tasks/task-states.ts';
import { readCounters } from '../../../../shared/store/dialing/records/task-counters.ts';
import {
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  reportAll,
  type Service,
  start,
} from '../../../support/dialing/dialing.ts';
import { openDialing } from '../../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { overtaken, type TableCall } from '../../../support/engines/overtaken.ts';
import { seedEmptyDataSource, seededPhone } from '../../../support/engines/seed-contacts.ts';

describe.each(engines)('closing a task on $name', (engine) => {
  let table: OpenTable;
  let service: Service;

  const publish = openDialing('all', engine, (opened, its) => {
    [table, service] = [opened, its];
  });
  /** A process that something overtakes before its first transaction that writes such text. */
  const slowed = (act: () => Promise<unknown>, text = '') => {
    const isMeant = ({ name, input }: TableCall) =>
      name === 'TransactWrite' && JSON.stringify(input).includes(text);
    return aService(overtaken(table, isMeant, act).database);
  };
  const running = (contactCount: number) => publish({ contactCount, maxDialCount: 1 });
  const countersOf = ({ id }: { id: string }) => readCounters(table.database, id);

  it('comes before a result that was read earlier: the result is refused', async () => {
    const task = await running(3);
    const [call] = await leaseFrom(service, task, start, { limit: 1, leaseSeconds: 10 });
    await move(service, task, 'stop');
    const slow = slowed(() => service.dialer.close(task.id, start + minute));
    const sent = { callId: call!.callId, outcome: 'success', duration: 9 } as const;
    const report = slow.dialer.result(sent, start + minute);
    await expect(report).rejects.toMatchObject({ word: 'TASK_CLOSED' });
    expect((await countersOf(task)).tally).toMatchObject({ callCount: 0 });
  });

  it('waits for a result that was read later: the result counts', async () => {
    const task = await running(3);
    const calls = await leaseFrom(service, task, start, { limit: 1, leaseSeconds: 10 });
    await move(service, task, 'stop');
    const slow = slowed(() => reportAll(service, calls, 'success', start + minute));
    await slow.dialer.close(task.id, start + minute);
    expect((await countersOf(task)).tally).toMatchObject({ callCount: 1 });
    expect(await service.tasks.find(task.id)).toMatchObject({ status: status.closed });
  });

  it.each(['a contact that was called', 'a contact that was never called'])(
    'comes before a recall of %s: the recall is refused and queues nothing',
    async (which) => {
      const task = await running(3);
      const calls = await leaseFrom(service, task, start, { limit: 1, leaseSeconds: 10 });
      await reportAll(service, calls, 'failed', start);
      await service.dialer.fail(task.id, 'no trunk', start);
      const slow = slowed(() => service.dialer.close(task.id, start + minute));
      const contactIds = [contactId(task.dataSourceId, which.endsWith('was called') ? 0 : 2)];
      const recall = slow.dialer.recall(task.id, { contactIds, priority: 1 }, start + minute);
      await expect(recall).rejects.toMatchObject({ word: 'TASK_STATE' });
      expect(await countersOf(task)).toMatchObject({ settled: 1, ended: { failed: 1 } });
    },
  );

  it('comes before a contact that a lease request blocks late: it is not counted', async () => {
    const task = await running(2);
    await seedEmptyDataSource(table.database, doNotCall.id);
    await service.contacts.add(doNotCall.id, { phoneNumber: seededPhone(0), fields: {} }, start);
    const slow = slowed(async () => {
      await move(service, task, 'stop');
      await service.dialer.close(task.id, start + hour);
    }, '"state":"blocked"');
    await leaseFrom(slow, task, start, { limit: 2 });
    expect(await countersOf(task)).toMatchObject({ settled: 0, ended: { blocked: 0 } });
    expect(await service.tasks.find(task.id)).toMatchObject({ status: status.closed });
  });
});
