import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { callReasons } from '../../../shared/tasks/rules/task-settings.ts';
import {
  type Filter,
  instantOf,
  Ledger,
  type Outcome,
  type Person,
  type Rules,
  shown,
  TaskLedger,
  zone,
} from '../../support/dialing/campaign-ledger.ts';
import { filled, Recount } from '../../support/dialing/campaign-recount.ts';
import { type Call, DialingApi, phoneOf, TestClock } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { grudging } from '../../support/engines/grudging.ts';
import { auditTasks } from '../../support/faults/audit.ts';
import { imported } from '../../support/files/contact-files.ts';
import { randomRuns } from '../../support/run/extent.ts';
import { type Api, startApi, succeeded } from '../../support/service/api.ts';
import { watched } from '../../support/service/removal.ts';

/**
 * A random campaign. After every step each answer that has figures must equal the answer that is made up here from what
 * was done and acknowledged so far. Answers are compared as a whole: a new field fails until it has a recount.
 */

const filters: Filter[] = [
  [],
  [{ field: 'tier', is: 'equal', value: 'gold' }],
  [{ field: 'tier', is: 'notEmpty' }],
  [{ field: 'tier', is: 'notEqual', value: 'gold' }],
];
const hours = [
  { dailyStartTime: '00:00', dailyEndTime: '24:00', breaks: [] },
  { dailyStartTime: '09:00', dailyEndTime: '21:00', breaks: [{ start: '16:00', end: '16:30' }] },
];
const pick = <T>(some: readonly T[], at: number): T => some[at % some.length]!;
const tiers = ['gold', 'silver', ''];
const zones = ['', '', 'America/Los_Angeles', 'Asia/Tokyo'];

class Campaign {
  readonly #api: Api;
  readonly #clock: TestClock;
  readonly #dialing: DialingApi;
  readonly ledger: Ledger;
  readonly recount: Recount;
  #listId = '';
  #numbers = 0;
  /** Of contacts. In half of the campaigns none has a zone of its own. */
  #zones = [''];
  readonly #open: { task: TaskLedger; person: Person; callId: string; until: number }[] = [];

  constructor(api: Api, clock: TestClock, callsPerDay: number) {
    this.#api = api;
    this.#clock = clock;
    this.#dialing = new DialingApi(api);
    this.ledger = new Ledger(callsPerDay);
    this.recount = new Recount(api, clock, this.ledger);
  }
  get #now() {
    return this.#clock.time;
  }
  #task = (n: number) => pick(this.ledger.tasks, n);

  async begin(n: number, m: number) {
    this.#listId = (await this.#api.aDataSource({ dataSourceName: 'Customers' })).id;
    this.recount.begin(this.#listId);
    const excluded = await this.#api.aDataSource({ dataSourceName: 'Closed accounts' });
    this.ledger.lists.set('do-not-call', { name: 'Do not call', phones: new Map() });
    this.ledger.lists.set(excluded.id, { name: 'Closed accounts', phones: new Map() });
    if ((n + m) % 2 === 0) this.#zones = zones;
    await this.import(n, m);
    for (const at of [n, m]) {
      const rules: Rules = {
        ...{ taskName: `campaign ${this.ledger.tasks.length}`, callInterval: pick([0, 60, 600], at) },
        ...{ maxDialCount: 1 + (at % 3), contactFilter: pick(filters, at), ...pick(hours, at >> 1) },
        excludedDataSourceIds: at % 2 === 0 ? [excluded.id] : [],
        keepOpen: at % 5 === 0,
        dispositions: at % 3 === 0 ? [{ code: 'sale', label: 'Sale' }] : [],
        callsPerMinute: at % 3 === 0 ? pick([1, 2], at) : null,
        maxConcurrentCalls: at % 3 === 1 ? pick([1, 2], at) : null,
        priority: pick([5, 3], at >> 2),
      };
      const { id } = await this.#api.aTask({ ...rules, dataSourceId: this.#listId });
      this.ledger.tasks.push(new TaskLedger(id, this.ledger, rules));
      if (this.ledger.tasks.length === 1 || m % 2 === 0) await this.publish(this.ledger.tasks.length - 1);
    }
  }

  async publish(n: number) {
    const task = this.#task(n);
    if (task.status !== 0) return;
    succeeded(await this.#dialing.operate('publish', task.id));
    task.publish(this.#now);
  }

  wait(n: number) {
    this.#clock.advance(pick([5, 20, 60, 600, 3600, 7 * 3600], n));
  }

  async lease(n: number, m: number) {
    const only = m % 3 === 0 ? undefined : this.#task(n);
    const body = { limit: 1 + (n % 6), leaseSeconds: pick([30, 120, 900], m) };
    const asked = only ? [only] : this.ledger.tasks;
    for (const task of asked) task.ask(this.#now);
    const calls = await this.#dialing.lease({ ...body, ...(only && { taskId: only.id }) });
    for (const task of asked) {
      const isOwn = task === only || calls.some(({ taskId }) => taskId === task.id);
      task.asks.push({ time: this.#now, isOwn: isOwn && task.status === 1, isNamed: task === only });
    }
    for (const call of calls) this.#take(call, asked);
    // A number that was called for one task may have been put off for the other by the same request.
    if (asked.length > 1) for (const task of asked) task.ask(this.#now);
  }

  #take({ taskId, contactId, callId, phoneNumber, attempt, leaseExpireTime }: Call, asked: TaskLedger[]) {
    const task = asked.find(({ id }) => id === taskId)!;
    const person = this.ledger.live.find(({ id }) => id === contactId)!;
    const { matches, listsOf } = task;
    expect([phoneNumber, matches(person), listsOf(person)], 'who is called').toEqual([
      person.phone,
      true,
      [],
    ]);
    const until = instantOf(leaseExpireTime);
    task.lease(person, callId, this.#now, until);
    expect(attempt, 'attempt').toBe(task.entry(person).lease?.attempt);
    this.#open.push({ task, person, callId, until });
  }

  async report(n: number, m: number) {
    const call = pick(this.#open, n);
    if (call === undefined) return;
    const { task, person, callId } = call;
    const reason = m % 2 === 0 ? pick(callReasons, m) : null;
    const outcome = pick<Outcome>(['success', 'failed', 'noAnswer', 'failed'], m >> 1);
    const codes = task.rules.dispositions.length > 0 ? ['sale'] : ['odd', 'sale'];
    const disposition = m % 3 === 0 ? pick(codes, m) : null;
    const callbackTime = m % 7 === 0 ? this.#now + pick([600, 7200], m) * 1000 : null;
    const doNotCall = m % 11 === 0 && callbackTime === null;
    const result = { outcome, reason, duration: m % 90, disposition, doNotCall };
    const recordingUrl = `https://calls.example.com/${n}`;
    const details =
      m % 5 === 0
        ? { summary: `note ${n}`, recordingUrl, providerCallId: `call ${m}`, data: { mood: m % 3 } }
        : {};
    const answer = await this.#api.post('/api/dialer/result', {
      ...{ callId, ...result, ...details },
      ...(callbackTime !== null && { callbackTime: shown(callbackTime) }),
    });
    this.#open.splice(this.#open.indexOf(call), 1);
    // The lease ran out, and the contact was called again; or it has had its five callbacks.
    if (answer.status === 409) return;
    const { final } = succeeded(answer) as unknown as { final: boolean };
    const { lease } = task.entry(person);
    const phone = lease?.phone ?? person.phone;
    const { time: startTime = 0, attempt = 0 } = lease ?? {};
    task.report(
      {
        ...{ ...result, details, callId, person, phone, attempt, startTime, final, callbackTime },
        time: this.#now,
      },
      lease?.isRecalled === true,
    );
    if (doNotCall && !person.isDeleted) await this.#listDoNotCall();
  }

  /** Leases, and reports each of the calls. */
  async talk(n: number, m: number) {
    const before = this.#open.length;
    await this.lease(n, m);
    await this.recount.check();
    this.#clock.advance(pick([0, 20, 60], m >> 4));
    while (this.#open.length > before) {
      this.#clock.advance(1);
      await this.report(this.#open.length - 1, m + this.#open.length);
    }
  }

  /** A result may have put a number on the list. */
  async #listDoNotCall() {
    const { phones } = this.ledger.lists.get('do-not-call')!;
    for (const { id, phoneNumber } of await this.#dialing.contacts('do-not-call'))
      phones.set(String(phoneNumber), id);
  }

  async release(n: number, m: number) {
    const call = pick(this.#open, n);
    if (call === undefined) return;
    const waitSeconds = pick([0, 60], m);
    const answer = await this.#api.post('/api/dialer/release', { callId: call.callId, waitSeconds });
    const entry = call.task.entry(call.person);
    expect(answer.status === 200).toBe(entry.lease?.callId === call.callId && entry.isInCall(this.#now));
    if (answer.status !== 200) return;
    call.task.release(call.person, this.#now);
    this.#open.splice(this.#open.indexOf(call), 1);
  }

  async import(n: number, m: number) {
    const known = m % 3 === 0 ? this.ledger.live.slice(0, 2) : [];
    const rows = [
      ...known.map(({ phone }) => ({ phone, tier: pick(tiers, n) })),
      ...Array.from({ length: 2 + (n % 6) }, (_, i) => ({
        phone: phoneOf(this.#numbers++),
        ...{ tier: pick(tiers, n + i), timeZone: pick(this.#zones, m + i) },
      })),
    ];
    if (known.length > 0) {
      const contacts = rows.map(({ phone, ...fields }) => ({ phoneNumber: phone, ...fields }));
      const path = `/api/dataSource/${this.#listId}/contact/batchAdd`;
      succeeded(await this.#api.post(path, { contacts, onDuplicate: 'update' }));
    } else {
      const lines = rows.map(({ phone, tier, ...row }) => [
        phone,
        tier,
        'timeZone' in row ? row.timeZone : '',
      ]);
      await imported(this.#api, this.#listId, ['phoneNumber,tier,timeZone', ...lines].join('\n'));
    }
    for (const { phoneNumber, id } of await this.#dialing.contacts(this.#listId)) {
      const row = rows.find(({ phone }) => phone === phoneNumber);
      if (row === undefined) continue;
      const { phone, ...fields } = row;
      const person = known.find((each) => each.phone === phone);
      if (person) this.#change(person, fields);
      else
        this.ledger.people.push({
          ...{ id, phone, fields: this.#fields(fields), createTime: this.#now, isDeleted: false },
        });
    }
    this.ledger.changes++;
  }

  #fields(fields: Record<string, string>) {
    const { timeZone } = fields;
    this.ledger.hasOwnZones ||= (timeZone ?? '') !== '';
    return Object.fromEntries(filled(fields));
  }

  #change(person: Person, fields: Record<string, string>) {
    person.fields = this.#fields({ ...person.fields, ...fields });
    for (const task of this.ledger.tasks) task.change(person);
  }

  async update(n: number, m: number) {
    const person = pick(this.ledger.live, n);
    if (person === undefined) return;
    const fields = m % 3 === 0 ? { timeZone: pick(this.#zones, n) } : { tier: pick(tiers, m) };
    const path = `/api/dataSource/${this.#listId}/contact/update`;
    succeeded(await this.#api.post(path, { contactId: person.id, ...fields }));
    this.#change(person, fields as unknown as Record<string, string>);
    this.ledger.changes++;
  }

  async delete(n: number) {
    const person = pick(this.ledger.live, n);
    if (person === undefined) return;
    const path = `/api/dataSource/${this.#listId}/contact/batchDelete`;
    succeeded(await this.#api.post(path, { contactIds: [person.id] }));
    person.isDeleted = true;
    this.ledger.changes++;
    for (const task of this.ledger.tasks) task.delete(person);
  }

  /** Puts a number on a list of numbers that are not called, or takes it off. */
  async block(n: number, m: number) {
    const person = pick(this.ledger.live, n);
    const [id, { phones }] = pick([...this.ledger.lists], m);
    if (person === undefined) return;
    const { phone } = person;
    const listed = phones.get(phone);
    if (listed === undefined) phones.set(phone, (await this.#api.aContact(id, { phoneNumber: phone })).id);
    else {
      const path = `/api/dataSource/${id}/contact/batchDelete`;
      succeeded(await this.#api.post(path, { contactIds: [listed] }));
      phones.delete(phone);
    }
  }

  async move(n: number, m: number) {
    const task = this.#task(n);
    const operation = pick(['pause', 'resume', 'resume', 'pause', 'resume', 'stop', 'fail'], m);
    const answer =
      operation === 'fail'
        ? await this.#api.post('/api/dialer/fail', { taskId: task.id, reason: 'no line' })
        : await this.#dialing.operate(operation, task.id);
    if (answer.status === 405) return;
    const { status } = succeeded(answer) as unknown as { status: number };
    task.takeNote(this.#now);
    if (status >= 3) task.end(status, this.#now, this.#now);
    else task.move(status, this.#now);
  }

  async adjust(n: number, m: number) {
    const task = this.#task(n);
    const { breaks, maxConcurrentCalls } = task.rules;
    const changes: Partial<Rules> = pick<Partial<Rules>>(
      [
        { contactFilter: pick(filters, m) },
        { keepOpen: m % 2 === 0 },
        { breaks: breaks?.length ? [] : [{ start: '15:30', end: '16:15' }] },
        // Where both hold, the overview names one of them: a task here has one at most.
        { callsPerMinute: maxConcurrentCalls === null ? pick([null, 2], m) : null },
        { excludedDataSourceIds: m % 2 === 0 ? [] : [[...this.ledger.lists.keys()][1]!] },
      ],
      m >> 1,
    );
    const answer = await this.#api.post('/api/task/adjust', { id: task.id, ...changes });
    if (answer.status === 405) return;
    succeeded(answer);
    task.takeNote(this.#now);
    task.adjust(changes, this.#now);
  }

  async recall(n: number, m: number) {
    const task = this.#task(n);
    const some = this.ledger.live.filter((_, i) => (m >> i) % 2 === 1).slice(0, 4);
    const isAll = m % 2 === 0 || some.length === 0;
    task.takeNote(this.#now);
    const { priority } = task.rules;
    const body = isAll ? { priority } : { priority, contactIds: some.map(({ id }) => id) };
    const answer = await this.#dialing.recall(task.id, body);
    if (answer.status === 405) return;
    const { recallIds } = succeeded(answer) as unknown as { recallIds: string[] };
    const recalled = this.ledger.live.filter(({ id }) => recallIds.includes(id));
    expect(recalled.length).toBe(recallIds.length);
    task.recall(recalled, isAll, this.#now);
  }

  /** Of a stored task: its overview tells how many contacts were selected. */
  async preflight(n: number) {
    const task = this.#task(n);
    const found = succeeded(await this.#api.post('/api/task/preflight', { id: task.id }));
    expect(found).toEqual(this.recount.preflightOf(task, found, task));
    task.count();
  }
}

type Operation = Exclude<keyof Campaign, 'ledger' | 'recount' | 'begin'>;
/** How often each is done. */
const shares: Record<Operation, number> = {
  ...{
    talk: 4,
    lease: 3,
    report: 3,
    wait: 3,
    release: 1,
    import: 1,
    update: 2,
    delete: 1,
    block: 1,
    move: 1,
  },
  ...{ adjust: 1, recall: 1, preflight: 1, publish: 1 },
};
const operations = Object.entries(shares).flatMap(([name, share]) =>
  Array<Operation>(share).fill(name as Operation),
);
const step = fc.record({
  operation: fc.constantFrom(...operations),
  n: fc.nat({ max: 1000 }),
  m: fc.nat({ max: 1000 }),
});
const scenario = fc.record({
  callsPerDay: fc.constantFrom(0, 1, 2),
  ...{ n: fc.nat({ max: 1000 }), m: fc.nat({ max: 1000 }) },
  steps: fc.array(step, { minLength: 15, maxLength: 28, size: 'max' }),
});

it('every figure equals its recount, whatever happens in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ callsPerDay, n, m, steps }) => {
      const clock = new TestClock();
      const settings = { ...serviceSettings({}), timeZone: zone, maxCallsPerNumberPerDay: callsPerDay };
      const table = watched(grudging(engines[0]!));
      const api = await startApi({ ...settings, engine: table, now: clock.now });
      try {
        const campaign = new Campaign(api, clock, callsPerDay);
        await campaign.begin(n, m);
        await campaign.recount.check();
        for (const { operation, n, m } of steps) {
          clock.advance(1);
          await campaign[operation](n, m);
          await campaign.recount.check();
        }
        await auditTasks(api.database, await table.items(), clock.time);
      } finally {
        await api.stop();
      }
    }),
    // A shorter example would take a hundred campaigns to find.
    { ...randomRuns(1, 6), endOnFailure: true },
  );
});
