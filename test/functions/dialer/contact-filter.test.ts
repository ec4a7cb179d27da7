import { describe, expect, it } from 'vitest';
import { phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { accessToken, expectError, succeeded } from '../../support/service/api.ts';

const gold = [{ field: 'plan', is: 'equal', value: 'gold' }];
const silver = [{ field: 'plan', is: 'equal', value: 'silver' }];

describe.each(engines)('a task with a contact filter on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });

  const aSource = async (plans: readonly string[]) => {
    const { id } = await api.aDataSource();
    await addAll(
      id,
      plans.map((plan, i) => ({ phoneNumber: phoneOf(i), plan })),
    );
    return id as string;
  };
  const addAll = async (id: unknown, contacts: readonly object[], onDuplicate = 'skip') =>
    succeeded(await api.post(`/api/dataSource/${id}/contact/batchAdd`, { contacts, onDuplicate }));
  const aTask = async (plans: readonly string[], rules: object = { contactFilter: gold }) => {
    const dataSourceId = await aSource(plans);
    const task = await api.aTaskIn(1, { dataSourceId, maxDialCount: 1, ...rules });
    return { id: task.id as string, dataSourceId };
  };
  const overview = async (id: string) => succeeded(await api.get(`/api/task/${id}/overview`));
  const counts = async (id: string) => {
    const contacts = (await overview(id)).contacts as Record<string, number>;
    const { total, callbacks: _, selected: __, callable: ___, callbacksMoved: ____, ...parts } = contacts;
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(total);
    return contacts;
  };
  const lease = async (taskId: string, limit = 100) =>
    (await dialing.lease({ taskId, limit })).sort((a, b) => (a.phoneNumber < b.phoneNumber ? -1 : 1));
  const phones = async (taskId: string) => (await lease(taskId)).map(({ phoneNumber }) => phoneNumber);
  const callAll = async (taskId: string, outcome = 'success') => {
    const states = [];
    for (const { callId } of await lease(taskId))
      states.push((await dialing.report(callId, outcome)).taskStatus);
    return states;
  };
  const adjust = async (id: string, changes: object) =>
    succeeded(await api.post('/api/task/adjust', { id, ...changes }));
  const update = async (dataSourceId: string, at: number, changes: object) => {
    const contacts = await dialing.contacts(dataSourceId);
    const contactId = contacts.find(({ phoneNumber }) => phoneNumber === phoneOf(at))!.id;
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/update`, { contactId, ...changes }));
  };
  const listed = async (id: string, outcome: string) => {
    const rows: Record<string, unknown>[] = [];
    let pageToken: string | null = '';
    let total: unknown;
    do {
      const page: Record<string, unknown> = succeeded(
        await api.get(`/api/task/${id}/contacts`, { outcome, pageSize: 2, pageToken }),
      );
      rows.push(...(page.rows as Record<string, unknown>[]));
      total = page.total;
      pageToken = page.nextPageToken as string | null;
    } while (pageToken);
    return { total, phones: rows.map(({ phoneNumber }) => phoneNumber), rows };
  };

  it('calls the contacts that match, and completes with the last of them', async () => {
    const { id } = await aTask(['silver', 'gold', 'bronze', 'Gold', '']);
    expect(await overview(id)).toMatchObject({ contactFilter: gold });
    expect(await counts(id)).toMatchObject({ total: 5, notDialed: 5, notSelected: 0 });
    const calls = await lease(id);
    expect(calls.map(({ phoneNumber }) => phoneNumber)).toEqual([phoneOf(1), phoneOf(3)]);
    expect(await counts(id)).toMatchObject({ total: 5, notDialed: 0, inCall: 2, notSelected: 3 });
    expect(await dialing.report(calls[0]!.callId, 'success')).toMatchObject({ taskStatus: 1 });
    expect(await dialing.report(calls[1]!.callId, 'failed')).toMatchObject({ taskStatus: 4 });
    expect(await counts(id)).toMatchObject({ total: 5, reached: 1, failed: 1, blocked: 0, notSelected: 3 });
    expect(await dialing.statistics(id)).toMatchObject({ totalContacts: 5, callCount: 2, dialRate: 0.4 });
    const left = [phoneOf(0), phoneOf(2), phoneOf(4)];
    expect(await listed(id, 'notSelected')).toMatchObject({ total: 3, phones: left });
    expect(await listed(id, 'notDialed')).toMatchObject({ total: 0, phones: [] });
    const { rows } = await listed(id, 'all');
    expect(rows.map(({ outcome }) => outcome).sort()).toEqual(
      ['failed', 'notSelected', 'notSelected', 'notSelected', 'success'].sort(),
    );
    const exported = await dialing.exported(id);
    expect(exported.size).toBe(5);
    for (const phone of left)
      expect(exported.get(`'${phone}`) ?? exported.get(phone)).toMatchObject({
        status: '0',
        callCount: '0',
        callOutcome: 'notSelected',
      });
    expect([...(await dialing.exported(id, 3)).values()].map(({ callOutcome }) => callOutcome)).toEqual([
      'notSelected',
      'notSelected',
      'notSelected',
    ]);
  });

  it('knows how many contacts it selects from its pre-flight on, and when the list or the filter has changed', async () => {
    const dataSourceId = await aSource(
      Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 'gold' : 'silver')),
    );
    const { id } = await api.aTask({ dataSourceId, maxDialCount: 1, contactFilter: gold });
    const selected = async () => (await counts(id)).selected;
    const preflight = async () => succeeded(await api.post('/api/task/preflight', { id }));
    const isKnown = async (count: number) => expect(await selected()).toEqual({ count, estimated: false });
    const isGuessed = async (change: () => Promise<unknown>, count: number) => {
      await change();
      expect(await selected()).toMatchObject({ estimated: true });
      await preflight();
      await isKnown(count);
    };
    expect(await selected()).toEqual({ count: 0, estimated: true });
    await preflight();
    await isKnown(10);
    succeeded(await api.post('/api/task/publish', { id }));
    await isKnown(10);
    expect(await counts(id)).toMatchObject({ total: 30, notDialed: 30, notSelected: 0 });
    await isGuessed(() => update(dataSourceId, 1, { plan: 'gold' }), 11);
    await isGuessed(() => addAll(dataSourceId, [{ phoneNumber: phoneOf(40), plan: 'gold' }]), 12);
    await isGuessed(() => addAll(dataSourceId, [{ phoneNumber: phoneOf(2), plan: 'gold' }], 'update'), 13);
    await isGuessed(async () => {
      const [contact] = await dialing.contacts(dataSourceId);
      const { id: contactId } = contact!;
      succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
    }, 12);
    await isGuessed(() => adjust(id, { contactFilter: silver }), 18);
    await adjust(id, { contactFilter: gold });
    expect(await selected()).toMatchObject({ estimated: true });
    await adjust(id, { contactFilter: [] });
    await isKnown(30);
    await adjust(id, { contactFilter: gold });
    expect(await callAll(id)).toHaveLength(12);
    expect((await overview(id)).status).toBe(4);
    await isKnown(12);
    await addAll(dataSourceId, [{ phoneNumber: phoneOf(41), plan: 'gold' }]);
    await isKnown(12);
  });

  it('knows what its filter selects though it has taken up contacts by another one, or as they were before', async () => {
    const plans = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 'silver' : 'gold'));
    const { id, dataSourceId } = await aTask(plans);
    const selected = async () => (await counts(id)).selected;
    const preflight = async () => succeeded(await api.post('/api/task/preflight', { id }));
    for (const { callId } of await lease(id, 4)) await dialing.report(callId, 'success');
    await adjust(id, { contactFilter: silver });
    await preflight();
    expect(await selected()).toEqual({ count: 10, estimated: false });
    await lease(id, 4);
    expect(await selected()).toEqual({ count: 10, estimated: false });
    await update(dataSourceId, 36, { plan: 'gold' });
    expect(await selected()).toMatchObject({ estimated: true });
    await preflight();
    expect(await selected()).toEqual({ count: 9, estimated: false });
  });

  it('tells how many contacts it selects by the share that it has seen, where no pre-flight was made', async () => {
    const plans = Array.from({ length: 600 }, (_, i) => (i % 4 === 0 ? 'gold' : 'silver'));
    const { id } = await aTask(plans);
    const selected = async () => (await counts(id)).selected;
    expect(await selected()).toEqual({ count: 0, estimated: true });
    await lease(id, 1);
    expect(await selected()).toEqual({ count: 150, estimated: true });
    await lease(id, 100);
    await lease(id, 100);
    expect(await selected()).toEqual({ count: 150, estimated: false });
  });

  it('selects what it did when it was stopped, however its list changes afterwards', async () => {
    const { id, dataSourceId } = await aTask(['gold', 'silver', 'gold', 'silver']);
    succeeded(await api.post('/api/task/preflight', { id }));
    succeeded(await api.post('/api/task/stop', { id, reason: 'enough' }));
    await addAll(dataSourceId, [{ phoneNumber: phoneOf(9), plan: 'gold' }]);
    await update(dataSourceId, 1, { plan: 'gold' });
    succeeded(await api.post('/api/task/preflight', { id }));
    expect((await counts(id)).selected).toEqual({ count: 2, estimated: false });
  });

  it('does not complete before it has looked at what an adjusted filter may select', async () => {
    const { id } = await aTask(['gold', 'silver']);
    const [call] = await lease(id);
    await adjust(id, { contactFilter: silver });
    expect(await dialing.report(call!.callId, 'success')).toMatchObject({ taskStatus: 1 });
    expect(await callAll(id)).toEqual([4]);
  });

  it('stays RUNNING if it selected no contact, and calls a contact that is added and matches', async () => {
    const { id, dataSourceId } = await aTask(['silver', 'bronze']);
    expect(await phones(id)).toEqual([]);
    expect(await phones(id)).toEqual([]);
    expect(await overview(id)).toMatchObject({ status: 1, dialing: { reason: 'NO_CONTACTS' } });
    expect(await counts(id)).toMatchObject({ total: 2, notDialed: 0, notSelected: 2 });
    await addAll(dataSourceId, [{ phoneNumber: '999', plan: 'silver' }]);
    await addAll(dataSourceId, [{ phoneNumber: '998', plan: 'gold' }]);
    expect(await phones(id)).toEqual(['998']);
    expect(await counts(id)).toMatchObject({ total: 4, inCall: 1, notSelected: 3 });
  });

  it('calls a contact that is changed so that it matches, with the next lease request', async () => {
    const { id, dataSourceId } = await aTask(['silver', 'gold', 'bronze']);
    expect(await phones(id)).toEqual([phoneOf(1)]);
    // A dialer that asks for any task finds nothing until the contact is changed.
    expect((await dialing.lease({ limit: 100 })).filter(({ taskId }) => taskId === id)).toEqual([]);
    await update(dataSourceId, 2, { plan: 'gold' });
    expect(await counts(id)).toMatchObject({ total: 3, inCall: 1, notDialed: 1, notSelected: 1 });
    const calls = (await dialing.lease({ limit: 100 })).filter(({ taskId }) => taskId === id);
    expect(calls.map(({ phoneNumber }) => phoneNumber)).toEqual([phoneOf(2)]);
    await update(dataSourceId, 2, { customerName: 'Ann' });
    expect(await counts(id)).toMatchObject({ total: 3, inCall: 2, notDialed: 0, notSelected: 1 });
  });

  it('does not call a contact that is changed so that it does not match any more', async () => {
    const { id, dataSourceId } = await aTask(['gold', 'gold', 'silver']);
    const [first] = await lease(id, 1);
    await update(dataSourceId, 1, { plan: 'silver' });
    expect(await phones(id)).toEqual([]);
    expect(await counts(id)).toMatchObject({ total: 3, inCall: 1, notSelected: 2 });
    expect(await listed(id, 'notSelected')).toMatchObject({ total: 2, phones: [phoneOf(1), phoneOf(2)] });
    const contact = (await dialing.contacts(dataSourceId)).find((each) => each.phoneNumber === phoneOf(1));
    expect(contact).toMatchObject({ status: 0, callCount: 0 });
    await update(dataSourceId, 1, { plan: 'gold' });
    expect(await counts(id)).toMatchObject({ inCall: 1, waiting: 0, notDialed: 1, notSelected: 1 });
    const [second] = await lease(id);
    expect(second).toMatchObject({ phoneNumber: phoneOf(1), attempt: 1 });
    await dialing.report(first!.callId, 'success');
    expect(await dialing.report(second!.callId, 'success')).toMatchObject({ taskStatus: 4 });
  });

  it('keeps the outcome of a contact that was called, and completes without its retry', async () => {
    const { id, dataSourceId } = await aTask(['gold', 'gold'], { contactFilter: gold, maxDialCount: 3 });
    const [first, second] = await lease(id);
    await dialing.report(first!.callId, 'noAnswer');
    expect(await dialing.report(second!.callId, 'success')).toMatchObject({ taskStatus: 1 });
    await update(dataSourceId, 0, { plan: 'silver' });
    // No retry is due yet, but the task has nothing left to call.
    await dialing.lease({ taskId: id });
    expect(await overview(id)).toMatchObject({ status: 4 });
    expect(await counts(id)).toMatchObject({ total: 2, reached: 1, noAnswer: 1, notSelected: 0 });
    // As a failed contact it may be recalled; its turn ends the same way.
    expect(succeeded(await dialing.recall(id))).toMatchObject({ recallCount: 1 });
    clock.advance(3600);
    expect(await phones(id)).toEqual([]);
    expect(await counts(id)).toMatchObject({ total: 2, reached: 1, noAnswer: 1, notSelected: 0 });
  });

  it('lists contacts that it has taken up again before those it has not come to, on whichever page', async () => {
    const rules = { contactFilter: gold, keepOpen: true };
    const { id, dataSourceId } = await aTask(['silver', 'silver', 'silver'], rules);
    expect(await lease(id)).toEqual([]);
    for (const at of [0, 1]) await update(dataSourceId, at, { plan: 'gold' });
    await addAll(
      dataSourceId,
      [3, 4].map((at) => ({ phoneNumber: phoneOf(at), plan: 'gold' })),
    );
    const all = [0, 1, 3, 4].map(phoneOf);
    expect(await listed(id, 'notDialed')).toMatchObject({ total: 4, phones: all });
  });

  it('counts a result that comes after its contact was left out', async () => {
    const rules = { contactFilter: gold, keepOpen: true, maxDialCount: 3 };
    const { id, dataSourceId } = await aTask(['gold'], rules);
    const [call] = await lease(id);
    clock.advance(3600);
    await update(dataSourceId, 0, { plan: 'silver' });
    expect(await lease(id)).toEqual([]);
    expect(await counts(id)).toMatchObject({ notSelected: 1 });
    await dialing.report(call!.callId, 'failed');
    expect(await counts(id)).toMatchObject({ failed: 1, waiting: 0, notSelected: 0 });
    clock.advance(3600);
    expect(await lease(id)).toEqual([]);
  });

  it('calls by an adjusted filter at once; contacts that were called keep their outcome', async () => {
    const rules = { contactFilter: gold, keepOpen: true };
    const { id, dataSourceId } = await aTask(['silver', 'gold', 'bronze', 'silver'], rules);
    await callAll(id);
    expect(await counts(id)).toMatchObject({ total: 4, reached: 1, notSelected: 3 });
    await adjust(id, { contactFilter: silver });
    // They have not been looked at by the new filter.
    expect(await counts(id)).toMatchObject({ total: 4, reached: 1, notDialed: 3, notSelected: 0 });
    expect(await listed(id, 'notDialed')).toMatchObject({
      total: 3,
      phones: [phoneOf(0), phoneOf(2), phoneOf(3)],
    });
    const { rows } = succeeded(await api.get(`/api/task/${id}/history`, { pageSize: 1 }));
    expect(rows[0]).toMatchObject({
      changes: [{ name: 'contactFilter', from: gold, to: silver }],
    });
    expect(await phones(id)).toEqual([phoneOf(0), phoneOf(3)]);
    expect(await counts(id)).toMatchObject({ total: 4, reached: 1, inCall: 2, notSelected: 1 });
    await addAll(dataSourceId, [{ phoneNumber: phoneOf(4) }]);
    await adjust(id, { contactFilter: [] });
    expect(await phones(id)).toEqual([phoneOf(2), phoneOf(4)]);
    expect(await counts(id)).toMatchObject({ total: 5, reached: 1, inCall: 4, notSelected: 0 });
  });

  it('leaves contacts in line to an adjusted filter', async () => {
    const { id } = await aTask(['silver', 'gold'], { maxDialCount: 2, callInterval: 60 });
    const [, second] = await lease(id);
    clock.advance(600);
    await adjust(id, { contactFilter: gold });
    // The first contact's lease ran out, the second one's call is reported late.
    await dialing.report(second!.callId, 'noAnswer');
    clock.advance(120);
    const calls = await lease(id);
    expect(calls).toMatchObject([{ phoneNumber: phoneOf(1), attempt: 2 }]);
    expect(await counts(id)).toMatchObject({ total: 2, inCall: 1, notSelected: 1 });
    await adjust(id, { contactFilter: [] });
    expect(await lease(id)).toMatchObject([{ phoneNumber: phoneOf(0), attempt: 1 }]);
  });

  it('takes back and selects again as many contacts as one request may ask for', async () => {
    const { id } = await aTask(Array(100).fill('silver'), {});
    expect(await phones(id)).toHaveLength(100);
    clock.advance(600);
    await adjust(id, { contactFilter: gold });
    expect(await phones(id)).toEqual([]);
    expect(await counts(id)).toMatchObject({ notSelected: 100 });
    await adjust(id, { contactFilter: [] });
    expect([...(await phones(id)), ...(await phones(id))]).toHaveLength(100);
  });

  it('calls contacts that an import updates so that they match', async () => {
    const { id, dataSourceId } = await aTask(['silver', 'gold', 'bronze', 'silver']);
    expect(await phones(id)).toEqual([phoneOf(1)]);
    const rows = [`${phoneOf(0)},gold`, `${phoneOf(2)},tin`, '777,gold', '776,tin'];
    const form = new FormData();
    form.set('file', new Blob([['phoneNumber,plan', ...rows].join('\n')]), 'contacts.csv');
    form.set('onDuplicate', 'update');
    const response = await fetch(`${api.url}/api/dataSource/${dataSourceId}/contact/batchImport`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      body: form,
    });
    expect(response.status).toBe(200);
    expect((await phones(id)).sort()).toEqual([phoneOf(0), '777'].sort());
    await addAll(dataSourceId, [{ phoneNumber: phoneOf(3), plan: 'gold' }], 'update');
    expect(await phones(id)).toEqual([phoneOf(3)]);
    expect(await counts(id)).toMatchObject({ total: 6, inCall: 4, notSelected: 2 });
  });

  it.each([
    ['as it was', gold],
    ['as it is adjusted', [...gold, { field: 'plan', is: 'notEmpty' }]],
  ])('settles a contact that a recall names and the filter leaves out, %s', async (_, contactFilter) => {
    const { id, dataSourceId } = await aTask(['silver', 'gold'], { contactFilter: gold, keepOpen: true });
    await callAll(id);
    // No request has looked at this one, nor at the first one by the adjusted filter.
    await addAll(dataSourceId, [{ phoneNumber: phoneOf(2), plan: 'gold' }]);
    await adjust(id, { contactFilter });
    const ids = (await dialing.contacts(dataSourceId)).map((contact) => contact.id);
    expect(succeeded(await dialing.recall(id, { contactIds: ids }))).toMatchObject({ recallCount: 3 });
    expect(await counts(id)).toMatchObject({ total: 3, waiting: 3, notSelected: 0 });
    clock.advance(3600);
    expect(await phones(id)).toEqual([phoneOf(1), phoneOf(2)]);
    expect(await counts(id)).toMatchObject({ total: 3, inCall: 2, notSelected: 1 });
  });

  it('looks again, when a recall reopens it, at contacts that were changed after its end', async () => {
    const { id, dataSourceId } = await aTask(['silver', 'gold'], { contactFilter: gold });
    expect(await callAll(id, 'failed')).toEqual([4]);
    await update(dataSourceId, 0, { plan: 'gold' });
    clock.advance(3600);
    succeeded(await dialing.recall(id));
    expect(await phones(id)).toEqual([phoneOf(0), phoneOf(1)]);
    expect(await counts(id)).toMatchObject({ total: 2, inCall: 2, notSelected: 0 });
  });

  it('counts a deleted contact that it had looked at, until it looks again', async () => {
    const { id, dataSourceId } = await aTask(['silver', 'gold', 'bronze']);
    await lease(id);
    const [contact] = await dialing.contacts(dataSourceId);
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId: contact!.id }));
    await counts(id);
    await adjust(id, { contactFilter: silver });
    await lease(id);
    expect(await counts(id)).toMatchObject({ total: 2, inCall: 1, notSelected: 1 });
  });

  it('does not look at more than 2,000 contacts in one request', async () => {
    const { id, dataSourceId } = await aTask(['tin']);
    const contacts = Array.from({ length: 4500 }, (_, i) => ({
      phoneNumber: phoneOf(i),
      plan: i === 4400 ? 'gold' : i === 100 ? 'silver' : 'tin',
    }));
    await addAll(dataSourceId, contacts);
    const answers = [];
    for (let request = 0; request < 4; request++) {
      const { calls, retryAfterSeconds } = succeeded(await dialing.leaseAnswer({ taskId: id }));
      const { notSelected } = await counts(id);
      answers.push({ calls: (calls as unknown[]).length, retryAfterSeconds, notSelected });
    }
    expect(answers.map(({ calls }) => calls)).toEqual([0, 0, 1, 0]);
    expect(answers[0]).toMatchObject({ retryAfterSeconds: 1 });
    expect(answers[0]!.notSelected).toBeGreaterThanOrEqual(2000);
    expect(answers[0]!.notSelected).toBeLessThan(2600);
    expect(answers[3]!.notSelected).toBe(4499);
    await adjust(id, { contactFilter: silver });
    expect(await phones(id)).toEqual([phoneOf(100)]);
    const { notDialed, notSelected } = await counts(id);
    expect(notDialed).toBe(4498 - notSelected!);
    expect(notSelected).toBeLessThan(2600);
  });

  it('counts in its pre-flight whom the filter leaves out', async () => {
    const dataSourceId = await aSource(['silver', 'gold', 'gold', 'bronze']);
    const excluded = await api.aDataSource();
    await addAll(excluded.id, [{ phoneNumber: phoneOf(0) }, { phoneNumber: phoneOf(1) }]);
    const inputs = { dataSourceId, contactFilter: gold, excludedDataSourceIds: [excluded.id] };
    expect(succeeded(await api.post('/api/task/preflight', inputs))).toMatchObject({
      ...{ total: 4, callable: 1, blocked: 1, notSelected: 2, estimated: false },
      blockedBy: [{ dataSourceId: excluded.id, count: 1 }],
    });
    const all = { dataSourceId, keepOpen: true };
    expect(succeeded(await api.post('/api/task/preflight', all))).toMatchObject({
      ...{ total: 4, callable: 4, blocked: 0, notSelected: 0, estimated: false },
    });
  });

  it.each([
    ['six conditions', Array(6).fill(gold[0])],
    ['an unknown comparison', [{ field: 'plan', is: 'like', value: 'x' }]],
    ['no field', [{ is: 'empty' }]],
    ['no value', [{ field: 'plan', is: 'equal' }]],
    ['51 values', [{ field: 'plan', is: 'in', value: Array.from({ length: 51 }, String) }]],
    ['an object as its value', [{ field: 'plan', is: 'equal', value: {} }]],
    ['a field of the service', [{ field: 'status', is: 'equal', value: 1 }]],
  ])('is refused with %s', async (_, contactFilter) => {
    const { id } = await api.aTaskIn(0);
    expectError(await api.post('/api/task/update', { id, contactFilter }), 400, /contactFilter/);
    expectError(await api.post('/api/task/adjust', { id, contactFilter }), 400, /contactFilter/);
  });
});
