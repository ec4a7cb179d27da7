import { describe, expect, it } from 'vitest';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(i * 86_400_000).toISOString().slice(0, 10));
const someBreaks = ['10', '11', '12', '13', '14'].map((hour) => ({ start: `${hour}:00`, end: `${hour}:30` }));

describe('who a task may call, and when', () => {
  const api = useApi();

  it('is kept as it was sent, each day once and in order, and is not shown in the answers of the contract', async () => {
    const list = await api.aDataSource();
    const lists = ['do-not-call', list.id].sort().reverse();
    const rules = {
      timeZone: 'Asia/Kolkata',
      weekdays: [5, 1, 1],
      excludedDates: ['2026-12-25', '2024-02-29', '2026-12-25'],
      breaks: [{ start: '12:00', end: '13:00' }],
      excludedDataSourceIds: [...lists, ...lists],
    };
    const { id, ...added } = await api.aTask(rules);
    expect(Object.keys(added)).toEqual([
      ...['taskName', 'taskDesc', 'status', 'dataSourceId', 'contactCount', 'createTime'],
    ]);
    const detail = succeeded(await api.get(`/api/task/detail/${id}`));
    expect(Object.keys(rules).filter((name) => name in detail)).toEqual([]);
    expect(await api.storedTask(id)).toMatchObject({
      timeZone: 'Asia/Kolkata',
      weekdays: [1, 5],
      excludedDates: ['2024-02-29', '2026-12-25'],
      breaks: [{ start: '12:00', end: '13:00' }],
      excludedDataSourceIds: lists,
    });
  });

  it.each<[field: string, values: unknown[]]>([
    ['priority', [0, 6, 1.5, '1', true]],
    ['maxDialCount', [0, 11, 2.5, '3']],
    ['callInterval', [-1, 86_401, 0.5, '60']],
    ['dailyStartTime', ['9:00', '25:00', '24:01', '12:60', '0900', '', ' 09:00', 900]],
    ['dailyEndTime', ['9:00', '24:30', '-1:00', '09:00:00']],
    ['taskDesc', [5, ['x']]],
    ['timeZone', ['Mars/Olympus', '+02:00', 'CST', '', 5]],
    ['weekdays', [[8], [0], [], [1.5], ['1'], 1]],
    ['excludedDates', [['2026-02-30'], ['2025-02-29'], ['2026-13-01'], ['1.5.2026'], days(101), 'x']],
    [
      'breaks',
      [
        [{ start: '13:00', end: '12:00' }],
        [{ start: '12:00', end: '12:00' }],
        [{ start: '12:00' }],
        [{ start: '12', end: '13' }],
        [{ start: '08:59', end: '10:00' }],
        [{ start: '17:00', end: '18:01' }],
        [{ start: '09:00', end: '18:00' }],
        [
          { start: '12:30', end: '13:00' },
          { start: '12:00', end: '12:31' },
        ],
        someBreaks,
      ],
    ],
    ['excludedDataSourceIds', [['0000000000000000'], ['no id'], [5], Array(6).fill('do-not-call')]],
    [
      'callSettings',
      [
        { flow: 5 },
        { '': 'x' },
        { ['n'.repeat(65)]: 'x' },
        JSON.parse('{"__proto__":"x"}'),
        Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`name ${i}`, 'x'])),
        { text: 'ü'.repeat(1023) },
        'x',
        [],
      ],
    ],
    ['callerNumbers', [['twelve'], ['12'], [1234567], Array(21).fill('110110'), '110110']],
    ['retryOrder', ['first', 5]],
    [
      'callFrom',
      ['2026-02-30 09:00', '2026-05-01', '2026-05-01 9:00', '2026-05-01 24:00', '2026-05-01 09:00:00', '', 5],
    ],
    ['callUntil', ['2025-02-29 09:00', '2026-13-01 09:00', '2026-05-01 09:60', 'tomorrow', true]],
    ['maxConcurrentCalls', [0, -1, 10_001, 1.5, '7', []]],
    ['callsPerMinute', [0, -1, 60_001, 1.5, '7', {}]],
    [
      'pauseWhen',
      [
        { failedPercent: 0, calls: 10 },
        { failedPercent: 101, calls: 10 },
        { failedPercent: 50, calls: 9 },
        { failedPercent: 50, calls: 1001 },
        { failedPercent: 50.5, calls: 10 },
        { failedPercent: 50 },
        { calls: 10 },
        {},
        50,
      ],
    ],
    [
      'retryRules',
      [
        [{ reasons: ['tired'], waitSeconds: 5, attempts: 1 }],
        [{ reasons: [], waitSeconds: 5, attempts: 1 }],
        [{ reasons: ['busy'], waitSeconds: -1, attempts: 1 }],
        [{ reasons: ['busy'], waitSeconds: 604_801, attempts: 1 }],
        [{ reasons: ['busy'], waitSeconds: 5, attempts: 0 }],
        [{ reasons: ['busy'], waitSeconds: 5, attempts: 11 }],
        [{ waitSeconds: 5, attempts: 1 }],
        Array(11).fill({ reasons: ['busy'], waitSeconds: 5, attempts: 1 }),
        'x',
      ],
    ],
  ])('is refused with a wrong %s', async (field, values) => {
    const window = { dailyStartTime: '09:00', dailyEndTime: '18:00' };
    const { id, dataSourceId } = await api.aTask(window);
    const before = await api.storedTask(id);
    for (const value of values) {
      const named = new RegExp(`^${field}\\b`);
      const added = { taskName: `wrong ${field}`, dataSourceId, ...window, [field]: value };
      expectError(await api.post('/api/task/add', added), 400, named);
      expectError(await api.post('/api/task/update', { id, [field]: value }), 400, named);
    }
    expect(await api.storedTask(id)).toEqual(before);
  });

  it('is taken up to its bounds', async () => {
    const excludedDates = days(100);
    // In any order.
    const breaks = someBreaks.slice(0, 4).reverse();
    const { id } = await api.aTask({ excludedDates, breaks, weekdays: [7, 6, 5, 4, 3, 2, 1] });
    expect(await api.storedTask(id)).toMatchObject({
      excludedDates,
      breaks,
      weekdays: [1, 2, 3, 4, 5, 6, 7],
    });
  });

  it('is shown by the overview, and removed by an update to null where there is no other way to say none', async () => {
    const limits = {
      callFrom: '2026-05-01 09:00',
      callUntil: '2026-05-01 09:01',
      maxConcurrentCalls: 10_000,
      callsPerMinute: 60_000,
      pauseWhen: { failedPercent: 100, calls: 1000 },
    };
    const { id, ...added } = await api.aTask(limits);
    expect(Object.keys(limits).filter((name) => name in added)).toEqual([]);
    const overview = async () => succeeded(await api.get(`/api/task/${id}/overview`));
    expect(await overview()).toMatchObject(limits);
    succeeded(await api.post('/api/task/update', { id, taskDesc: 'x' }));
    expect(await overview()).toMatchObject(limits);
    const none = Object.fromEntries(Object.keys(limits).map((name) => [name, null]));
    succeeded(await api.post('/api/task/update', { id, ...none }));
    expect(await overview()).toMatchObject(none);
    expect(await overview()).toMatchObject({ taskDesc: 'x', callInterval: 60 });
  });

  it('begins before it ends, also where an update changes only one of the two', async () => {
    const from = { callFrom: '2026-05-01 09:00' };
    const until = { callUntil: '2026-05-02 09:00' };
    const { id, dataSourceId } = await api.aTask({ ...from, ...until });
    const refused = /^callFrom: must be before callUntil/;
    const swapped = { callFrom: until.callUntil, callUntil: from.callFrom };
    const same = { ...from, callUntil: from.callFrom };
    for (const pair of [swapped, same]) {
      expectError(await api.post('/api/task/add', { taskName: 'x', dataSourceId, ...pair }), 400, refused);
    }
    const update = (changes: object) => api.post('/api/task/update', { id, ...changes });
    expectError(await update({ callUntil: '2026-04-30 09:00' }), 400, refused);
    expectError(await update({ callFrom: '2026-05-02 09:00' }), 400, refused);
    succeeded(await update({ callFrom: null, callUntil: '2026-04-30 09:00' }));
    expect(await api.storedTask(id)).toMatchObject({ callUntil: '2026-04-30 09:00' });
  });

  it('is checked as the combination that results from an update, which changes nothing else', async () => {
    const breaks = [
      { start: '12:00', end: '13:00' },
      { start: '13:00', end: '14:00' },
    ];
    const { id } = await api.aTask({ dailyStartTime: '09:00', dailyEndTime: '18:00', weekdays: [1], breaks });
    const before = await api.storedTask(id);
    const update = (changes: object) => api.post('/api/task/update', { id, ...changes });
    expectError(await update({ dailyStartTime: '12:30' }), 400, /^breaks: 12:00-13:00 is not within/);
    succeeded(await update({ dailyStartTime: '12:30', breaks: [] }));
    const { updateTime } = await api.storedTask(id);
    expect(await api.storedTask(id)).toEqual({ ...before, dailyStartTime: '12:30', breaks: [], updateTime });
  });
});
