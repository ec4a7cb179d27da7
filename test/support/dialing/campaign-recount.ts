import { expect } from 'vitest';
import { callReasons, taskSettings } from '../../../shared/tasks/rules/task-settings.ts';
import { type Api, succeeded } from '../service/api.ts';
import {
  byOutcome,
  type Entry,
  type FoundWaits,
  type Ledger,
  ofDay,
  type Person,
  type Result,
  shown,
  standings,
  sumOf,
  type TaskLedger,
  timelineOf,
  timeOf,
} from './campaign-ledger.ts';
import type { TestClock } from './dialing-api.ts';

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
export const filled = (fields: Record<string, string>) =>
  Object.entries(fields)
    .filter(([, value]) => value !== '')
    .toSorted(([a], [b]) => a.localeCompare(b));

const byReason = (a: { reason: string | null }, b: { reason: string | null }) =>
  String(a.reason).localeCompare(String(b.reason));

/** Recounts what a random campaign is told, from what was done and acknowledged so far. */
export class Recount {
  readonly #api: Api;
  readonly #clock: TestClock;
  readonly #ledger: Ledger;
  #listId = '';
  #begun = 0;
  /** By task: how many contacts could be called when the figures were compared last. */
  #callable = new Map<string, number>();
  /** When the figures were compared last. */
  #checked = 0;

  constructor(api: Api, clock: TestClock, ledger: Ledger) {
    this.#api = api;
    this.#clock = clock;
    this.#ledger = ledger;
  }

  /** `listId`: the list that the campaign calls. */
  begin(listId: string) {
    this.#listId = listId;
    this.#begun = this.#now;
  }

  get #now() {
    return this.#clock.time;
  }

  async check() {
    const overviews: Row[] = [];
    for (const task of this.#ledger.tasks) {
      task.takeNote(this.#now);
      const overview = succeeded(await this.#api.get(`/api/task/${task.id}/overview`));
      this.#adoptEnd(task, overview.status as unknown as number);
      this.#checkWaits(task, overview as unknown as FoundWaits, await this.#checkContacts(task));
      overviews.push(overview);
    }
    this.#callable = new Map(
      overviews.map(({ id, contacts }) => [String(id), (contacts as Row).callable as number]),
    );
    for (const [i, task] of this.#ledger.tasks.entries()) {
      expect(overviews[i]).toEqual(this.#overviewOf(task, overviews[i]!));
      await this.#checkTimelines(task);
      await this.#checkFiles(task);
      const { taskName: _, ...inputs } = task.rules;
      const asked = { ...inputs, dataSourceId: this.#listId };
      const found = succeeded(await this.#api.post('/api/task/preflight', asked));
      expect(found, 'pre-flight').toEqual(this.preflightOf(task, found));
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
    if (this.#ledger.hasOwnZones || task.isReviewed || people.some(isOther)) return;
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
      .map((id) => ({ dataSourceId: id, dataSourceName: this.#ledger.lists.get(id)!.name }));
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
    const matching = this.#ledger.live.filter(task.matches).length;
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
      const { status, rules } = this.#ledger.tasks.find(({ id }) => id === taskId)!;
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

  preflightOf(task: TaskLedger, found: Row, itself?: TaskLedger) {
    const { live, lists, tasks, hasOwnZones } = this.#ledger;
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
        (person) => task.listsOf(person).length === 0 && this.#ledger.isSpent(person.phone, this.#now),
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
    const { tasks } = this.#ledger;
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
    const results = ofDate(this.#ledger.tasks.flatMap((task) => task.results));
    const inHour = (hour: number) => results.filter(({ time }) => Number(shown(time).slice(11, 13)) === hour);
    const tasks = this.#ledger.tasks
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
    const { live, tasks } = this.#ledger;
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
    return { ...known, ...(this.#ledger.hasOwnZones && { timeZone }) };
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
