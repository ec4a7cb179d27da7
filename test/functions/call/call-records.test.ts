import { describe, expect, it } from 'vitest';
import { keys } from '../../../shared/platform/table/keys.ts';
import { type Call, phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { cellsOf } from '../../support/files/file-rows.ts';
import { expectError, succeeded } from '../../support/service/api.ts';

type Rec = Record<string, unknown> & { callId: string; endTime: string };

describe.each(engines)('records of calls on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });
  let phones = 0;

  const aTask = async (contacts: number, settings: Record<string, unknown> = {}) => {
    const aPerson = () => ({ phoneNumber: phoneOf(++phones), customerName: 'Li Wei' });
    return api.aTaskOf(Array.from({ length: contacts }, aPerson), { callInterval: 0, ...settings });
  };
  const report = (callId: string, result: Record<string, unknown>) =>
    api.post('/api/dialer/result', { callId, ...result });
  const counted = async (callId: string, result: Record<string, unknown>) =>
    succeeded(await report(callId, result));
  const isListed = async (phoneNumber: string) =>
    succeeded(await api.post('/api/contact/find', { phoneNumber })).doNotCall;
  const annotate = (callId: string, details: Record<string, unknown>) =>
    api.post('/api/dialer/annotate', { callId, ...details });
  const detail = async (callId: string) =>
    succeeded(await api.get(`/api/call/detail/${callId}`)) as unknown as Rec;
  const page = async (id: string, query: Record<string, string | number> = {}) =>
    succeeded(await api.get(`/api/task/${id}/calls`, query)) as unknown as {
      rows: Rec[];
      nextPageToken: string | null;
    };
  const all = async (id: string, query: Record<string, string | number> = {}) => {
    const rows: Rec[] = [];
    for (let pageToken: string | null = '0'; pageToken !== null; ) {
      const found = await page(id, { ...query, pageToken });
      rows.push(...found.rows);
      pageToken = found.nextPageToken;
    }
    return rows;
  };
  const callCount = async (id: string) => succeeded(await api.get(`/api/task/${id}/stat`)).callCount;

  const exportedFile = async (id: string, query: Record<string, string>) => {
    const answer = await api.file(`/api/task/${id}/calls/export`, query);
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const exported = async (id: string, query: Record<string, string>) =>
    cellsOf(await exportedFile(id, query));

  it('hold what the dialer reported, and null for what it did not', async () => {
    const { id, dataSourceId } = await aTask(2, { callerNumbers: ['+4930999'] });
    const calls = await dialing.lease({ taskId: id, leaseSeconds: 600 });
    const [first, second] = calls as [Call, Call];
    const leasedAt = api.timeIn(clock.now());
    clock.advance(90);
    const learned = {
      startTime: api.timeIn(clock.now() - 60_000),
      callerNumber: '+4930888',
      disposition: 'promised',
      data: { amount: 12.5, paysOn: '星期五', isVip: true },
      summary: '<b>pays</b> on Friday',
      recordingUrl: 'https://example.com/r?id=1',
      transcriptUrl: 'https://example.com/t',
      providerCallId: 'CA1',
    };
    await counted(first.callId, { outcome: 'success', duration: 42, ...learned });
    // The call was made with the number that its lease gave.
    succeeded(await api.post('/api/task/adjust', { id, callerNumbers: ['+4930777'] }));
    await counted(second.callId, { outcome: 'noAnswer', reason: 'busy' });
    const common = {
      taskId: id,
      dataSourceId,
      attempt: 1,
      endTime: api.timeIn(clock.now()),
      updateTime: null,
    };
    expect(await detail(first.callId)).toEqual({
      ...{ ...common, ...learned, callId: first.callId, contactId: first.contactId },
      ...{ phoneNumber: first.phoneNumber, duration: 42, outcome: 'success', reason: null, final: true },
      ...{ callbackTime: null, doNotCall: null, reportedBy: 'local-developer' },
      fields: { customerName: 'Li Wei' },
    });
    expect(await detail(second.callId)).toMatchObject({
      ...{ ...common, startTime: leasedAt, callerNumber: '+4930999', outcome: 'noAnswer', reason: 'busy' },
      ...{ final: false, disposition: null, data: null, summary: null, recordingUrl: null },
    });
    expect((await page(id)).rows.map(({ callId }) => callId).sort()).toEqual(
      [first.callId, second.callId].sort(),
    );
    succeeded(await api.post('/api/task/adjust', { id, callerNumbers: [] }));
    const third = await dialing.leaseOne({ taskId: id });
    // Release 0.3 did not store when it gave a lease.
    await api.database.update(keys.taskContact(id, 1), { UpdateExpression: 'REMOVE leasedAt' });
    await counted(third.callId, { outcome: 'failed', duration: 30, doNotCall: false });
    const startTime = api.timeIn(clock.now() - 30_000);
    const told = { startTime, callerNumber: null, attempt: 2, doNotCall: false };
    expect(await detail(third.callId)).toMatchObject(told);
  });

  it.each([
    [{ startTime: '2026-13-01 00:00:00' }, 'startTime'],
    [{ callerNumber: 'anonymous' }, 'callerNumber'],
    [{ disposition: '' }, 'disposition'],
    [{ disposition: 'x'.repeat(65) }, 'disposition'],
    [{ data: { a: null } }, 'data'],
    [{ data: { a: { b: 1 } } }, 'data'],
    [{ data: { '': 1 } }, 'data'],
    [{ data: Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`n${i}`, 1])) }, 'data'],
    [{ data: { text: '长'.repeat(1362) } }, 'data'],
    [{ summary: 'x'.repeat(2001) }, 'summary'],
    [{ recordingUrl: 'http://example.com/r' }, 'recordingUrl'],
    [{ recordingUrl: 'javascript:alert(1)' }, 'recordingUrl'],
    [{ recordingUrl: 'https:example.com/r' }, 'recordingUrl'],
    [{ transcriptUrl: 'https://' }, 'transcriptUrl'],
    [{ providerCallId: 'x'.repeat(129) }, 'providerCallId'],
    [{ sumary: 'misspelt' }, 'sumary'],
  ])('refuse %o, and nothing is counted', async (wrong, field) => {
    const { id } = await aTask(1);
    const { callId } = await dialing.leaseOne({ taskId: id });
    const answer = await report(callId, { outcome: 'success', ...wrong });
    expectError(answer, 400, new RegExp(field));
    expect(JSON.stringify(answer.body.data)).toContain(`"field":"${field}`);
    expect([await callCount(id), (await page(id)).rows.length]).toEqual([0, 0]);
    await counted(callId, { outcome: 'success' });
  });

  it('take a start by a clock that is a minute fast, and data of 4 KB', async () => {
    const { id } = await aTask(1);
    const { callId } = await dialing.leaseOne({ taskId: id });
    const startedIn = (ms: number) =>
      report(callId, {
        ...{ outcome: 'success', startTime: api.timeIn(clock.now() + ms) },
        data: { text: `${'长'.repeat(1361)}ab` },
      });
    expectError(await startedIn(61_000), 400, /startTime/);
    succeeded(await startedIn(60_000));
  });

  it('are as many as the task has calls: repeats, recalls, releases and lapsed leases', async () => {
    const { id } = await aTask(3, { maxDialCount: 2 });
    const calls = await dialing.lease({ taskId: id, leaseSeconds: 10 });
    const [a, b, c] = calls as [Call, Call, Call];
    await counted(a.callId, { outcome: 'failed', summary: 'first' });
    await counted(a.callId, { outcome: 'failed', summary: 'repeated', disposition: 'other' });
    expect(await detail(a.callId)).toMatchObject({ summary: 'first', disposition: null });
    expectError(await report(a.callId, { outcome: 'success' }), 409, /reported before/);
    succeeded(await api.post('/api/dialer/release', { callId: b.callId }));
    clock.advance(11);
    expectError(await api.get(`/api/call/detail/${c.callId}`), 404, /call/);
    for (let round = 0; round < 3; round++) {
      for (const { callId } of await dialing.lease({ taskId: id }))
        await counted(callId, { outcome: 'failed' });
      await api.post(`/api/task/${id}/recall`, {});
      expect((await all(id)).length).toBe(await callCount(id));
    }
  });

  it.each([
    ['in progress', 0],
    ['given back', 1],
  ])(
    'have the number of a contact that is deleted while its call is %s, and its wish',
    async (_, released) => {
      const { id, dataSourceId } = await aTask(1);
      const [{ callId, contactId, phoneNumber }] = (await dialing.lease({ taskId: id })) as [Call];
      if (released) succeeded(await api.post('/api/dialer/release', { callId }));
      succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
      await counted(callId, { outcome: 'success', duration: 5, doNotCall: true });
      expect(await detail(callId)).toMatchObject({ phoneNumber, doNotCall: true });
      expect(await isListed(phoneNumber)).toBe(true);
    },
  );

  it('come by the time the calls ended, the newest first, in pages and by filter', async () => {
    const { id } = await aTask(30, { maxDialCount: 1 });
    const ended: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (const [i, { callId }] of (await dialing.lease({ taskId: id, limit: 10 })).entries()) {
        const outcome =
          i % 5 === 0
            ? { outcome: 'success', disposition: 'promised' }
            : { outcome: 'failed', reason: 'busy' };
        await counted(callId, outcome);
        ended.push(callId);
        clock.advance(i === 9 ? 3600 : 1);
      }
    }
    const rows = await all(id, { pageSize: 7 });
    expect(rows.map(({ callId }) => callId)).toEqual(ended.reverse());
    const [from, to] = [rows[19]!.endTime, rows[9]!.endTime];
    expect((await all(id, { from, to })).map(({ callId }) => callId)).toEqual(ended.slice(10, 20));
    expect(await all(id, { from: to, to: from })).toEqual([]);
    expect(await all(id, { outcome: 'success' })).toHaveLength(6);
    expect(await all(id, { disposition: 'promised', pageSize: 4 })).toHaveLength(6);
    expect(await all(id, { reason: 'busy' })).toHaveLength(24);
    expect(await all(id, { reason: 'busy', outcome: 'success' })).toEqual([]);
    const { phoneNumber } = rows[3] as unknown as { phoneNumber: string };
    expect(await all(id, { phoneNumber: phoneNumber.slice(1) })).toHaveLength(1);
    for (const none of ['none', phoneNumber.replace('+4', '+')])
      expect(await all(id, { phoneNumber: none })).toEqual([]);
    const { nextPageToken: pageToken } = await page(id, { pageSize: 2 });
    expect(pageToken, 'in an address').toMatch(/^[\w-]+$/);
    for (const other of [{ outcome: 'failed' }, { from }, { to }, { phoneNumber }])
      expectError(
        await api.get(`/api/task/${id}/calls`, { ...other, pageToken: pageToken! }),
        400,
        /pageToken/,
      );
    expectError(await api.get(`/api/task/${id}/calls`, { from: '2026-02-30 00:00:00' }), 400, /from/);
    expectError(await api.get('/api/task/none/calls'), 404, /task/);
  });

  it('are found by their ids however many calls a contact had', async () => {
    const { id } = await aTask(1, { maxDialCount: 10 });
    const ids: string[] = [];
    for (let i = 0; i < 24; i++) {
      const { callId, contactId } = await dialing.leaseOne({ taskId: id });
      await counted(callId, { outcome: 'failed' });
      ids.push(callId);
      clock.advance(60);
      if (i % 10 === 9) succeeded(await api.post(`/api/task/${id}/recall`, { contactIds: [contactId] }));
    }
    for (const callId of ids) expect(await detail(callId)).toMatchObject({ callId });
    const { phoneNumber } = await detail(ids[0]!);
    const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber })) as unknown as {
      contacts: { tasks: { calls: { callId: string }[] }[] }[];
    };
    expect(contacts[0]?.tasks[0]?.calls.map(({ callId }) => callId)).toEqual(ids);
  });

  describe('annotated after the call', () => {
    const reported = async (result: Record<string, unknown> = {}, settings = {}) => {
      const { id } = await aTask(1, settings);
      const { callId, phoneNumber } = await dialing.leaseOne({ taskId: id });
      await counted(callId, { outcome: 'success', summary: 'old', data: { a: 1 }, ...result });
      return { id, callId, phoneNumber };
    };

    it('named inputs replace, null removes, others stay', async () => {
      const { callId } = await reported({ providerCallId: 'CA2' });
      const before = await detail(callId);
      clock.advance(60);
      const answer = succeeded(
        await annotate(callId, { summary: null, data: { b: 2 }, disposition: 'promised' }),
      );
      expect(answer).toEqual({ callId, updateTime: api.timeIn(clock.now()) });
      expect(await detail(callId)).toEqual({
        ...before,
        ...{ summary: null, data: { b: 2 }, disposition: 'promised', updateTime: answer.updateTime },
      });
    });

    it('puts the number on the do-not-call list, and changes no outcome', async () => {
      const { id, callId, phoneNumber } = await reported();
      succeeded(await annotate(callId, { doNotCall: true }));
      expect(await isListed(phoneNumber)).toBe(true);
      expect(await detail(callId)).toMatchObject({ doNotCall: true, outcome: 'success' });
      expect(await callCount(id)).toBe(1);
      succeeded(await annotate(callId, { summary: 'as before' }));
      expect(await detail(callId)).toMatchObject({ doNotCall: true });
      succeeded(await annotate(callId, { doNotCall: null }));
      expect(await detail(callId)).toMatchObject({ doNotCall: null });
    });

    it('does what a declared disposition says, and gives new names of data their column', async () => {
      const { id } = await aTask(1, { dispositions: [{ code: 'never', then: 'doNotCall' }] });
      const { callId, phoneNumber } = await dialing.leaseOne({ taskId: id });
      await counted(callId, { outcome: 'success' });
      succeeded(await annotate(callId, { disposition: 'never', data: { foundLater: 1 } }));
      expect(await detail(callId)).toMatchObject({ disposition: 'never', doNotCall: true });
      expect(await isListed(phoneNumber)).toBe(true);
      const [titles] = await exported(id, { format: 'csv' });
      expect(titles).toContain('data.foundLater');
    });

    it('is refused for a call that is unknown, not reported, too old, or of a CLOSED task', async () => {
      expectError(await annotate('none', { summary: 'x' }), 404, /call/);
      const { id } = await aTask(1);
      const { callId } = await dialing.leaseOne({ taskId: id });
      expectError(await annotate(callId, { summary: 'x' }), 409, /no result/);
      expectError(await annotate(`${callId}9`, { summary: 'x' }), 404, /call/);
      const old = await reported();
      const closed = await reported();
      expectError(await annotate(old.callId, { sumary: 'x' }), 400, /sumary/);
      expectError(await annotate(old.callId, { recordingUrl: 'ftp://example.com' }), 400, /recordingUrl/);
      succeeded(await api.post('/api/task/close', { id: closed.id }));
      expectError(await annotate(closed.callId, { summary: 'x' }), 409, /CLOSED/);
      clock.advance(30 * 86_400);
      succeeded(await annotate(old.callId, { providerCallId: 'CA3' }));
      clock.advance(1);
      expectError(await annotate(old.callId, { summary: 'x' }), 409, /30 days/);
      expect(await detail(old.callId)).toMatchObject({ summary: 'old' });
    });
  });

  describe('dispositions', () => {
    const dispositions = [
      { code: 'promised', label: 'Promises to pay' },
      { code: 'done', then: 'final' },
      { code: 'later', then: 'retry' },
      { code: 'never', then: 'doNotCall' },
    ];
    const oneCall = async (settings = {}) => {
      const { id } = await aTask(1, { maxDialCount: 3, dispositions, ...settings });
      return { id, call: await dialing.leaseOne({ taskId: id }) };
    };
    const byDisposition = async (id: string) =>
      (
        succeeded(await api.get(`/api/task/${id}/overview`)) as unknown as {
          calls: { byDisposition: object };
        }
      ).calls.byDisposition;

    it('decide whether the contact is called again', async () => {
      const done = await oneCall();
      expect(await counted(done.call.callId, { outcome: 'noAnswer', disposition: 'done' })).toMatchObject({
        final: true,
      });
      const later = await oneCall();
      expect(await counted(later.call.callId, { outcome: 'success', disposition: 'later' })).toMatchObject({
        final: false,
      });
      for (const final of [false, true]) {
        const { callId } = await dialing.leaseOne({ taskId: later.id });
        expect(await counted(callId, { outcome: 'success', disposition: 'later' })).toMatchObject({
          final,
        });
      }
      const never = await oneCall();
      const result = { outcome: 'failed', disposition: 'never' };
      expect(await counted(never.call.callId, result)).toMatchObject({ final: true });
      expect(await counted(never.call.callId, result)).toMatchObject({ final: true });
      expect(await detail(never.call.callId)).toMatchObject({ doNotCall: true });
      const { phoneNumber } = never.call;
      expect(await isListed(phoneNumber)).toBe(true);
    });

    it('come after callbackTime and doNotCall of the result', async () => {
      const back = await oneCall();
      const callbackTime = api.timeIn(clock.now() + 3_600_000);
      expectError(
        await report(back.call.callId, { outcome: 'success', disposition: 'never', callbackTime }),
        400,
        /callbackTime/,
      );
      expect(
        await counted(back.call.callId, { outcome: 'success', disposition: 'done', callbackTime }),
      ).toMatchObject({ final: false });
      const wish = await oneCall();
      expect(
        await counted(wish.call.callId, { outcome: 'success', disposition: 'later', doNotCall: true }),
      ).toMatchObject({ final: true });
    });

    it('are checked where they are declared, counted by code, and counted anew when annotated', async () => {
      const { id } = await aTask(4, { maxDialCount: 1 });
      const [a, b, c, d] = (await dialing.lease({ taskId: id })) as [Call, Call, Call, Call];
      await counted(a.callId, { outcome: 'success', disposition: 'free' });
      expect(await byDisposition(id)).toEqual({ other: 1 });
      succeeded(await api.post('/api/task/adjust', { id, dispositions }));
      expectError(await report(b.callId, { outcome: 'success', disposition: 'free' }), 400, /disposition/);
      await counted(b.callId, { outcome: 'success', disposition: 'promised' });
      await counted(c.callId, { outcome: 'success' });
      const counts = { promised: 1, done: 0, later: 0, never: 0, other: 1 };
      expect(await byDisposition(id)).toEqual(counts);
      expectError(await annotate(b.callId, { disposition: 'free' }), 400, /disposition/);
      succeeded(await annotate(b.callId, { disposition: 'done' }));
      succeeded(await annotate(a.callId, { disposition: 'promised' }));
      succeeded(await annotate(a.callId, { summary: 'still promised' }));
      expect(await byDisposition(id)).toEqual({ ...counts, promised: 1, done: 1, other: 0 });
      succeeded(await annotate(b.callId, { disposition: null }));
      expect(await byDisposition(id)).toEqual({ ...counts, promised: 1, done: 0, other: 0 });
      succeeded(await api.post('/api/task/adjust', { id, dispositions: dispositions.slice(1) }));
      expect(await byDisposition(id)).toEqual({ done: 0, later: 0, never: 0, other: 1 });
      succeeded(await annotate(a.callId, { summary: 'promised before' }));
      succeeded(await api.post('/api/task/adjust', { id, dispositions }));
      expect(await byDisposition(id)).toEqual({ ...counts, promised: 1, other: 0 });
      await counted(d.callId, { outcome: 'failed' });
    });

    it.each([
      [[{ code: '' }], 'code'],
      [[{ code: 'x'.repeat(65) }], 'code'],
      [[{ code: 'a', label: 'x'.repeat(65) }], 'label'],
      [[{ code: 'a', then: 'again' }], 'then'],
      [[{ code: 'a' }, { code: 'a' }], 'dispositions'],
      [Array.from({ length: 31 }, (_, i) => ({ code: `c${i}` })), 'dispositions'],
    ])('refuse %o', async (wrong, field) => {
      const { id: dataSourceId } = await api.aDataSource();
      const task = { taskName: `wrong ${++phones}`, dataSourceId, dispositions: wrong };
      expectError(await api.post('/api/task/add', task), 400, new RegExp(field));
    });
  });

  it('are gone with their task', async () => {
    const { id } = await aTask(1, { maxDialCount: 1 });
    const [call] = (await dialing.lease({ taskId: id })) as [Call];
    await counted(call.callId, { outcome: 'success' });
    expect(await detail(call.callId)).toMatchObject({ outcome: 'success' });
    for (const step of ['close', 'delete']) succeeded(await api.post(`/api/task/${step}`, { id }));
    for (const path of [`/api/call/detail/${call.callId}`, `/api/task/${id}/calls`])
      expectError(await api.get(path), 404, /does not exist/);
    expectError(await annotate(call.callId, { summary: 'late' }), 404, /does not exist/);
  });

  it('have a column for each of 200 names of data, and one for all others', async () => {
    const { id } = await aTask(8, { maxDialCount: 1 });
    // More columns than a contact file may have.
    const lines = async () => (await exportedFile(id, { format: 'csv' })).toString().trimEnd().split('\r\n');
    for (const [i, { callId }] of (await dialing.lease({ taskId: id })).entries()) {
      const names = Array.from({ length: i === 6 ? 20 : 30 }, (_, at) => `name${i * 30 + at}`);
      const data = Object.fromEntries(names.map((name) => [name, 1]));
      if (i === 7) expect((await lines())[0]).toMatch(/,data$/);
      await counted(callId, { outcome: 'success', data });
      clock.advance(10);
    }
    const [titles, ...rows] = await lines();
    expect(titles!.match(/,data\.name\d+/g)).toHaveLength(200);
    expect(rows[7]).toMatch(/,"\{(""name\d+"":1,?){30}\}"$/);
  });

  it('are exported one row each, the oldest first, with a column for each name of data', async () => {
    const { id } = await aTask(3, {
      maxDialCount: 1,
      dispositions: [{ code: 'promised', label: 'Promises' }],
    });
    const calls = await dialing.lease({ taskId: id });
    const urls = { recordingUrl: 'https://example.com/r', transcriptUrl: 'https://example.com/t' };
    const said = [
      {
        outcome: 'success',
        data: { amount: 5, '=cmd': 'a,"b"' },
        disposition: 'promised',
        summary: '=1+1\nline',
      },
      {
        outcome: 'noAnswer',
        reason: 'busy',
        data: { amount: 7, isVip: true },
        callbackTime: api.timeIn(clock.now() + 9e6),
      },
      { outcome: 'failed', doNotCall: true, callerNumber: '+4930888', providerCallId: 'CA1', ...urls },
    ];
    for (const [i, { callId }] of calls.entries()) {
      await counted(callId, { duration: 10 + i, ...said[i] });
      clock.advance(10);
    }
    succeeded(await annotate(calls[2]!.callId, { summary: 'later' }));
    const columnsOf = async (query: Record<string, string>) => {
      const [titles = [], ...rows] = await exported(id, query);
      return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at] ?? ''])));
    };
    const expected = [];
    for (const { callId } of calls) {
      const { data, fields: _, ...record } = await detail(callId);
      const own = ['=cmd', 'amount', 'isVip'].map((name) => [`data.${name}`, (data as Rec | null)?.[name]]);
      const cells = [...Object.entries(record), ...own];
      expected.push(Object.fromEntries(cells.map(([name, value]) => [name, String(value ?? '')])));
    }
    for (const format of ['csv', 'excel']) expect(await columnsOf({ format })).toEqual(expected);
    expect((await columnsOf({ labels: 'en' })).map((row) => [row['Talk time'], row.Ringing])).toEqual([
      ['0:00:10', '0:00:00'],
      ['0:00:00', '0:00:11'],
      ['0:00:00', '0:00:12'],
    ]);
    const [titles, first] = await exported(id, {
      format: 'csv',
      labels: 'zh',
      timeZone: 'Asia/Shanghai',
      to: api.timeIn(clock.now() - 25_000),
    });
    expect(titles).toContain('业务结果');
    expect(first).toContain('Promises');
  });
});
