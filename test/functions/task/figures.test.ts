import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { callReasons, taskSettings } from '../../../shared/tasks/rules/task-settings.ts';
import {
  byOutcome,
  type Entry,
  type Filter,
  type FoundWaits,
  instantOf,
  Ledger,
  type Outcome,
  ofDay,
  type Person,
  type Result,
  type Rules,
  shown,
  standings,
  sumOf,
  TaskLedger,
  timelineOf,
  timeOf,
  zone,
} from '../../support/dialing/campaign-ledger.ts';
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

type Row = Record<string, unknown>;
type ContactRow = {
  attempts: number;
  fields: Record<string, string>;
  contactId: string;
  outcome: string;
  deferTime: string | null;
  nextCallTime: string | null;
  waitReason: string | null;
};
/** The number itself if it is within the range, so that an answer with it is equal. */
const within = (found: unknown, [least, most]: readonly [number, number]) =>
  Number(found) >= least && Number(found) <= most ? found : `${least} to ${most}`;
/** What is found, if it may be so; otherwise why it may not. */
const allowed = (found: unknown, may: boolean, rule: string) => (may ? found : rule);
const sumRange = (...ranges: [number, number][]): [number, number] => [
  ranges.reduce((sum, [least]) => sum + least, 0),
  ranges.reduce((sum, [, most]) => sum + most, 0),
];
const between = (found: unknown, [from, to]: [number?, number?] = []) => {
  const [least, most] = [timeOf(from), timeOf(to)];
  return least !== null && String(found) >= least && String(found) <= most! ? found : least;
};

/** The code of a contact's status, in files. */
const codeOf = (last: Result | undefined) =>
  last === undefined ? '0' : { success: '1', failed: '2', noAnswer: '3' }[last.outcome];

/** An empty field is as good as none. */
const filled = (fields: Record<string, string>) =>
  Object.entries(fields)
    .filter(([, value]) => value !== '')
    .toSorted(([a], [b]) => a.localeCompare(b));

const byReason = (a: { reason: string | null }, b: { reason: string | null }) =>
  String(a.reason).localeCompare(String(b.reason));

class Campaign {
  readonly #api: Api;
  readonly #clock: TestClock;
  readonly #dialing: DialingApi;
  readonly ledger: Ledger;
  #listId = '';
  #begun = 0;
  /** By task: how many contacts could be called when the figures were compared last. */
  #callable = new Map<string, number>();
  /** When the figures were compared last. */
  #checked = 0;
  #numbers = 0;
  /** Of contacts. In half of the campaigns none has a zone of its own. */
  #zones = [''];
  readonly #open: { task: TaskLedger; person: Person; callId: string; until: number }[] = [];

  constructor(api: Api, clock: TestClock, callsPerDay: number) {
    this.#api = api;
    this.#clock = clock;
    this.#dialing = new DialingApi(api);
    this.ledger = new Ledger(callsPerDay);
  }
  get #now() {
    return this.#clock.time;
  }
  #task = (n: number) => pick(this.ledger.tasks, n);

  async begin(n: number, m: number) {
    this.#listId = (await this.#api.aDataSource({ dataSourceName: 'Customers' })).id;
    this.#begun = this.#now;
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
    await this.check();
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
    expect(found).toEqual(this.#preflightOf(task, found, task));
    task.count();
  }

  async check() {
    const overviews: Row[] = [];
    for (const task of this.ledger.tasks) {
      task.takeNote(this.#now);
      const overview = succeeded(await this.#api.get(`/api/task/${task.id}/overview`));
      this.#adoptEnd(task, overview.status as unknown as number);
      this.#checkWaits(task, overview as unknown as FoundWaits, await this.#checkContacts(task));
      overviews.push(overview);
    }
    this.#callable = new Map(
      overviews.map(({ id, contacts }) => [String(id), (contacts as Row).callable as number]),
    );
    for (const [i, task] of this.ledger.tasks.entries()) {
      expect(overviews[i]).toEqual(this.#overviewOf(task, overviews[i]!));
      await this.#checkTimelines(task);
      await this.#checkFiles(task);
      const { taskName: _, ...inputs } = task.rules;
      const asked = { ...inputs, dataSourceId: this.#listId };
      const found = succeeded(await this.#api.post('/api/task/preflight', asked));
      expect(found, 'pre-flight').toEqual(this.#preflightOf(task, found));
    }
    await this.#checkBoard();
    await this.#checkList();
    this.#checked = this.#now;
    const day = succeeded(await this.#api.get('/api/service/day'));
    expect(day, 'day').toEqual(this.#dayOf(shown(this.#now).slice(0, 10)));
  }

  /** A RUNNING task completes by itself when no contact is left to call. */
  #adoptEnd(task: TaskLedger, status: number) {
    if (status !== 4 || task.status !== 1) return;
    task.end(4, this.#checked, this.#now);
    expect(task.rules.keepOpen).toBe(false);
  }

  #rowsOf = async (task: TaskLedger, outcome: string) => {
    const rows: ContactRow[] = [];
    let [total, pageToken] = [0, ''];
    do {
      const query = { outcome, pageSize: 5, ...(pageToken && { pageToken }) };
      const page = succeeded(await this.#api.get(`/api/task/${task.id}/contacts`, query));
      rows.push(...(page.rows as unknown as ContactRow[]));
      total = page.total;
      pageToken = String(page.nextPageToken ?? '');
    } while (pageToken !== '');
    return { total, rows };
  };

  async #checkContacts(task: TaskLedger) {
    const all = await this.#rowsOf(task, 'all');
    const members = [...task.entries.keys()].filter(({ isDeleted }) => !isDeleted);
    const byId = new Map(members.map((person) => [person.id, person]));
    for (const row of all.rows) task.narrow(byId.get(row.contactId)!, row);
    expect(all.rows, 'contacts').toEqual(
      members.map((person, i) => this.#rowOf(task, person, task.entries.get(person)!, all.rows[i])),
    );
    for (const outcome of standings) {
      const { total, rows } = await this.#rowsOf(task, outcome);
      const wanted = outcome === 'waiting' ? ['waiting', 'callback'] : [outcome];
      expect(total, `contacts ${outcome}`).toBe(within(total, task.range(...wanted)));
      const ids = all.rows.filter((row) => wanted.includes(row.outcome)).map(({ contactId }) => contactId);
      expect(rows.map(({ contactId }) => contactId).sort(), `contacts ${outcome}`).toEqual(ids.sort());
      expect(all.rows).toEqual(expect.arrayContaining(rows));
    }
    return all.rows;
  }

  /** Who waits for what, by the rows of the contacts. */
  #checkWaits(task: TaskLedger, { contacts, waits }: FoundWaits, rows: readonly ContactRow[]) {
    const { callable, callbacksMoved, callbacks, notDialed, waiting } = contacts;
    const waitCount = waits.reduce((sum, { count }) => sum + count, 0);
    if (![1, 2].includes(task.status)) {
      expect([callable, waits], 'nobody is to be called').toEqual([0, []]);
      return;
    }
    expect(callable + waitCount, 'callable or waiting').toBe(notDialed + waiting);
    expect(callbacksMoved).toBeLessThanOrEqual(callbacks);
    const people = [...task.entries.keys()];
    const isOther = (person: Person) => person.isDeleted || !task.isListed(person);
    if (this.ledger.hasOwnZones || task.isReviewed || people.some(isOther)) return;
    const open = rows.filter(({ outcome }) => ['notDialed', 'waiting', 'callback'].includes(outcome));
    expect(callable, 'callable').toBe(open.filter(({ nextCallTime }) => nextCallTime === null).length);
    const reasons = [...new Set(open.flatMap(({ waitReason }) => waitReason ?? []))];
    const recounted = reasons.map((reason) => {
      const times = open.filter((row) => row.waitReason === reason).map(({ nextCallTime }) => nextCallTime!);
      const [from, to] = [times.toSorted()[0], times.toSorted().at(-1)];
      return { reason, count: times.length, from, to };
    });
    expect(waits.toSorted(byReason), 'waits').toEqual(recounted.toSorted(byReason));
  }

  #rowOf(task: TaskLedger, person: Person, entry: Entry, row: ContactRow | undefined) {
    const standing = task.standings(entry).join(' or ');
    const mayWait = ['notDialed', 'waiting', 'callback'].includes(standing) && task.isListed(person);
    const { fields = {}, nextCallTime = null, waitReason = null, deferTime = null } = row ?? {};
    const isLater = nextCallTime === null || (mayWait && nextCallTime > shown(this.#now));
    const isSame = JSON.stringify(filled(fields)) === JSON.stringify(filled(person.fields));
    return {
      contactId: person.id,
      phoneNumber: person.phone,
      fields: isSame ? fields : person.fields,
      outcome: standing,
      attempts: entry.attempts,
      nextCallTime: allowed(nextCallTime, isLater, 'later, of a contact that is to be called'),
      waitReason: allowed(waitReason, (waitReason === null) === (nextCallTime === null), 'beside a time'),
      callbackTime: standing === 'callback' ? timeOf(entry.results.at(-1)!.callbackTime) : null,
      deferTime: allowed(deferTime, deferTime === null || nextCallTime !== null, 'beside a time'),
      blockReason: row?.outcome === 'blocked' ? 'LIST' : null,
      blockedBy: row?.outcome === 'blocked' ? this.#listsOf(task, person) : [],
      callbacks: entry.callbacks,
      calls: entry.results.slice(-20).map(({ callId, time, outcome, reason, duration }) => ({
        ...{ callId, time: shown(time), outcome, reason, duration },
      })),
    };
  }

  #listsOf(task: TaskLedger, person: Person) {
    const has = task.listsOf(person);
    return ['do-not-call', ...task.rules.excludedDataSourceIds]
      .filter((id) => has.includes(id))
      .map((id) => ({ dataSourceId: id, dataSourceName: this.ledger.lists.get(id)!.name }));
  }

  #overviewOf(task: TaskLedger, found: Row) {
    const { contacts, dialing } = found as { contacts: Row; dialing: Row };
    const settings = Object.keys(taskSettings).map((name) => [name, found[name]]);
    const { results } = task;
    const count = (...wanted: string[]) => task.range(...wanted);
    const ranges = {
      notDialed: count('notDialed'),
      inCall: count('inCall'),
      waiting: count('waiting', 'callback'),
      reached: count('success'),
      failed: count('failed'),
      noAnswer: count('noAnswer'),
      blocked: count('blocked'),
      notSelected: count('notSelected'),
    };
    const counts = Object.entries(ranges).map(([name, range]) => [name, within(contacts[name], range)]);
    const total = Object.keys(ranges).reduce((sum, name) => sum + Number(contacts[name]), 0);
    const talked = results.filter(({ outcome }) => outcome === 'success');
    const codes = task.rules.dispositions.map(({ code }) => code);
    const ofCode = (code: string) => results.filter(({ disposition }) => disposition === code).length;
    const others = results.filter(({ disposition }) => disposition !== null && !codes.includes(disposition));
    return {
      ...Object.fromEntries(settings),
      ...(task.rules as object),
      id: task.id,
      status: task.status,
      dataSourceId: this.#listId,
      dataSourceName: 'Customers',
      contacts: {
        ...Object.fromEntries(counts),
        total: allowed(total, total === Number(within(total, sumRange(...Object.values(ranges)))), 'the sum'),
        callbacks: within(contacts.callbacks, count('callback')),
        callable: contacts.callable,
        callbacksMoved: contacts.callbacksMoved,
        selected: this.#selectedOf(task, contacts),
      },
      calls: {
        ...byOutcome(results),
        byReason: Object.fromEntries(
          callReasons.map((reason) => [reason, results.filter((each) => each.reason === reason).length]),
        ),
        byDisposition: {
          other: others.length,
          ...Object.fromEntries(codes.map((code) => [code, ofCode(code)])),
        },
        contacts: new Set(results.map(({ person }) => person)).size,
        duration: sumOf(results),
        talkDuration: sumOf(talked),
        lastCallTime: timeOf(results.at(-1)?.time),
      },
      waits: found.waits,
      dialing: this.#dialingOf(task, found, dialing),
      createTime: shown(this.#begun),
      startTime: timeOf(task.startTime),
      endTime: between(found.endTime, task.endTime),
      updateTime: between(found.updateTime, task.changed),
      reason: task.status === 5 ? 'no line' : null,
      reasonCode: null,
      figures: null,
    };
  }

  #selectedOf(task: TaskLedger, { selected, total, notDialed }: Row) {
    const { count, estimated } = selected as { count: number; estimated: boolean };
    if (task.rules.contactFilter.length === 0) return { count: total, estimated: false };
    const [least, most] = task.range(
      ...['inCall', 'waiting', 'callback', 'success', 'failed', 'noAnswer', 'blocked'],
    );
    const matching = this.ledger.live.filter(task.matches).length;
    if (notDialed === 0 && !task.isReviewed) return { count: within(count, [least, most]), estimated: false };
    if (task.isCounted && notDialed !== 0 && !task.isOver)
      return {
        count: within(count, [Math.max(least, matching), Math.max(most, matching)]),
        estimated: false,
      };
    return {
      count: within(count, [least, Number(total)]),
      estimated: task.isCounted || notDialed === 0 ? estimated : true,
    };
  }

  #dialingOf(task: TaskLedger, found: Row, dialing: Row) {
    const answers = task.dialing(found as unknown as FoundWaits, this.#now).map((answer) => ({
      ...answer,
      active: answer.reason === null,
      nextTime: timeOf(answer.nextTime),
    }));
    const said = (of: Row) => JSON.stringify([of.active, of.reason, of.limit, of.nextTime]);
    const behind = dialing.behind as { taskId: string }[];
    const isBefore = ({ taskId }: { taskId: string }) => {
      const { status, rules } = this.ledger.tasks.find(({ id }) => id === taskId)!;
      const isServed = status === 1 && this.#callable.get(taskId)! > 0;
      return isServed && rules.priority < task.rules.priority;
    };
    const isTrue = behind.length > 0 === (dialing.reason === 'BEHIND_OTHERS') && behind.every(isBefore);
    return {
      ...(answers.find((answer) => said(answer) === said(dialing)) ?? answers[0]),
      behind: allowed(behind, isTrue, 'tasks that are served before'),
      lastLeaseTime: allowed(
        dialing.lastLeaseTime,
        this.#isAskedTime(task, dialing.lastLeaseTime),
        'a request',
      ),
    };
  }

  /** Since the publish, and written every 20 seconds. */
  #isAskedTime({ asks, startTime = Number.POSITIVE_INFINITY }: TaskLedger, found: unknown) {
    const least = (asks.findLast(({ isOwn }) => isOwn)?.time ?? 0) - 20_000;
    if (found === null) return least <= startTime;
    return asks.some(({ time }) => shown(time) === found && time >= Math.max(least, startTime));
  }

  #preflightOf(task: TaskLedger, found: Row, itself?: TaskLedger) {
    const { live, lists, tasks, hasOwnZones } = this.ledger;
    const matching = live.filter(task.matches);
    const blocked = matching.filter((person) => task.listsOf(person).length > 0);
    const callable = matching.length - blocked.length;
    const listed = ['do-not-call', ...task.rules.excludedDataSourceIds].map((dataSourceId) => {
      const count = matching.filter((person) => task.listsOf(person).includes(dataSourceId)).length;
      return { dataSourceId, dataSourceName: lists.get(dataSourceId)!.name, count };
    });
    const others = tasks.filter((other) => other !== itself && [1, 2].includes(other.status) && callable > 0);
    const alsoIn = others.map(({ id, rules }) => ({ taskId: id, taskName: rules.taskName, count: callable }));
    const byTask = (a: Row, b: Row) => String(a.taskId).localeCompare(String(b.taskId));
    return {
      total: live.length,
      callable,
      blocked: blocked.length,
      notSelected: live.length - matching.length,
      estimated: false,
      blockedBy: listed.filter(({ count }) => count > 0),
      emergencyNumbers: 0,
      atLimit: matching.filter(
        (person) => task.listsOf(person).length === 0 && this.ledger.isSpent(person.phone, this.#now),
      ).length,
      unreadableTimes: 0,
      unknownFields: found.unknownFields,
      otherSpelling: 0,
      alsoIn: allowed(
        found.alsoIn,
        JSON.stringify((found.alsoIn as Row[]).toSorted(byTask)) === JSON.stringify(alsoIn.toSorted(byTask)),
        JSON.stringify(alsoIn),
      ),
      alsoInComplete: true,
      hasOwnZones,
      firstCallTime: timeOf(task.firstOpen(this.#now)),
    };
  }

  async #checkTimelines(task: TaskLedger) {
    for (const bucket of ['hour', 'minute'] as const) {
      const timeline = succeeded(await this.#api.get(`/api/task/${task.id}/timeline`, { bucket }));
      expect(timeline, 'timeline').toEqual({ bucket, rows: timelineOf(task.results, bucket, this.#now) });
    }
  }

  async #checkBoard() {
    const { tasks } = this.ledger;
    const ids = tasks.map(({ id }) => id);
    const { rows } = succeeded(await this.#api.get('/api/task/overviews', { ids: ids.join() }));
    for (const [i, task] of tasks.entries()) expect(rows[i]).toEqual(this.#overviewOf(task, rows[i]!));
    const board = succeeded(await this.#api.get('/api/task/board', { attention: 'true', imports: 'true' }));
    const names = ['draft', 'running', 'paused', 'stopped', 'completed', 'failed', 'closed'];
    const newest = rows.toReversed();
    const ofStatus = (status: number) => newest.filter((row) => Number(row.status) === status);
    expect(board, 'board').toEqual({
      total: tasks.length,
      rows: newest,
      byStatus: Object.fromEntries(names.map((name, i) => [name, ofStatus(i).length])),
      attention: [...ofStatus(2), ...ofStatus(3), ...ofStatus(5)],
      imports: [],
      runningImports: [],
      minutes: Object.fromEntries(
        tasks
          .filter(({ status, results }) => status === 1 && results.length > 0)
          .map((task) => [task.id, this.#minutesOf(task)]),
      ),
    });
  }

  /** The last ten minutes and the running one. */
  #minutesOf({ results }: TaskLedger) {
    const from = shown(Math.floor(this.#now / 60_000) * 60_000 - 10 * 60_000);
    return timelineOf(results, 'minute', this.#now).filter(({ time }) => time >= from);
  }

  #dayOf(date: string) {
    const ofDate = (results: TaskLedger['results']) =>
      results.filter(({ time }) => shown(time).startsWith(date));
    const results = ofDate(this.ledger.tasks.flatMap((task) => task.results));
    const inHour = (hour: number) => results.filter(({ time }) => Number(shown(time).slice(11, 13)) === hour);
    const tasks = this.ledger.tasks
      .map(({ id, rules, status, results: own }) => ({
        ...{ taskId: id, taskName: rules.taskName, status, calls: ofDay(ofDate(own)) },
      }))
      .filter(({ calls }) => calls.total > 0)
      .toSorted((a, b) => b.calls.total - a.calls.total);
    return {
      date,
      calls: ofDay(results),
      hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...byOutcome(inHour(hour)) })),
      tasks: tasks[0]?.calls.total === tasks[1]?.calls.total ? expect.arrayContaining(tasks) : tasks,
    };
  }

  async #checkFiles(task: TaskLedger) {
    const contacts = [...task.entries].filter(([{ isDeleted }]) => !isDeleted);
    const rows = contacts.map(([person, entry]) => {
      const last = entry.results.at(-1);
      return {
        ...{ contactId: person.id, ...this.#cellsOf(person) },
        status: entry.isInCall(this.#now) ? '4' : codeOf(last),
        callCount: String(entry.results.length),
        callDuration: String(sumOf(entry.results)),
        lastCallTime: timeOf(last?.time) ?? '',
        callOutcome: task.standings(entry).join(' or '),
        callReason: last?.reason ?? '',
      };
    });
    const found = await this.#fileOf(`/api/task/${task.id}/export`);
    expect(found, 'export').toEqual(this.#withTiers(rows, found));
    const hasData = task.results.some(({ details }) => details.data !== undefined);
    const calls = task.results.map((result) => ({
      ...{ callId: result.callId, taskId: task.id, contactId: result.person.id },
      ...{ dataSourceId: this.#listId, phoneNumber: result.phone, callerNumber: '' },
      ...{ attempt: String(result.attempt), startTime: shown(result.startTime) },
      ...{ endTime: shown(result.time), duration: String(result.duration), outcome: result.outcome },
      ...{ reason: result.reason ?? '', final: String(result.final) },
      ...{
        callbackTime: timeOf(result.callbackTime) ?? '',
        doNotCall: String(result.doNotCall),
      },
      ...{ disposition: result.disposition ?? '', summary: result.details.summary ?? '' },
      ...{ recordingUrl: result.details.recordingUrl ?? '', transcriptUrl: '' },
      ...{
        providerCallId: result.details.providerCallId ?? '',
        reportedBy: 'local-developer',
        updateTime: '',
      },
      ...(hasData && { 'data.mood': String(result.details.data?.mood ?? '') }),
    }));
    expect(await this.#fileOf(`/api/task/${task.id}/calls/export`), 'export of calls').toEqual(calls);
  }

  async #checkList() {
    const { live, tasks } = this.ledger;
    const rows = live.map((person) => {
      const entries = tasks.flatMap((task) => task.entries.get(person) ?? []);
      const results = entries.flatMap((entry) => entry.results);
      const latest = results.reduce<Result | undefined>((a, b) => (a && a.time > b.time ? a : b), undefined);
      return {
        ...this.#cellsOf(person),
        status: entries.some((entry) => entry.isInCall(this.#now)) ? '4' : codeOf(latest),
        ...{ callCount: String(results.length), createTime: shown(person.createTime) },
      };
    });
    const found = await this.#fileOf(`/api/dataSource/${this.#listId}/contact/batchExport`);
    expect(found, 'export of the list').toEqual(this.#withTiers(rows, found));
  }

  #cellsOf({ phone, fields: { tier = '', timeZone = '' } }: Person) {
    const known = { phoneNumber: phone, customerName: '', address: '', orderAmount: '', tier };
    return { ...known, ...(this.ledger.hasOwnZones && { timeZone }) };
  }

  /** A column of a file shows all that its contacts ever had: there is none as long as no contact had a tier. */
  #withTiers<T extends { tier: string }>(rows: readonly T[], found: readonly Row[]): Partial<T>[] {
    const areNone = rows.every(({ tier }) => tier === '') && found.every((row) => !('tier' in row));
    return areNone ? rows.map(({ tier: _, ...row }) => row as unknown as Partial<T>) : [...rows];
  }

  /** Every row of a file, with every column. */
  async #fileOf(path: string): Promise<Record<string, string>[]> {
    const response = await this.#api.file(path, { format: 'csv' });
    expect(response.status).toBe(200);
    const text = (await response.text()).replace('\uFEFF', '').trimEnd();
    const [titles = [], ...lines] = text.split('\r\n').map((line) => line.split(','));
    return lines.map((line) => Object.fromEntries(line.map((cell, i) => [titles[i] ?? '', cell])));
  }
}

type Operation = Exclude<keyof Campaign, 'ledger' | 'begin' | 'check'>;
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
        await campaign.check();
        for (const { operation, n, m } of steps) {
          clock.advance(1);
          await campaign[operation](n, m);
          await campaign.check();
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
