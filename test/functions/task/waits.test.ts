import { expect, it, vi } from 'vitest';
import { DialingApi, phoneOf, TestClock } from '../../support/dialing/dialing-api.ts';
import {
  busySeconds,
  type CallLimit,
  clocks,
  type End,
  halfHour,
  isSettled,
  Model,
  maxDialCount,
  mostCallbacks,
  type Outcome,
  Person,
  type Rules,
  refusedRestHours,
  second,
} from '../../support/dialing/waits-model.ts';
import { isWhole } from '../../support/run/extent.ts';
import { type Api, startApi, succeeded } from '../../support/service/api.ts';

/** Waits as the service shows them and as they come true, by an independent model (waits-model.ts). */

type Shown = { nextCallTime: string | null; waitReason: string | null };
type ContactRow = Shown & { contactId: string; outcome: string; attempts: number };
type Wait = { reason: string | null; count: number; from: string | null; to: string | null };
type Overview = {
  status: number;
  contacts: Record<'notDialed' | 'inCall' | 'waiting' | 'callable', number>;
  waits: Wait[];
};
type Found = { contacts: { contactId: string; tasks: (Shown & { holds: Hold[] })[] }[] };
type Hold = { reason: string; until: string | null };

/** Numbers that look random and are the same in every run. */
const randomBy = (seed: number) => {
  let state = Math.imul(seed, 2_654_435_761);
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % below;
  };
};

const zones = ['', '', 'Asia/Shanghai', 'America/New_York'];

/** A random campaign: what is done over HTTP is done to the model, and what is shown is compared. */
class Campaign {
  readonly api: Api;
  readonly clock: TestClock;
  readonly model: Model;
  readonly #pick: (below: number) => number;
  taskId = '';
  dataSourceId = '';
  log: string[] = [];

  constructor(api: Api, clock: TestClock, model: Model, pick: (below: number) => number) {
    this.api = api;
    this.clock = clock;
    this.model = model;
    this.#pick = pick;
  }

  static async start(seed: number): Promise<Campaign> {
    const pick = randomBy(seed);
    const oneOf = <T>(...values: T[]): T => values[pick(values.length)]!;
    const clock = new TestClock();
    clock.time += pick(48) * halfHour;
    const callingHours = oneOf(undefined, undefined, { start: '08:00', end: '21:00' });
    const house = {
      zone: oneOf('UTC', 'Asia/Shanghai'),
      callsPerDay: seed % 3,
      callLimits: oneOf([], [], [{ calls: 3, minutes: 1500 }]),
      restAfterSuccess: oneOf(0, 0, 20),
    };
    const { callLimits, restAfterSuccess } = house;
    const service = {
      timeZone: house.zone,
      maxCallsPerNumberPerDay: house.callsPerDay,
      callingHours,
      callLimits,
      restAfterSuccess,
    };
    const api = await startApi({ ...service, now: clock.now });
    const inputs = {
      dailyStartTime: oneOf('00:00', '09:00', '10:30'),
      dailyEndTime: oneOf('17:00', '20:30', '24:00'),
      timeZone: oneOf(house.zone, 'Asia/Shanghai', 'America/New_York'),
      callInterval: oneOf(0, 1800, 20_000),
      weekdays: oneOf([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5], [1, 3, 5]),
      breaks: oneOf([], [{ start: '12:00', end: '13:30' }]),
      callUntil: oneOf(null, '2026-05-09 16:30'),
      callLimits: oneOf<CallLimit[]>([], [{ calls: 1, minutes: 61 }], [{ calls: 2, minutes: 1439 }]),
      restAfterSuccess: oneOf(0, 48),
    };
    const model = new Model({ ...inputs, callingHours, plan: null }, house);
    const campaign = new Campaign(api, clock, model, pick);
    campaign.log.push(JSON.stringify({ seed, service, ...inputs }));
    const isZoned = pick(3) > 0;
    campaign.dataSourceId = (await api.aDataSource()).id;
    for (let i = 0; i < 8; i++) {
      const person = new Person('', phoneOf(i), isZoned ? oneOf(...zones) : '');
      person.plan = oneOf('gold', 'gold', 'tin');
      person.callAfter = oneOf('', '', '', '2026-05-06', '2026-05-05 09:40:07');
      person.callBefore = oneOf('', '', '', '2026-05-07', '2026-05-06 15:10');
      const { phoneNumber, timeZone: own, plan, callAfter, callBefore } = person;
      const fields = { phoneNumber, plan, ...(own && { timeZone: own }) };
      const times = { ...(callAfter && { callAfter }), ...(callBefore && { callBefore }) };
      person.id = (await api.aContact(campaign.dataSourceId, { ...fields, ...times })).id;
      model.people.push(person);
      model.hasOwnZones ||= own !== '';
    }
    const retryRules = [{ reasons: ['busy'], waitSeconds: busySeconds, attempts: 10 }];
    const dispositions = [{ code: 'refused', label: 'No', then: 'retry', restHours: refusedRestHours }];
    const { dataSourceId } = campaign;
    const rules = { dataSourceId, maxDialCount, retryRules, dispositions, keepOpen: pick(2) === 0 };
    campaign.taskId = (await api.aTaskIn(1, { ...rules, ...inputs })).id;
    return campaign;
  }

  get now(): number {
    return this.clock.time;
  }

  #oneOf = <T>(...values: T[]): T => values[this.#pick(values.length)]!;
  #shown = (moment: number) => clocks[this.model.house.zone]!(moment);
  #note = (deed: string) => this.log.push(`${this.#shown(this.now)} ${deed}`);
  /** What a failure is reported with: all that was done. */
  #history = () => this.log.join('\n');
  #nameOf = (person: Person) =>
    `#${this.model.people.indexOf(person)}${person.timeZone && ` ${person.timeZone}`}`;
  #post = async (path: string, body: object) => {
    const answer = await this.api.post(path, body);
    expect(answer.status, `${answer.body.message}\n${this.#history()}`).toBe(200);
    return answer.body.data;
  };

  async rows(): Promise<ContactRow[]> {
    return succeeded(await this.api.get(`/api/task/${this.taskId}/contacts`)).rows as unknown as ContactRow[];
  }

  #overview = async () =>
    succeeded(await this.api.get(`/api/task/${this.taskId}/overview`)) as unknown as Overview;

  async pauseOrResume(): Promise<void> {
    const operation = this.model.isPaused ? 'resume' : 'pause';
    this.#note(operation);
    await this.#post(`/api/task/${operation}`, { id: this.taskId });
    this.model.isPaused = !this.model.isPaused;
  }

  async adjust(): Promise<void> {
    const changes = this.#oneOf<Partial<Rules>>(
      { weekdays: this.#oneOf([1, 2, 3, 4, 5, 6, 7], [2, 4, 6], [1, 2, 5]) },
      { excludedDates: this.#oneOf([], [this.#shown(this.now).slice(0, 10)]) },
      { breaks: this.#oneOf([], [{ start: '11:00', end: '12:00' }], [{ start: '14:30', end: '16:00' }]) },
      {
        callLimits: this.#oneOf<CallLimit[]>([], [{ calls: 1, minutes: 600 }], [{ calls: 2, minutes: 2000 }]),
      },
      { restAfterSuccess: this.#oneOf(0, 30) },
      { plan: this.#oneOf(null, 'gold') },
      { callFrom: this.#oneOf(null, `${this.#shown(this.now + 40 * halfHour).slice(0, 10)} 14:00`) },
      this.now < Date.UTC(2026, 4, 8)
        ? { callUntil: this.#oneOf(null, '2026-05-10 12:00') }
        : { weekdays: [6] },
    );
    const { callFrom, callUntil } = { ...this.model.rules, ...changes };
    if (callFrom && callUntil && callFrom >= callUntil) return;
    this.#note(`adjust ${JSON.stringify(changes)}`);
    const { plan, ...sent } = changes;
    const contactFilter = plan ? [{ field: 'plan', is: 'equal', value: plan }] : null;
    const filter = plan === undefined ? {} : { contactFilter };
    await this.#post('/api/task/adjust', { id: this.taskId, ...sent, ...filter });
    this.model.rules = { ...this.model.rules, ...changes };
  }

  async changeContact(): Promise<void> {
    const person = this.#oneOf(...this.model.people);
    const changes = this.#oneOf<Partial<Pick<Person, 'timeZone' | 'plan' | 'callAfter' | 'callBefore'>>>(
      { timeZone: this.#oneOf(...zones) },
      { timeZone: this.#oneOf(...zones) },
      { plan: this.#oneOf('gold', 'tin') },
      { callAfter: this.#oneOf('', this.#shown(this.now + 30 * halfHour).slice(0, 16)) },
      { callBefore: this.#oneOf('', this.#shown(this.now + 60 * halfHour).slice(0, 10)) },
    );
    this.#note(`${this.#nameOf(person)} has ${JSON.stringify(changes)}`);
    const path = `/api/dataSource/${this.dataSourceId}/contact/update`;
    await this.#post(path, { contactId: person.id, ...changes });
    Object.assign(person, changes);
    this.model.hasOwnZones ||= person.timeZone !== '';
    await this.#adopt();
  }

  /** Whom a lease or a change settles without a call, because a filter or its own time excludes it. */
  async #adopt(): Promise<void> {
    for (const { contactId, outcome } of await this.rows()) {
      const person = this.model.people.find(({ id }) => id === contactId)!;
      const isExcluded = !this.model.isSelected(person) || this.model.isPast(person, this.now);
      const isSettled = !['notDialed', 'waiting', 'callback', 'inCall', 'notSelected'].includes(outcome);
      if (isExcluded && isSettled) person.place = outcome === 'blocked' ? 'blocked' : 'final';
    }
  }

  async recallSome(people: Person[]): Promise<void> {
    this.#note(`recall ${people.map(this.#nameOf)}`);
    await this.#post(`/api/task/${this.taskId}/recall`, { contactIds: people.map(({ id }) => id) });
    for (const each of people) if (!each.isInCall(this.now)) this.model.recalled(each, this.now);
  }

  async recallAll(): Promise<void> {
    this.#note('recall all');
    await this.#post(`/api/task/${this.taskId}/recall`, {});
    for (const each of this.model.people) {
      const isMissed = each.place === 'final' && each.lastResult?.outcome !== 'success';
      if (isMissed) this.model.recalled(each, this.now);
    }
  }

  #mayCallBack(person: Person, callback: number): boolean {
    const { callUntil, timeZone } = this.model.rules;
    return person.callbacks < mostCallbacks && (!callUntil || clocks[timeZone]!(callback) < callUntil);
  }

  async endCall(person: Person): Promise<void> {
    const { callId } = person.call!;
    const deed = this.#oneOf(
      'fails',
      'is busy',
      'refuses',
      'succeeds',
      'calls back',
      'is released',
      'goes on',
    );
    if (deed === 'goes on') return;
    const note = (more: string | number = '') => this.#note(`${this.#nameOf(person)} ${deed} ${more}`);
    if (deed === 'is released') {
      const waitSeconds = this.#oneOf(0, 1201, 50_000);
      note(waitSeconds);
      await this.#post('/api/dialer/release', { callId, waitSeconds });
      this.model.released(person, this.now, waitSeconds);
      return;
    }
    const callback = this.now + (1 + this.#pick(90)) * halfHour + this.#pick(7) * second;
    const isCallback = deed === 'calls back' && this.#mayCallBack(person, callback);
    const isReached = deed === 'succeeds' || (isCallback && this.#pick(2) === 0);
    const outcome = isReached ? 'success' : this.#oneOf<Outcome>('failed', 'noAnswer');
    const isBusy = deed === 'is busy';
    const isRefused = deed === 'refuses';
    note(isCallback ? this.#shown(callback) : outcome);
    await this.#post('/api/dialer/result', {
      ...{ callId, outcome, ...(isBusy && { reason: 'busy' }) },
      ...(isRefused && { disposition: 'refused' }),
      ...(isCallback && { callbackTime: this.#shown(callback) }),
    });
    const result = { outcome, isBusy, isRefused, callback: isCallback ? callback : undefined };
    this.model.reported(person, this.now, result);
  }

  async endCalls(): Promise<void> {
    const live = this.model.people.filter((each) => each.isInCall(this.now));
    for (const person of live) if (this.#pick(5) > 0) await this.endCall(person);
  }

  /** Hands out everybody who can be called, by the model and by the rows, and nobody else. */
  async lease(mustHave: readonly string[] = [], mustNotHave: readonly string[] = []): Promise<void> {
    const expected = this.model.callable(this.now);
    const leaseSeconds = this.#oneOf(61, 900, 3600);
    const calls = await new DialingApi(this.api).lease({ taskId: this.taskId, limit: 100, leaseSeconds });
    const handed = calls.map(({ contactId }) => contactId);
    const numbers = handed.map((id) => this.#nameOf(this.model.people.find((each) => each.id === id)!));
    this.#note(`lease for ${leaseSeconds}: ${numbers}`);
    expect(numbers.toSorted(), `handed out\n${this.#history()}`).toEqual(
      expected.map(this.#nameOf).toSorted(),
    );
    if (!this.model.isPaused) expect(handed, this.#history()).toEqual(expect.arrayContaining([...mustHave]));
    expect(
      handed.filter((id) => mustNotHave.includes(id)),
      this.#history(),
    ).toEqual([]);
    await this.#adopt();
    for (const call of calls) {
      const person = this.model.people.find(({ id }) => id === call.contactId)!;
      this.model.leased(person, call, this.now, leaseSeconds);
    }
  }

  async check(): Promise<void> {
    const [rows, overview] = [await this.rows(), await this.#overview()];
    const message = `${this.#shown(this.now)}, of\n${this.#history()}`;
    const now = this.#shown(this.now);
    for (const { nextCallTime } of rows) if (nextCallTime) expect(nextCallTime > now, message).toBe(true);
    this.#checkRows(rows, message);
    this.#checkSum(overview, message);
    this.#checkWaits(overview, rows, message);
    for (let i = 0; i < 2; i++) await this.#checkFind(rows, message);
  }

  /** `undefined` for whom nothing holds, and for whom the task does not call. */
  #nextOf(person: Person): End | undefined {
    const isLeft = this.model.isLeft(person, this.now) && !this.model.isPast(person, this.now);
    return isLeft ? this.model.nextOf(person, this.now) : undefined;
  }

  #checkRows(rows: ContactRow[], message: string): void {
    const found = this.model.people.map((person) => {
      const { nextCallTime, waitReason } = rows.find(({ contactId }) => contactId === person.id)!;
      return [this.#nameOf(person), nextCallTime, waitReason];
    });
    const expected = this.model.people.map((person) => {
      const next = this.#nextOf(person);
      const isKnown = next?.until !== undefined;
      return [this.#nameOf(person), isKnown ? this.#shown(next.until!) : null, isKnown ? next.reason : null];
    });
    expect(found, `the next calls at ${message}`).toEqual(expected);
  }

  /** It counts where it stood, until a lease looks at it. */
  #isAnyExcluded = () =>
    this.model.people.some(
      (each) => !isSettled(each) && (!this.model.isSelected(each) || this.model.isPast(each, this.now)),
    );

  #checkSum({ contacts, waits }: Overview, message: string): void {
    const { callable, notDialed, waiting, inCall } = contacts;
    const waitCount = waits.reduce((sum, { count }) => sum + count, 0);
    expect(callable + inCall + waitCount, `what is left at ${message}`).toBe(notDialed + waiting + inCall);
    const [{ people }, now] = [this.model, this.now];
    if (this.#isAnyExcluded()) return;
    const left = people.filter((each) => this.model.isLeft(each, now));
    expect({ inCall, notDialed, waiting }, `contacts at ${message}`).toEqual({
      inCall: people.filter((each) => each.isInCall(now)).length,
      notDialed: left.filter((each) => each.isFresh()).length,
      waiting: left.filter((each) => !each.isFresh()).length,
    });
  }

  #checkWaits({ contacts, waits }: Overview, rows: ContactRow[], message: string): void {
    const isToldRoughly = rows.some(({ outcome, attempts }) => outcome === 'notDialed' && attempts === 0);
    const haveOwnTimes = this.model.people.some(({ callAfter, callBefore }) => callAfter || callBefore);
    if ((this.model.hasOwnZones || haveOwnTimes) && isToldRoughly) return;
    if (this.#isAnyExcluded()) return;
    const left = this.model.people.filter((each) => this.model.isLeft(each, this.now));
    const nexts = left.map((person) => this.model.nextOf(person, this.now));
    if (left.some((each, i) => each.callBefore && nexts[i] && nexts[i].until === undefined)) return;
    expect(contacts.callable, `callable at ${message}`).toBe(nexts.filter((next) => !next).length);
    const shown = rows.filter(({ outcome }) => ['notDialed', 'waiting', 'callback'].includes(outcome));
    const never = (reason: string) =>
      nexts.filter((next) => next?.reason === reason && next.until === undefined).length;
    const reasons = new Set([
      ...shown.flatMap(({ waitReason }) => waitReason ?? []),
      ...nexts.flatMap((next) => (next && next.until === undefined ? [next.reason] : [])),
    ]);
    const recounted = [...reasons].map((reason) => {
      const times = shown.filter((row) => row.waitReason === reason).map((row) => row.nextCallTime!);
      const [from = null, to = null] = [times.toSorted()[0], times.toSorted().at(-1)];
      return { reason, count: times.length + never(reason), from, to };
    });
    const byReason = (a: Wait, b: Wait) => String(a.reason).localeCompare(String(b.reason));
    expect(waits.toSorted(byReason), `waits at ${message}`).toEqual(recounted.toSorted(byReason));
  }

  async #checkFind(rows: ContactRow[], message: string): Promise<void> {
    const person = this.#oneOf(...this.model.people);
    const about = `${this.#nameOf(person)} at ${message}`;
    const isHis = ({ contactId }: { contactId: string }) => contactId === person.id;
    const found = await this.#post('/api/contact/find', { phoneNumber: person.phoneNumber });
    const { nextCallTime, waitReason, holds } = (found as unknown as Found).contacts.find(isHis)!.tasks[0]!;
    expect(rows.find(isHis), about).toMatchObject({ nextCallTime, waitReason });
    const next = this.#nextOf(person);
    const isExcluded = !this.model.isSelected(person) || this.model.isPast(person, this.now);
    if (next === undefined && !isExcluded) expect(holds, about).toEqual([]);
    if (next?.until === undefined) return;
    expect(holds.at(-1), about).toEqual({ reason: waitReason, until: nextCallTime });
    const ends = this.model.endsOf(person, this.now);
    expect(
      holds.filter(({ reason }) => reason !== 'HOURS'),
      `holds of ${about}`,
    ).toEqual(ends.map(({ reason, until }) => ({ reason, until: this.#shown(until) })));
  }

  async act(): Promise<void> {
    const { people } = this.model;
    await this.#adopt();
    const isCompleted = (await this.#overview()).status === 4;
    if (isCompleted || this.model.isDone())
      return this.recallSome(people.filter(() => this.#pick(3) > 0).concat(people[0]!));
    const operate = () => this.pauseOrResume();
    await this.#oneOf(
      ...Array(2).fill(() => this.adjust()),
      ...Array(2).fill(() => this.changeContact()),
      () => this.recallSome([...new Set([this.#oneOf(...people), this.#oneOf(...people)])]),
      () => this.recallAll(),
      ...Array(this.model.isPaused ? 3 : 1).fill(operate),
      async () => {},
    )();
  }

  /** To the moment for which the first contact waits, often with a look just before it; or for a while. */
  async goOn(): Promise<void> {
    const rows = await this.rows();
    const times = rows.flatMap(({ nextCallTime }) => nextCallTime ?? []).toSorted();
    const first = times[0];
    if (first === undefined || this.#pick(4) === 0) {
      this.clock.time += this.#pick(20_000) * second;
      return this.#lookAndLease();
    }
    const offset = clocks[this.model.house.zone]!(0) === '1970-01-01 00:00:00' ? 0 : 16 * halfHour;
    const moment = Date.parse(`${first.replace(' ', 'T')}Z`) - offset;
    const due = rows.filter((row) => row.nextCallTime === first).map(({ contactId }) => contactId);
    if (this.#pick(3) > 0 && moment - second > this.now) {
      this.clock.time = moment - second;
      await this.#lookAndLease([], due);
    }
    this.clock.time = moment;
    await this.#lookAndLease(due);
  }

  async #lookAndLease(mustHave: string[] = [], mustNotHave: string[] = []): Promise<void> {
    if (this.model.isOver(this.now)) return;
    if (this.#pick(2) === 0) await this.check();
    await this.lease(mustHave, mustNotHave);
  }

  /** The service stops it: with a lease if it is running, and otherwise by itself, in local mode within a second. */
  async checkEnd(): Promise<void> {
    await new DialingApi(this.api).lease({ taskId: this.taskId });
    const hasStopped = async () => expect((await this.#overview()).status, this.#history()).toBe(3);
    await (this.model.isPaused ? vi.waitFor(hasStopped, 10_000) : hasStopped());
    const { contacts, waits } = await this.#overview();
    expect([contacts.callable, waits], this.#history()).toEqual([0, []]);
    const none = { nextCallTime: null, waitReason: null };
    for (const row of await this.rows()) expect(row, this.#history()).toMatchObject(none);
  }
}

/** Of limits of 1, 2 and 0 calls a day; with and without zones of their own, and an end. */
const sample = [13, 18, 40, 62];
const seeds = isWhole ? [...sample, ...Array.from({ length: 20 }, (_, i) => 300 + i)] : sample;

it.each(seeds)('waits are as documented in a random campaign, seed %i', async (seed) => {
  const campaign = await Campaign.start(seed);
  const isOver = () => campaign.model.isOver(campaign.now);
  await campaign.check();
  for (let step = 0; step < 25; step++) {
    await campaign.goOn();
    if (isOver()) break;
    await campaign.endCalls();
    await campaign.act();
    await campaign.check();
  }
  if (isOver()) await campaign.checkEnd();
  await campaign.api.stop();
});
