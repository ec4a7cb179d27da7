import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { contactsCsv, imported } from '../../support/files/contact-files.ts';
import { type Api, expectError, startApi, succeeded } from '../../support/service/api.ts';

const list = 'do-not-call';
/** A Monday, 10:00 in the service's zone, UTC. */
const now = Date.UTC(2026, 4, 4, 10);

type Found = {
  total: number;
  callable: number;
  blocked: number;
  blockedBy: { dataSourceId: string; dataSourceName: string; count: number }[];
  alsoIn: { taskId: string; taskName: string; count: number }[];
};

describe.each(engines)('pre-flight on $name', (engine) => {
  let table: OpenTable;
  let api: Api;
  let inChina: Api;

  beforeAll(async () => {
    table = await engine.open();
    const same = { open: async () => ({ ...table, close: async () => {} }) };
    api = await startApi({ engine: same, now: () => now });
    inChina = await startApi({ engine: same, now: () => now, country: 'CN' });
  });
  afterAll(async () => {
    await api.stop();
    await inChina.stop();
    await table.close();
  });

  const preflight = async (body: unknown, service = api) =>
    succeeded(await service.post('/api/task/preflight', body)) as unknown as Found;
  const aSourceOf = async (phoneNumbers: readonly string[], fields: Record<string, unknown> = {}) => {
    const { id } = await api.aDataSource(fields);
    for (const phoneNumber of phoneNumbers) await api.aContact(String(id), { phoneNumber });
    return String(id);
  };
  const listed = async (phoneNumber: string) => {
    await api.aContact(list, { phoneNumber });
  };

  it('names the fields of a filter that no contact of the list has', async () => {
    const dataSourceId = await aSourceOf(['+4930100091']);
    await api.aContact(dataSourceId, { phoneNumber: '+4930100092', plan: 'gold' });
    const conditions = ['plan', 'plna', 'plna', 'customerName', 'phoneNumber'];
    const contactFilter = conditions.map((field) => ({ field, is: 'notEqual', value: 'x' }));
    expect(await preflight({ dataSourceId, contactFilter })).toMatchObject({ unknownFields: ['plna'] });
  });

  it('counts a number on two lists for both, and once as blocked', async () => {
    await listed('+4930100001');
    await listed('+4930100002');
    const closed = await aSourceOf(['+4930100002', '+4930100003'], { dataSourceName: 'Closed accounts' });
    const dataSourceId = await aSourceOf(
      ['1', '2', '3', '4', '5'].map((last) => `+493010000${last}`),
      { dataSourceName: 'June renewals' },
    );
    const inputs = { taskName: 'June', dataSourceId, excludedDataSourceIds: [closed] };
    const expected = {
      total: 5,
      callable: 2,
      blocked: 3,
      notSelected: 0,
      atLimit: 0,
      unreadableTimes: 0,
      unknownFields: [],
      estimated: false,
      blockedBy: [
        { dataSourceId: list, dataSourceName: 'Do not call', count: 2 },
        { dataSourceId: closed, dataSourceName: 'Closed accounts', count: 2 },
      ],
      emergencyNumbers: 0,
      otherSpelling: 0,
      alsoIn: [],
      alsoInComplete: true,
      hasOwnZones: false,
      firstCallTime: '2026-05-04 10:00:00',
    };
    expect(await preflight(inputs)).toEqual(expected);
    const { id } = await api.aTask(inputs);
    expect(await preflight({ id })).toEqual(expected);
    await api.post('/api/task/publish', { id });
    expect(await preflight({ id })).toEqual(expected);
  });

  it('is what happens when the task is run, without and with a country', async () => {
    const numbers = ['13910000001', '+8613910000002', '013910000003', '13910000004', '0086 13910000005'];
    await listed('+8613910000001');
    await listed('13910000002');
    const excluded = await aSourceOf(['8613910000003', '13910000004']);
    for (const service of [api, inChina]) {
      const dataSourceId = await aSourceOf(numbers);
      const { id } = await service.aTaskIn(1, { dataSourceId, excludedDataSourceIds: [excluded] });
      const found = await preflight({ id }, service);
      expect(found).toMatchObject({ total: 5, blocked: service === api ? 1 : 4 });
      const calls = await new DialingApi(service).lease({ taskId: id, limit: 20 });
      expect(calls).toHaveLength(found.callable);
      const { contacts } = succeeded(await service.get(`/api/task/${id}/overview`));
      expect(contacts).toMatchObject({ blocked: found.blocked, inCall: found.callable });
    }
  });

  it('warns of numbers that are listed in another spelling, and does not count them as blocked', async () => {
    const excluded = await aSourceOf(['+8613920000001', '13920000002', '13920000003']);
    const dataSourceId = await aSourceOf(['13920000001', '+8613920000002', '13920000003', '3920000003']);
    const inputs = { dataSourceId, excludedDataSourceIds: [excluded] };
    expect(await preflight(inputs)).toMatchObject({ total: 4, blocked: 1, otherSpelling: 3 });
    expect(await preflight(inputs, inChina)).toMatchObject({ blocked: 3, otherSpelling: 1 });
  });

  it('names the running and paused tasks that have some of the same numbers', async () => {
    const numbers = ['1', '2', '3', '4'].map((last) => `+493020000${last}`);
    await listed(numbers[3]!);
    const dataSourceId = await aSourceOf(numbers);
    const others = await aSourceOf([numbers[0]!, numbers[3]!, '+4930299999']);
    const strangers = await aSourceOf(['+4930288888']);
    const same = await api.aTaskIn(1, { dataSourceId, taskName: 'same list' });
    const paused = await api.aTaskIn(2, { dataSourceId: others, taskName: 'May reminders' });
    for (const status of [0, 3, 4, 5]) await api.aTaskIn(status, { dataSourceId });
    await api.aTaskIn(1, { dataSourceId: strangers });
    expect(await preflight({ dataSourceId })).toMatchObject({
      callable: 3,
      alsoIn: [
        { taskId: same.id, taskName: 'same list', count: 3 },
        { taskId: paused.id, taskName: 'May reminders', count: 1 },
      ],
      alsoInComplete: true,
    });
    const itself = await preflight({ id: same.id });
    expect(itself.alsoIn.map(({ taskId }) => taskId)).toEqual([paused.id]);
  });

  it('warns only of contacts that the filter selects', async () => {
    const excludedDataSourceIds = [await aSourceOf(['+8613930000001', '13930000002'])];
    const dataSourceId = await aSourceOf([]);
    await api.aContact(dataSourceId, { phoneNumber: '13930000001', tier: 'gold' });
    await api.aContact(dataSourceId, { phoneNumber: '+8613930000002', tier: 'silver' });
    const others = await aSourceOf(['13930000001', '+8613930000002']);
    const { id } = await api.aTaskIn(2, { dataSourceId: others });
    const contactFilter = [{ field: 'tier', is: 'equal', value: 'gold' }];
    const found = await preflight({ dataSourceId, excludedDataSourceIds, contactFilter });
    expect(found).toMatchObject({ callable: 1, notSelected: 1, otherSpelling: 1 });
    expect(found.alsoIn).toMatchObject([{ taskId: id, count: 1 }]);
  });

  it('says whether contacts have their own zones, and when the first call is allowed', async () => {
    const dataSourceId = await aSourceOf([]);
    const evening = { dataSourceId, dailyStartTime: '18:00', dailyEndTime: '20:00', weekdays: [3] };
    expect(await preflight(evening)).toMatchObject({
      total: 0,
      callable: 0,
      hasOwnZones: false,
      firstCallTime: '2026-05-06 18:00:00',
    });
    const { id: contactId } = await api.aContact(dataSourceId);
    const moveTo = (timeZone: string) =>
      api.post(`/api/dataSource/${dataSourceId}/contact/update`, { contactId, timeZone });
    succeeded(await moveTo(''));
    expect(await preflight(evening)).toMatchObject({ total: 1, hasOwnZones: false });
    succeeded(await moveTo('Asia/Tokyo'));
    expect(await preflight({ ...evening, timeZone: 'Asia/Tokyo' })).toMatchObject({
      total: 1,
      hasOwnZones: true,
      firstCallTime: '2026-05-06 09:00:00',
    });
  });

  it('refuses what is neither a task nor its inputs', async () => {
    const { id, dataSourceId } = await api.aTask();
    const ask = (body: unknown) => api.post('/api/task/preflight', body);
    expectError(await ask({}), 400, /dataSourceId/);
    expectError(await ask({ id: 'aaaaaaaaaaaaaaaa' }), 404, /task/);
    expectError(await ask({ id, dataSourceId }), 400, /id/);
    expectError(await ask({ id, priority: 1 }), 400, /id/);
    expectError(await ask({ dataSourceId: 'aaaaaaaaaaaaaaaa' }), 400, /dataSourceId/);
    expectError(await ask({ dataSourceId: list }), 400, /dataSourceId/);
    expectError(await ask({ dataSourceId, maxDialCount: 0 }), 400, /maxDialCount/);
    expectError(
      await ask({ dataSourceId, dailyStartTime: '10:00', dailyEndTime: '09:00' }),
      400,
      /dailyStartTime/,
    );
    expectError(
      await ask({ dataSourceId, excludedDataSourceIds: ['aaaaaaaaaaaaaaaa'] }),
      400,
      /excludedDataSourceIds/,
    );
  });

  it('lists the people who will not be called as a file, with their lists', async () => {
    const phoneNumber = '+4930300001';
    await listed(phoneNumber);
    const excluded = await aSourceOf([phoneNumber, '+4930300002'], { dataSourceName: 'Moved, away' });
    const dataSourceId = await aSourceOf(['+4930300003']);
    await api.aContact(dataSourceId, { phoneNumber: '+4930300002', customerName: 'Bo', city: 'Bonn' });
    await api.aContact(dataSourceId, { phoneNumber, customerName: 'Ada' });
    const inputs = { dataSourceId, excludedDataSourceIds: [excluded], taskName: 'July' };
    const { id } = await api.aTask(inputs);
    const download = async (query: string) => {
      const answer = await api.file(`/api/task/${id}/preflight/blocked?${query}`);
      return { answer, text: (await answer.text()).replace('\uFEFF', '') };
    };
    const { answer, text } = await download('format=csv');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="not_called_20260504100000.csv"',
    );
    expect(text.split('\r\n')).toEqual([
      'phoneNumber,customerName,address,orderAmount,city,blockedBy',
      '+4930300002,Bo,,,Bonn,"Moved, away"',
      '+4930300001,Ada,,,,"Do not call; Moved, away"',
      '',
    ]);
    const inWords = await download('format=csv&labels=zh');
    expect(inWords.answer.headers.get('content-disposition')).toContain(encodeURIComponent('July_免打扰'));
    expect(inWords.text.split('\r\n').slice(0, 3)).toEqual([
      '电话号码,姓名,地址,金额,city,所在名单',
      '+4930300002,Bo,,,Bonn,"Moved, away"',
      '+4930300001,Ada,,,,"免打扰名单; Moved, away"',
    ]);
    // Whom the task would not call anyway is not among them.
    const inBonn = { contactFilter: [{ field: 'city', is: 'equal', value: 'Bonn' }] };
    succeeded(await api.post('/api/task/update', { id, ...inBonn }));
    expect((await download('format=csv')).text.split('\r\n').slice(1, -1)).toHaveLength(1);
    succeeded(await api.post('/api/task/update', { id, contactFilter: [] }));
    // More than are read at once.
    const numbers = await contactsCsv(1001);
    for (const list of [excluded, dataSourceId]) await imported(api, list, numbers);
    const { text: many } = await download('format=csv');
    expect(new Set(many.match(/^138\d{8}/gm)).size).toBe(1001);
    expect((await download('format=excel')).answer.headers.get('content-type')).toContain('sheet');
    expect((await download('format=pdf')).answer.status).toBe(400);
    expectError(await api.get('/api/task/aaaaaaaaaaaaaaaa/preflight/blocked'), 404, /task/);
  });
});

it('a pre-flight knows the hours in which the service calls', async () => {
  const callingHours = { start: '14:30', end: '20:00' };
  const service = await startApi({ now: () => now, callingHours });
  onTestFinished(() => service.stop());
  const { id: dataSourceId } = await service.aDataSource();
  const found = succeeded(await service.post('/api/task/preflight', { dataSourceId }));
  expect(found.firstCallTime).toBe('2026-05-04 14:30:00');
});

it('a pre-flight late in the year foretells an opening in spring by the clock of then', async () => {
  const november = await startApi({ now: () => Date.UTC(2026, 10, 5, 10) });
  onTestFinished(() => november.stop());
  const { id } = await november.aDataSource();
  await november.aContact(id, { phoneNumber: '+4930100001' });
  // No Sunday until the second of May.
  const sundays = Array.from({ length: 25 }, (_, week) => Date.UTC(2026, 10, 8 + 7 * week));
  const hours = { timeZone: 'Europe/Berlin', dailyStartTime: '09:00', weekdays: [7] };
  const excludedDates = sundays.map((sunday) => new Date(sunday).toISOString().slice(0, 10));
  const body = { taskName: 'May', dataSourceId: id, ...hours, excludedDates };
  const found = succeeded(await november.post('/api/task/preflight', body));
  expect(found.firstCallTime).toBe('2027-05-02 07:00:00');
});
