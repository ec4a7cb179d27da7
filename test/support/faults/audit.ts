import { expect } from 'vitest';
import { phonesOf } from '../../../shared/contacts/phone-block.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { type LongestPhones, mayHavePhone } from '../../../shared/contacts/rules/phone-number.ts';
import { taskContactOf } from '../../../shared/dialing/dialing-items.ts';
import { paceCountsOf } from '../../../shared/dialing/pace-items.ts';
import type { TaskContact } from '../../../shared/dialing/rules/task-contact.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { blockSize, blocksPerPage, type Item, type Kind, keys } from '../../../shared/platform/table/keys.ts';
import { ListGaps } from '../../../shared/platform/table/numbered-list.ts';
import { unpackBytes } from '../../../shared/platform/table/packed-bytes.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import { DialingInvariants } from '../dialing/dialing-invariants.ts';
import type { World } from './world.ts';

/** Items of one table by their partition key. */
export class Shelf {
  readonly #partitions = new Map<string, Item[]>();

  constructor(items: readonly Item[]) {
    for (const item of items) this.#partitions.set(item.pk, [...this.below(item.pk), item]);
  }

  below(partition: string, prefix = ''): Item[] {
    return (this.#partitions.get(partition) ?? []).filter(({ sk }) => sk.startsWith(prefix));
  }

  get({ pk, sk }: { pk: string; sk: string }): Item | undefined {
    return this.below(pk).find((item) => item.sk === sk);
  }

  partitions(form: RegExp): [name: string, match: RegExpExecArray][] {
    return [...this.#partitions.keys()].flatMap((name) => {
      const found = form.exec(name);
      return found === null ? [] : [[name, found] as [string, RegExpExecArray]];
    });
  }

  /** Records that bear a name of their own. */
  records(kind: Kind): Item[] {
    const form = kind === 'task' ? /^TASK#(\w+)$/ : /^DS#(\w+)$/;
    return this.partitions(form).flatMap(([name]) => this.below(name, 'META'));
  }

  contacts(dataSourceId: string): Item[] {
    const form = new RegExp(`^DS#${dataSourceId}#C#\\d+$`);
    return this.partitions(form).flatMap(([name]) => this.below(name));
  }

  taskContacts(taskId: string): TaskContact[] {
    const form = new RegExp(`^TASK#${taskId}#\\d+$`);
    return this.partitions(form).flatMap(([name]) => this.below(name).map(taskContactOf));
  }
}

/** They are counted, and each has its progress. */
const auditWebhooks = (shelf: Shelf): void => {
  const ids = shelf.below(keys.webhooks).map(({ sk }) => sk);
  expect(Number(shelf.get(keys.webhookCount)?.v ?? 0), 'webhooks are counted').toBe(ids.length);
  expect(
    shelf.below(keys.deliveryProgresses).map(({ sk }) => sk),
    'each webhook has its progress',
  ).toEqual(ids);
};

const sum = (items: readonly Item[], name: string) =>
  items.reduce((total, item) => total + Number(item[name] ?? 0), 0);

/** Of all attributes of that form. */
const sumOf = (items: readonly Item[], form: RegExp) =>
  items
    .flatMap((item) => Object.entries(item))
    .reduce((total, [name, value]) => (form.test(name) ? total + Number(value) : total), 0);

/** Contacts, phone guards, blocks and directory tell the same. */
export const auditContacts = (shelf: Shelf, dataSourceId: string): void => {
  const contacts = shelf.contacts(dataSourceId);
  const byPhone = contacts.map(({ sk, phone }) => [phone, Number(sk)] as const).sort();
  const guards = shelf
    .partitions(new RegExp(`^DS#${dataSourceId}#P#(.+)$`))
    .flatMap(([name, [, phone]]) => shelf.below(name).map(({ seq }) => [phone, Number(seq)] as const));
  expect(guards.sort(), 'a guard for each contact, and no other').toEqual(byPhone);
  const blocks = shelf
    .partitions(new RegExp(`^DS#${dataSourceId}#B#\\d+$`))
    .flatMap(([name]) => shelf.below(name));
  const slots = blocks.flatMap(({ sk, bytes }) =>
    phonesOf(bytes as Uint8Array).flatMap((phone, slot) =>
      phone === undefined ? [] : [[phone, Number(sk) * blockSize + slot] as const],
    ),
  );
  expect(slots.sort(), 'a condition in a block for each contact, and no other').toEqual(byPhone);
  for (const { sk, bytes } of shelf.below(`DS#${dataSourceId}`, keys.directoryPrefix)) {
    const first = Number(sk.slice(keys.directoryPrefix.length)) * blocksPerPage;
    const counted = [...unpackBytes(bytes as Uint8Array)].map((live, i) => [first + i, live]);
    const found = counted.map(([block = 0]) => [
      block,
      contacts.filter((contact) => Math.floor(Number(contact.sk) / blockSize) === block).length,
    ]);
    expect(counted, 'the directory counts the contacts of each block').toEqual(found);
  }
  const longest = shelf.get(keys.directoryPage(dataSourceId, 0))?.longest as LongestPhones | undefined;
  const longer = byPhone.filter(([phone]) => !mayHavePhone(longest, String(phone)));
  expect(longer, 'numbers that are longer than the directory knows').toEqual([]);
};

const auditImports = (shelf: Shelf, dataSourceId: string): void => {
  const imports = shelf.below(`DS#${dataSourceId}`, keys.import(dataSourceId, '').sk);
  for (const { status: state, importCount, successCount, failCount } of imports) {
    if (state === 'WAITING') continue;
    expect(['DONE', 'FAILED'], 'an import that begins, ends').toContain(state);
    expect(Number(successCount) + Number(failCount), 'rows of an import').toBe(importCount);
  }
  expect(shelf.below(`DS#${dataSourceId}`, keys.openRangePrefix), 'ranges of ended imports').toEqual([]);
  const list = keys.importList(dataSourceId);
  const count = Number(shelf.get(keys.listCount(list))?.count ?? 0);
  const listed = shelf.below(list).filter(({ sk }) => sk !== 'COUNT');
  expect(listed.map(({ id }) => id).sort(), 'every import is listed once').toEqual(
    imports.map(({ importId }) => importId).sort(),
  );
  expect(count, 'imports in the list').toBe(imports.length);
};

/** Names are guarded, and the list has every record under a number of its own. */
const auditList = (shelf: Shelf, kind: Kind): void => {
  const records = shelf.records(kind);
  const nameOf = (record: Item) => String(record[kind === 'task' ? 'taskName' : 'dataSourceName']);
  const guards = shelf
    .partitions(new RegExp(`^NAME#${kind}#(.+)$`))
    .flatMap(([name, [, text]]) => shelf.below(name).map(({ owner }) => [text, owner]));
  expect(guards.sort(), 'a guard for each name').toEqual(
    records.map((record) => [nameOf(record), record.id]).sort(),
  );
  const list = keys.list(kind);
  const headers = shelf.below(list).filter(({ sk }) => sk !== 'COUNT');
  const { count = 0, removed = 0, gaps }: Partial<Item> = shelf.get(keys.listCount(list)) ?? {};
  const known = new ListGaps(gaps as Uint8Array | undefined);
  const numbers = Array.from({ length: Number(count) }, (_, number) => number);
  expect(
    headers.map(({ sk }) => Number(sk)),
    'every number but those of removed entries',
  ).toEqual(numbers.filter((number) => !known.has(number)));
  expect(Number(count) - Number(removed)).toBe(headers.length);
  const shown = ({ id, status: state }: Item, name: string) => [id, name, state ?? null];
  expect(headers.map((each) => shown(each, String(each.name))).sort()).toEqual(
    records.map((each) => shown(each, nameOf(each))).sort(),
  );
};

/** The counters and the timeline equal a recount of the calls that the contacts had. */
const auditResults = (shelf: Shelf, id: string, counters: readonly Item[]): void => {
  const contacts = shelf.taskContacts(id);
  const results = contacts.flatMap((contact) => contact.results);
  const secondsOf = (calls: typeof results) => calls.reduce((total, { duration }) => total + duration, 0);
  const of = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  // The calls of an erased person stay counted, though nothing else of them stays.
  if (results.length < contacts.reduce((total, { callCount }) => total + callCount, 0)) return;
  expect(
    {
      ok: sum(counters, 'ok'),
      failed: sum(counters, 'failed'),
      noAnswer: sum(counters, 'noAnswer'),
      secs: sum(counters, 'secs'),
      vainSecs: sum(counters, 'vainSecs'),
    },
    'counters of the task',
  ).toEqual({
    ok: of('success'),
    failed: of('failed'),
    noAnswer: of('noAnswer'),
    secs: secondsOf(results),
    vainSecs: secondsOf(results.filter(({ outcome }) => outcome !== 'success')),
  });
  const days = shelf.below(keys.timeline(id), 'D#');
  const overTime = sumOf(counters, /^t[0-9a-z]+[sfn]$/) + sumOf(days, /^q\d+[sfn]$/);
  expect(overTime, 'calls over time').toBe(results.length);
  const talked = sumOf(counters, /^t[0-9a-z]+d$/) + sumOf(days, /^q\d+d$/);
  expect(talked, 'talk over time').toBe(secondsOf(results.filter(({ outcome }) => outcome === 'success')));
};

const auditTask = (shelf: Shelf, task: Item): void => {
  const id = String(task.id);
  const parts = shelf.partitions(new RegExp(`^TASK#${id}#CNT#\\d+$`)).flatMap(([name]) => shelf.below(name));
  const counters = [...shelf.below(`TASK#${id}`, keys.taskCounterPrefix), ...parts];
  auditResults(shelf, id, counters);
  const marks = counters.flatMap(({ day }) => (day === undefined ? [] : [Number(day)]));
  const entered = (day: number) => shelf.get(keys.dayOfTask(day, id)) !== undefined;
  expect(
    marks.filter((day) => !entered(day)),
    'days without an entry of the task',
  ).toEqual([]);
  const entry = shelf.get(keys.agendaEntry('calls', String(task.dataSourceId), id));
  expect(entry !== undefined, 'the calls of a running or paused task are listed, and no others').toBe(
    task.status === status.running || task.status === status.paused,
  );
  expect(entry?.gsi1sk !== undefined, 'the calls of a running task come due, and no others').toBe(
    task.status === status.running,
  );
  const history = shelf.below(`TASK#${id}`, keys.historyPrefix);
  const numbers = history.map(({ sk }) => Number(sk.slice(keys.historyPrefix.length)));
  expect(numbers, 'what was done to it, numbered without gaps').toEqual(
    numbers.map((_, i) => (numbers[0] ?? 0) + i),
  );
};

/** What a contact says of its calls is what all tasks say of it together. */
const auditCalls = (shelf: Shelf): void => {
  const calls = new Map<string, number>();
  for (const { id } of shelf.records('task')) {
    for (const { dataSourceId, seq, callCount } of shelf.taskContacts(String(id))) {
      const name = `${dataSourceId} ${seq}`;
      calls.set(name, (calls.get(name) ?? 0) + callCount);
    }
  }
  for (const { id } of shelf.records('dataSource')) {
    for (const { sk, callCount } of shelf.contacts(String(id)))
      expect(callCount, 'calls of a contact').toBe(calls.get(`${id} ${Number(sk)}`) ?? 0);
  }
};

/** Calls that nobody was told of are counted too, and no call is made uncounted. */
const auditNumberCalls = (shelf: Shelf): void => {
  for (const { id } of shelf.records('task')) {
    for (const { dataSourceId, seq, callCount } of shelf.taskContacts(String(id))) {
      const called = shelf.contacts(String(dataSourceId)).find(({ sk }) => Number(sk) === seq);
      // Nobody counts the calls of an erased person.
      if (called === undefined) continue;
      const [item] = shelf.below(keys.calledNumber(String(called.phone)));
      const counted = ((item?.calls ?? []) as string[]).length;
      expect(counted, 'calls of a number that count for limits').toBeGreaterThanOrEqual(callCount);
    }
  }
};

/** At any time from now on, no more calls are in progress than channels are in use: none is free too early. */
export const auditPace = (items: readonly Item[], now: number): void => {
  const shelf = new Shelf(items);
  const contacts = shelf.records('task').flatMap(({ id }) => shelf.taskContacts(String(id)));
  const leases = contacts.flatMap(({ state, taskId, lease }) =>
    state === 'leased' && lease && lease.until > now ? [{ taskId, ...lease }] : [],
  );
  const paces = [...new Set(leases.map(({ taskId }) => taskId))].map((taskId) => ({
    pace: keys.taskPace(taskId),
    untils: leases
      .filter((lease) => lease.taskId === taskId && lease.channels?.task)
      .map(({ until }) => until),
  }));
  const untils = leases.filter(({ channels }) => channels?.service).map(({ until }) => until);
  for (const each of [...paces, { pace: keys.servicePace, untils }]) {
    const { taken, freed } = paceCountsOf(shelf.below(each.pace));
    const inUse = (time: number) =>
      [...taken]
        .filter(([end]) => end > time)
        .reduce((total, [end, count]) => total + Math.max(0, count - (freed.get(end) ?? 0)), 0);
    for (const time of [now, ...each.untils.map((until) => until - 1)]) {
      const calls = each.untils.filter((until) => until > time).length;
      expect(inUse(time), `channels of ${each.pace}, after ${time - now} ms`).toBeGreaterThanOrEqual(calls);
    }
  }
};

/** An import that was registered for an upload. */
const awaitsItsFile = (shelf: Shelf, { sk, dataSourceId }: Item) =>
  dataSourceId !== undefined && shelf.get(keys.import(String(dataSourceId), sk))?.status === 'WAITING';

/** A deleted task or data source has left nothing, except its calls by day, and what CLOSED tasks show of a data source. */
const auditRemovals = (shelf: Shelf): void => {
  for (const kind of ['import', 'erasure', 'removal', 'deferred']) {
    const { pk } = keys.agendaEntry(kind, undefined, '');
    const left = shelf.below(pk).filter((entry) => !awaitsItsFile(shelf, entry));
    expect(left, `${kind}: work that was not done`).toEqual([]);
  }
  const known = new Set([
    ...shelf.records('task').map(({ id }) => `TASK#${id}`),
    ...shelf.records('dataSource').map(({ id }) => `DS#${id}`),
    'DS#do-not-call',
  ]);
  const left = shelf
    .partitions(/^(TASK|DS)#[^#]+/)
    .filter(([, [owner]]) => !known.has(owner))
    .flatMap(([name]) => shelf.below(name))
    .filter(({ sk }) => sk !== keys.goneDataSource('').sk && !sk.startsWith(keys.timelineDays));
  expect(left, 'items of deleted tasks and data sources').toEqual([]);
};

/** What must hold of tasks and their calls in a table that nobody is writing. */
export const auditTasks = async (database: Database, items: readonly Item[], now: number): Promise<void> => {
  const shelf = new Shelf(items);
  auditList(shelf, 'task');
  for (const task of shelf.records('task')) {
    auditTask(shelf, task);
    const hasSource = shelf.get(keys.dataSource(String(task.dataSourceId))) !== undefined;
    expect(hasSource || task.status === status.closed, 'the data source of a task').toBe(true);
    if (hasSource) await new DialingInvariants(database, task as unknown as Task).check(now, false);
  }
  auditCalls(shelf);
};

/** What must hold in a world that nobody is writing and whose imports and removals have been swept. */
export const audit = async ({ database, items, clock }: World): Promise<void> => {
  const shelf = new Shelf(items);
  auditList(shelf, 'dataSource');
  const sources = [...shelf.records('dataSource').map(({ id }) => String(id)), doNotCall.id];
  for (const id of sources) {
    auditContacts(shelf, id);
    auditImports(shelf, id);
  }
  await auditTasks(database, items, clock.now());
  auditNumberCalls(shelf);
  auditRemovals(shelf);
  auditWebhooks(shelf);
  auditPace(items, clock.now());
};
