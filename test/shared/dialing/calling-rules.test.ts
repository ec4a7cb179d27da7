import { describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { intakeOf } from '../../../shared/dialing/dial-progress-items.ts';
import { TaskProgress } from '../../../shared/insight/task-progress.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  newId,
  reportAll,
  rulesWithoutLimits,
  type Service,
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { openDialing } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { seedEmptyDataSource, seededPhone } from '../../support/engines/seed-contacts.ts';
import { between } from '../../support/service/crash-point.ts';

describe('who may be called, and when', () => {
  let database: Database;
  let client: OpenTable['client'];
  let service: Service;
  openDialing('all', engines[0]!, (opened, its) => {
    ({ database, client } = opened);
    service = its;
    return seedEmptyDataSource(database, doNotCall.id);
  });

  const standingsOf = async (task: Awaited<ReturnType<typeof aRunningTask>>, now = start) => {
    const serviceHours = { zone: 'UTC' };
    const rules = rulesWithoutLimits(database);
    const { taskContacts } = openStores(database);
    return (await new TaskProgress({ database, taskContacts, rules, serviceHours }).of(task, now)).standings;
  };
  const exclude = (phoneNumber: string) =>
    service.contacts.add(doNotCall.id, { phoneNumber, fields: {} }, start);

  /** Release 0.2 kept phone numbers with the contacts in line and in intakes, where calls a day were limited. */
  const asInRelease02 = async (taskId: string, seq: number) => {
    const item = (await database.get(keys.taskContact(taskId, seq)))!;
    const inLine = item.gsi1sk !== undefined && { gsi1sk: `${item.gsi1sk}#${seededPhone(seq)}` };
    await database.put({ ...item, ...inLine, phone: seededPhone(seq), notBefore: 0 });
    const intakes = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.intakes(taskId) },
    };
    for (const intake of await database.queryAll(intakes)) {
      const { seqs } = intakeOf(taskId, intake);
      const { pk, sk } = intake;
      const contacts = seqs.flatMap((each) => [each, start]);
      await database.put({ pk, sk, contacts, phones: seqs.map(seededPhone).join(' ') });
    }
  };

  it('completes a task whose contacts are all on a list of its own', async () => {
    const listId = newId();
    await seedEmptyDataSource(database, listId);
    await exclude('999');
    for (const seq of [0, 1])
      await service.contacts.add(listId, { phoneNumber: seededPhone(seq), fields: {} }, start);
    const settings = { contactCount: 2, excludedDataSourceIds: [listId] };
    const task = await aRunningTask(database, service, settings);
    const [limited, day] = [aService(database, 'UTC', undefined, 1), start + 42 * 24 * hour];
    expect(await leaseFrom(limited, undefined, day)).toEqual([]);
    expect(await service.tasks.find(task.id)).toMatchObject({ status: status.completed });
    expect(await standingsOf(task)).toMatchObject({ blocked: 2 });
    // Nobody was called: another task may call them on that day.
    const other = await aRunningTask(database, service, { contactCount: 2 });
    expect(await leaseFrom(limited, other, day)).toHaveLength(2);
  });

  it('counts the calls of the number that a contact has now, not of the one it was taken up with', async () => {
    const limited = aService(database, 'UTC', undefined, 1);
    const task = await aRunningTask(database, service, { contactCount: 4 });
    const other = await aRunningTask(database, service, { contactCount: 4 });
    const day = start + 7 * 24 * hour;
    const renumber = (seq: number, phoneNumber: string) => {
      const patch = { phoneNumber, changes: new Map() };
      return service.contacts.update(task.dataSourceId, contactId(task.dataSourceId, seq), patch, day);
    };
    // Takes all four up.
    expect(seqsOf(await leaseFrom(limited, task, day, { limit: 1 }))).toEqual([0]);
    expect(seqsOf(await leaseFrom(limited, other, day, { limit: 2 }))).toEqual([1, 2]);
    await renumber(1, '+8613911110001');
    await renumber(3, seededPhone(1));
    expect(seqsOf(await leaseFrom(limited, task, day))).toEqual([1]);
  });

  it('keeps nobody waiting for a call that comes to nothing', async () => {
    const limited = aService(database, 'UTC', undefined, 1);
    const task = await aRunningTask(database, service, { contactCount: 2, priority: 1 });
    const other = await aRunningTask(database, service, { contactCount: 2, priority: 1 });
    const day = start + 21 * 24 * hour;
    // Takes both up.
    expect(seqsOf(await leaseFrom(limited, task, day, { limit: 1 }))).toEqual([0]);
    await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 1), start);
    const calls = await leaseFrom(limited, undefined, day, { limit: 20 });
    expect(seqsOf(calls.filter(({ taskId }) => taskId === other.id))).toEqual([1]);
  });

  it('lists who waits for the next day page by page, and tells no number in a page token', async () => {
    const limited = aService(database, 'UTC', undefined, 1);
    const task = await aRunningTask(database, service, { contactCount: 7, maxDialCount: 2 });
    const day = start + 28 * 24 * hour;
    await reportAll(limited, await leaseFrom(limited, task, day), 'failed', day);
    for (const seq of [1, 2, 3, 5]) await asInRelease02(task.id, seq);
    const { insight } = createRuntime(serviceSettings({}), database);
    const seen: number[] = [];
    let pageToken: string | undefined;
    do {
      const page = await insight.contacts(task.id, { outcome: 'waiting', pageSize: 3, pageToken }, day);
      seen.push(...page.rows.map(({ contact }) => contact.seq));
      pageToken = page.nextPageToken ?? undefined;
      expect(pageToken ?? '').not.toContain('+');
    } while (pageToken !== undefined);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('calls contacts as release 0.2 stored them, with numbers in their places in line', async () => {
    const limited = aService(database, 'UTC', undefined, 1);
    const task = await aRunningTask(database, service, { contactCount: 3, maxDialCount: 2 });
    const day = start + 35 * 24 * hour;
    const [first, ...others] = await leaseFrom(limited, task, day);
    await reportAll(limited, [first!, others[0]!], 'failed', day);
    for (const seq of [0, 1, 2]) await asInRelease02(task.id, seq);
    const next = day + 24 * hour;
    expect(seqsOf(await leaseFrom(limited, task, day + hour))).toEqual([]);
    expect(seqsOf(await leaseFrom(limited, task, next)).sort()).toEqual([0, 1, 2]);
  });

  it('counts a call once that a dialer died over, and none that was given back', async () => {
    const limited = aService(database, 'UTC', undefined, 1);
    const task = await aRunningTask(database, service, { contactCount: 1 });
    const day = start + 14 * 24 * hour;
    const gone = new Error('the process is gone');
    const dying = between(client, (send) => async (command) => {
      if (command.constructor.name === 'PutCommand') throw gone;
      return send(command);
    });
    await expect(leaseFrom(limited, undefined, day)).rejects.toBe(gone);
    dying.restore();
    const [call] = await leaseFrom(limited, task, day);
    expect(call).toBeDefined();
    await limited.dialer.liveLeases.release({ ...call!, notBefore: day }, day);
    const [again] = await leaseFrom(limited, task, day);
    await service.contacts.remove(task.dataSourceId, again!.contactId, day);
    expect(await limited.dialer.liveLeases.release(again!, day)).toMatchObject({ callId: again!.callId });
    const other = await aRunningTask(database, service, { contactCount: 1 });
    expect(await leaseFrom(limited, other, day)).toEqual([]);
    const [now, key] = [day + 24 * hour, { id: newId(), now: 0, expires: day / 1000 }];
    const repeat = () =>
      limited.dialer.leases.lease({ limit: 1, leaseSeconds: 60, taskId: other.id }, now, key);
    expect([await repeat(), await repeat()]).toMatchObject([{ calls: [{}] }, { calls: [{}] }]);
  });
});
