import { expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { aRunningTask, aService, leaseFrom, newId, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';
import { seedContacts, seededPhone } from '../../support/engines/seed-contacts.ts';

it.each([
  ['deleted', 'first'],
  ['deleted', 'second'],
  ['renumbered', 'first'],
])(
  'a call names the number that was called, wherever the lease of a contact that is %s overtakes: its %s call',
  async (how, call) => {
    await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
      const { database } = table;
      const service = aService(database);
      const task = await aRunningTask(database, service, {
        contactCount: 1,
        maxDialCount: 3,
        callInterval: 0,
      });
      const report = (callId: string) =>
        service.dialer.results.report({ callId, outcome: 'failed', duration: 0 }, start);
      if (call === 'second')
        for (const { callId } of await leaseFrom(service, task, start)) await report(callId);
      const { dataSourceId } = task;
      const called: { callId: string; phoneNumber: string }[] = [];
      overtake(async () => {
        called.push(...(await leaseFrom(service, task, start)));
      });
      const { contacts } = openStores(slow);
      const id = contactId(dataSourceId, 0);
      if (how === 'deleted') await contacts.remove(dataSourceId, id, start);
      else await contacts.update(dataSourceId, id, { phoneNumber: '+491', changes: new Map() }, start);
      const [made] = called;
      if (made === undefined) return;
      await report(made.callId);
      const { call: record } = await createRuntime(serviceSettings({}), database).callReader.detail(
        made.callId,
        start,
      );
      expect(record.phoneNumber).toBe(made.phoneNumber);
      if (made.phoneNumber === '+491') return;
      const pointers = await database.queryAll(partitionRange(keys.formerNumbers(made.phoneNumber)));
      expect(pointers).toHaveLength(1);
    });
  },
);

it('a change of a number brings nothing back, wherever a removal of what the task knows overtakes it', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const { database } = table;
    const service = aService(database);
    const task = await aRunningTask(database, service, { contactCount: 1 });
    const [made] = await leaseFrom(service, task, start);
    const remove = () => database.delete(keys.taskContact(task.id, 0));
    let isRemoved = false;
    overtake(async () => {
      await remove();
      isRemoved = true;
    });
    const patch = { phoneNumber: '+491', changes: new Map() };
    await openStores(slow).contacts.update(made!.dataSourceId, made!.contactId, patch, start);
    expect((await database.get(keys.taskContact(task.id, 0))) === undefined).toBe(isRemoved);
  });
});

it.each([{ callCount: 1 }, { 'call#0123456789abcdef': start }, { leases: 1 }])(
  'a contact that was called, also by 0.3, leaves a pointer from its number: %o',
  async (called) => {
    const { database, close } = await engines[0]!.open();
    const id = newId();
    await seedContacts(database, id, 2);
    const contact = (await database.get(keys.contact(id, 0)))!;
    await database.put({ ...contact, ...called });
    const { contacts } = openStores(database);
    for (const seq of [0, 1]) await contacts.remove(id, contactId(id, seq), start);
    const pointers = [0, 1].map((seq) =>
      database.queryAll(partitionRange(keys.formerNumbers(seededPhone(seq)))),
    );
    expect(await Promise.all(pointers)).toMatchObject([[{ sk: `${id}#000000000` }], []]);
    await close();
  },
);

it('a call names the number that was called, though the contact got two others meanwhile', async () => {
  const { database, close } = await engines[0]!.open();
  const service = aService(database);
  const task = await aRunningTask(database, service, { contactCount: 1 });
  const [made] = await leaseFrom(service, task, start);
  const { dataSourceId } = task;
  const { contacts } = openStores(database);
  for (const phoneNumber of ['+491', '+492'])
    await contacts.update(
      dataSourceId,
      contactId(dataSourceId, 0),
      { phoneNumber, changes: new Map() },
      start,
    );
  await service.dialer.results.report({ callId: made!.callId, outcome: 'failed', duration: 0 }, start);
  const { callReader } = createRuntime(serviceSettings({}), database);
  expect((await callReader.detail(made!.callId, start)).call.phoneNumber).toBe(made!.phoneNumber);
  await close();
});
