import { describe, expect, it } from 'vitest';
import { type Call, DialingApi, phoneOf, TestClock } from '../../support/dialing/dialing-api.ts';
import { type Api, startApi, succeeded, useApi } from '../../support/service/api.ts';

type Next = { nextCallTime: string | null; waitReason: string | null };
type Shown = Next & { contactId: string; phoneNumber: string; outcome: string };

const none: Next = { nextCallTime: null, waitReason: null };
const at = (nextCallTime: string, waitReason: string): Next => ({ nextCallTime, waitReason });
let numbers = 0;

/**
 * One contact of one task, and what dialers and operators do with it. It is 18:00 on Monday,
 * 2026-05-04, in Shanghai.
 */
class Campaign {
  readonly api: Api;
  readonly clock: TestClock;
  readonly phoneNumber = phoneOf(++numbers);
  ids = { taskId: '', dataSourceId: '', contactId: '' };

  constructor(api: Api, clock: TestClock) {
    [this.api, this.clock] = [api, clock];
    clock.time = new TestClock().time;
  }

  async start(rules: object, fields: object): Promise<void> {
    const { id } = await this.api.aDataSource();
    const { id: contactId } = await this.api.aContact(id as string, {
      phoneNumber: this.phoneNumber,
      ...fields,
    });
    const { id: taskId } = await this.api.aTaskIn(1, { callInterval: 600, dataSourceId: id, ...rules });
    this.ids = { taskId, dataSourceId: id, contactId } as typeof this.ids;
  }

  post = async (path: string, body: object) => succeeded(await this.api.post(path, body));
  operate = (operation: string, more: object = {}) =>
    this.post(`/api/task/${operation}`, { id: this.ids.taskId, ...more });
  recall = (body: object = {}) => this.post(`/api/task/${this.ids.taskId}/recall`, body);
  lease = (): Promise<Call[]> =>
    new DialingApi(this.api).lease({ taskId: this.ids.taskId, limit: 100, leaseSeconds: 60 });

  async call(result: object = {}): Promise<void> {
    const [call] = await this.lease();
    await this.post('/api/dialer/result', { callId: call?.callId, outcome: 'noAnswer', ...result });
  }

  async release(waitSeconds: number): Promise<void> {
    const [call] = await this.lease();
    await this.post('/api/dialer/release', { callId: call?.callId, waitSeconds });
  }

  /** Two calls, as many as a number may get in a day. */
  async callTwice(): Promise<void> {
    await this.call();
    this.clock.advance(600);
    await this.call();
  }

  exclude = (phoneNumber = this.phoneNumber) => this.api.aContact('do-not-call', { phoneNumber });
  change = (fields: object) =>
    this.post(`/api/dataSource/${this.ids.dataSourceId}/contact/update`, {
      contactId: this.ids.contactId,
      ...fields,
    });

  /** The contacts of the task and the person's tasks say the same. */
  async next(): Promise<Next> {
    const { rows } = succeeded(await this.api.get(`/api/task/${this.ids.taskId}/contacts`));
    const { contacts } = await this.post('/api/contact/find', { phoneNumber: this.phoneNumber });
    const [{ nextCallTime, waitReason }] = rows as unknown as [Shown];
    const found = (contacts as unknown as { contactId: string; tasks: Next[] }[]).find(
      ({ contactId }) => contactId === this.ids.contactId,
    );
    expect(found?.tasks).toMatchObject([{ nextCallTime, waitReason }]);
    return { nextCallTime, waitReason };
  }
}

type Case = [
  name: string,
  expected: Next,
  rules: object,
  happens?: ((campaign: Campaign) => Promise<unknown>) | undefined,
  fields?: object,
];

const theNextCall = (api: Api, clock: TestClock, cases: readonly Case[]) =>
  it.each(cases)('%s', async (_, expected, rules, happens = async () => {}, fields = {}) => {
    const campaign = new Campaign(api, clock);
    await campaign.start(rules, fields);
    await happens(campaign);
    expect(await campaign.next()).toEqual(expected);
  });

describe('the next call of a contact', () => {
  const clock = new TestClock();
  const settings = { timeZone: 'Asia/Shanghai', country: 'DE', maxCallsPerNumberPerDay: 2 };
  const api = useApi({ ...settings, now: clock.now });
  const plan = (value: string) => ({ contactFilter: [{ field: 'plan', is: 'equal', value }] });
  const inBerlin = { timeZone: 'Europe/Berlin' };
  const atOne = { dailyStartTime: '13:00', dailyEndTime: '14:00' };
  const closesSoon = { dailyStartTime: '17:00', dailyEndTime: '18:05' };
  const callback = { callbackTime: '2026-05-04 19:30:00' };

  theNextCall(api, clock, [
    ['waits for nothing', none, {}],
    ['waits for the daily window', at('2026-05-04 20:00:00', 'HOURS'), { dailyStartTime: '20:00' }],
    ['waits for callFrom', at('2026-05-05 09:00:00', 'HOURS'), { callFrom: '2026-05-05 09:00' }],
    ['waits for a weekday', at('2026-05-06 00:00:00', 'HOURS'), { weekdays: [3] }],
    ['waits for the next day', at('2026-05-05 00:00:00', 'HOURS'), { excludedDates: ['2026-05-04'] }],
    ['waits for a break', at('2026-05-04 19:00:00', 'HOURS'), { breaks: [{ start: '17:00', end: '19:00' }] }],
    ['waits for its own clock', at('2026-05-04 19:00:00', 'HOURS'), atOne, undefined, inBerlin],
    ['was deferred by its own clock', at('2026-05-04 19:00:00', 'HOURS'), atOne, (c) => c.lease(), inBerlin],
    ['waits for a retry', at('2026-05-04 18:10:00', 'RETRY'), {}, (c) => c.call()],
    [
      'waits for nothing once the time of its retry has come',
      none,
      {},
      (c) => c.call().then(() => c.clock.advance(900)),
    ],
    ['finds the hours closed then', at('2026-05-05 17:00:00', 'HOURS'), closesSoon, (c) => c.call()],
    ['waits for a callback', at('2026-05-04 19:30:00', 'CALLBACK'), {}, (c) => c.call(callback)],
    [
      'finds the hours closed at its callback',
      at('2026-05-05 17:00:00', 'HOURS'),
      closesSoon,
      (c) => c.call(callback),
    ],
    ['was released', at('2026-05-04 18:05:00', 'RETRY'), {}, (c) => c.release(300)],
    [
      'was released from its callback',
      at('2026-05-04 19:40:00', 'RETRY'),
      {},
      async (c) => {
        await c.call(callback);
        c.clock.advance(5400);
        await c.release(600);
      },
    ],
    [
      'waits for nothing after a lease that expired',
      none,
      {},
      (c) => c.lease().then(() => c.clock.advance(90)),
    ],
    [
      'is recalled',
      at('2026-05-04 18:10:00', 'RETRY'),
      { maxDialCount: 1 },
      (c) => c.call().then(() => c.recall({ contactIds: [c.ids.contactId] })),
    ],
    [
      'is recalled with all that failed',
      at('2026-05-04 18:10:00', 'RETRY'),
      { maxDialCount: 1 },
      (c) => c.call().then(() => c.recall()),
    ],
    ['had its calls of the day', at('2026-05-05 00:00:00', 'DAILY_LIMIT'), {}, (c) => c.callTwice()],
    [
      'was deferred by the calls of the day',
      at('2026-05-05 00:00:00', 'DAILY_LIMIT'),
      {},
      async (c) => {
        await c.callTwice();
        c.clock.advance(600);
        expect(await c.lease()).toEqual([]);
      },
    ],
    [
      'had its calls of the day, by the clock of the service',
      at('2026-05-05 00:00:00', 'DAILY_LIMIT'),
      { timeZone: 'America/New_York' },
      (c) => c.callTwice(),
    ],
    [
      'had its calls of the day in another list, spelled otherwise',
      at('2026-05-05 00:00:00', 'DAILY_LIMIT'),
      {},
      async (c) => {
        const other = new Campaign(c.api, c.clock);
        await other.start({}, { phoneNumber: c.phoneNumber.replace('+49', '0') });
        await other.callTwice();
      },
    ],
    [
      'waits for the hours of the next day, which begin after the limit ends',
      at('2026-05-05 09:00:00', 'HOURS'),
      { dailyStartTime: '09:00' },
      (c) => c.callTwice(),
    ],
    [
      'has a retry after the limit ends',
      at('2026-05-05 18:10:00', 'RETRY'),
      { retryRules: [{ reasons: ['busy'], waitSeconds: 86_400, attempts: 5 }] },
      async (c) => {
        await c.call();
        c.clock.advance(600);
        await c.call({ reason: 'busy' });
      },
    ],
    ['is in a call', none, {}, (c) => c.lease()],
    ['was reached', none, {}, (c) => c.call({ outcome: 'success' })],
    ['is put on the do-not-call list', none, {}, (c) => c.call().then(() => c.exclude())],
    ['is listed, and was not called yet', none, { dailyStartTime: '20:00' }, (c) => c.exclude()],
    [
      'is listed in another spelling',
      none,
      {},
      (c) => c.call().then(() => c.exclude(c.phoneNumber.replace('+49', '0049'))),
    ],
    [
      'is put on an excluded list',
      none,
      {},
      async (c) => {
        await c.call(callback);
        const { id } = await c.api.aDataSource();
        await c.operate('adjust', { excludedDataSourceIds: [id] });
        await c.api.aContact(id as string, { phoneNumber: c.phoneNumber });
      },
    ],
    ['was settled as blocked', none, {}, (c) => c.exclude().then(() => c.lease())],
    [
      'does not match the filter any more',
      none,
      plan('gold'),
      (c) => c.call().then(() => c.change({ plan: 'tin' })),
      { plan: 'gold' },
    ],
    ['does not match the filter, and was not looked at', none, { ...plan('gold'), dailyStartTime: '20:00' }],
    ['was not selected', none, plan('gold'), (c) => c.lease()],
    [
      'stays when the task is paused',
      at('2026-05-04 18:10:00', 'RETRY'),
      {},
      (c) => c.call().then(() => c.operate('pause')),
    ],
    [
      'stays when the task is paused outside its hours',
      at('2026-05-04 20:00:00', 'HOURS'),
      { dailyStartTime: '20:00' },
      (c) => c.operate('pause'),
    ],
    ['ends with the task', none, {}, (c) => c.call().then(() => c.operate('stop'))],
    ['would be after callUntil', none, { callUntil: '2026-05-04 18:10' }, (c) => c.call()],
    [
      'is before callUntil',
      at('2026-05-04 18:10:00', 'RETRY'),
      { callUntil: '2026-05-04 18:11' },
      (c) => c.call(),
    ],
    ['would open after callUntil', none, { dailyStartTime: '20:00', callUntil: '2026-05-04 20:00' }],
    [
      'would be free after callUntil',
      none,
      { callUntil: '2026-05-05 00:00' },
      async (c) => {
        await c.callTwice();
        c.clock.advance(600);
        await c.lease();
      },
    ],
  ]);

  describe('within the hours of the service', () => {
    const house = useApi({ ...settings, now: clock.now, callingHours: { start: '08:00', end: '21:00' } });
    theNextCall(house, clock, [
      ['waits for them', at('2026-05-05 08:00:00', 'HOURS'), { excludedDates: ['2026-05-04'] }],
      [
        'waits for them by its own clock',
        at('2026-05-04 20:00:00', 'HOURS'),
        {},
        undefined,
        { timeZone: 'America/New_York' },
      ],
      ['never comes', none, { dailyStartTime: '21:00' }],
    ]);
  });

  it('is asked of the lists of each task alone', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const { id: list } = await api.aDataSource();
    const phoneNumber = phoneOf(++numbers);
    for (const each of [dataSourceId, list]) await api.aContact(each, { phoneNumber });
    const later = { dataSourceId, callFrom: '2027-05-05 09:00' };
    const { id: blocked } = await api.aTaskIn(1, { ...later, excludedDataSourceIds: [list] });
    const { id: open } = await api.aTaskIn(1, later);
    const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber }));
    const tasks = (contacts as { tasks: (Next & { taskId: string })[] }[]).flatMap((each) => each.tasks);
    const nextOf = (id: unknown) => tasks.find(({ taskId }) => taskId === id);
    expect(nextOf(blocked)).toMatchObject(none);
    expect(nextOf(open)).toMatchObject(at('2027-05-05 09:00:00', 'HOURS'));
  });
});

/** Numbers that look random and are the same in every run. */
const randomBy = (seed: number) => {
  let state = seed * 2_654_435_761;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % below;
  };
};

describe('at every moment a lease hands out the contacts whose time has come, and no others', () => {
  it.each([1, 2, 3, 4])('by random rules, seed %i', async (seed) => {
    const pick = randomBy(seed);
    const oneOf = <T>(...values: T[]): T => values[pick(values.length)]!;
    const clock = new TestClock();
    const callingHours = oneOf(undefined, { start: '08:00', end: '21:00' });
    const api = await startApi({ now: clock.now, maxCallsPerNumberPerDay: oneOf(0, 1, 2), callingHours });
    const { id: dataSourceId } = await api.aDataSource();
    for (let i = 0; i < 6; i++) {
      const timeZone = oneOf('', '', 'Asia/Shanghai', 'America/New_York');
      await api.aContact(dataSourceId as string, { phoneNumber: phoneOf(i), ...(timeZone && { timeZone }) });
    }
    const callUntil = oneOf(null, '2026-05-07 12:00');
    const { id } = await api.aTaskIn(1, {
      ...{ dataSourceId, maxDialCount: 5, callInterval: oneOf(0, 1800, 20_000) },
      ...{ dailyStartTime: oneOf('00:00', '09:00'), dailyEndTime: oneOf('17:00', '24:00') },
      ...{ weekdays: oneOf([1, 2, 3, 4, 5, 6, 7], [1, 3]), excludedDates: oneOf([], ['2026-05-05']) },
      breaks: oneOf([], [{ start: '12:00', end: '13:30' }]),
      callUntil,
    });
    const dialing = new DialingApi(api);
    const shown = async () => succeeded(await api.get(`/api/task/${id}/contacts`)).rows as unknown as Shown[];
    const listed = new Set<string>();
    const end = Date.parse('2026-05-07T12:00:00Z');
    const isToBeCalled = ({ outcome }: Shown) => ['notDialed', 'waiting', 'callback'].includes(outcome);
    /** `undefined`: nothing holds it but, perhaps, the end of the task. */
    const isDue = (row: Shown): boolean | undefined => {
      if (row.nextCallTime !== null || !isToBeCalled(row) || listed.has(row.phoneNumber)) return false;
      return callUntil !== null && clock.time > end - 3 * 24 * 3_600_000 ? undefined : true;
    };
    const endCall = async (call: Call) => {
      const callbackTime = api.timeIn(clock.time + (1 + pick(40)) * 1_800_000);
      const deed = oneOf('fails', 'fails', 'fails', 'is called back', 'is released', 'lapses');
      if (deed === 'lapses') return;
      const { callId } = call;
      const [path, body] =
        deed === 'is released'
          ? ['release', { callId, waitSeconds: oneOf(0, 1200) }]
          : ['result', { callId, outcome: 'failed', ...(deed === 'is called back' && { callbackTime }) }];
      const { status } = await api.post(`/api/dialer/${path}`, body);
      // A callback after the end of the task, or the sixth of a contact.
      if (status === 409) succeeded(await dialing.result(callId, 'failed'));
    };
    for (let step = 0; step < 40; step++) {
      const rows = await shown();
      const calls = await dialing.lease({ taskId: id, limit: 100, leaseSeconds: oneOf(60, 3000) });
      const handed = new Set(calls.map(({ contactId }) => contactId));
      for (const row of rows) {
        const moment = `${api.timeIn(clock.time)} ${JSON.stringify(row)}`;
        expect(handed.has(row.contactId), moment).toBe(isDue(row) ?? handed.has(row.contactId));
      }
      for (const call of calls) await endCall(call);
      const later = (await shown()).flatMap(({ nextCallTime }) =>
        nextCallTime === null ? [] : [Date.parse(`${nextCallTime.replace(' ', 'T')}Z`)],
      );
      const next = Math.min(...later.filter((time) => time > clock.time));
      // Just before the next time, then at it.
      if (next === clock.time + 1000 || !Number.isFinite(next)) clock.advance(1 + pick(2) * 1800);
      else clock.time = pick(4) === 0 ? clock.time + pick(3600) * 1000 : next - 1000;
      if (step === 20) {
        listed.add(phoneOf(0));
        await api.aContact('do-not-call', { phoneNumber: phoneOf(0) });
      }
    }
    await api.stop();
  });
});
