import { randomBytes } from 'node:crypto';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { withoutCountry } from '../../../shared/contacts/rules/phone-number.ts';
import { CallingRules, noLimits } from '../../../shared/dialing/calling-rules.ts';
import { type Dialer, openDialer, openNumbers } from '../../../shared/dialing/dialer.ts';
import { readCallCounts } from '../../../shared/dialing/task-counters.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { idFrom } from '../../../shared/platform/rules/names.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { type Item, keys } from '../../../shared/platform/table/keys.ts';
import { createTask, resumeTask, type Task, type TaskInput } from '../../../shared/tasks/rules/task.ts';
import type { Outcome } from '../../../shared/tasks/rules/task-settings.ts';
import { type Operation, status } from '../../../shared/tasks/rules/task-states.ts';
import { callsOf } from '../../../shared/tasks/task-work.ts';
import { seedContacts, seedEmptyDataSource } from '../engines/seed-contacts.ts';

export const newId = () => idFrom(randomBytes(16));

/** 2023-11-14 22:13:20 UTC. */
export const start = 1_700_000_000_000;
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** A service of its own on the table: what one more process would have. */
export const aService = (
  database: Database,
  zone = 'UTC',
  stretch?: number,
  callsPerNumber = 0,
  maxConcurrentCalls = 0,
) => {
  const stores = openStores(database);
  const { tasks, contacts, selection } = stores;
  const limits = { ...noLimits, perDay: callsPerNumber };
  const parts = { ...stores, database, newId, zone, limits, maxConcurrentCalls };
  const dialer = openDialer({ ...parts, ...(stretch ? { contactsPerMove: stretch } : {}) });
  return { database, tasks, contacts, selection, dialer };
};

/** The rules by which contacts are called, in a service without a setting of its own. */
export const rulesWithoutLimits = (database: Database) => {
  const phones = async () => withoutCountry;
  const numbers = openNumbers(database, { ...openStores(database), phones });
  return new CallingRules(database, { zone: 'UTC', limits: noLimits, numbers, country: '', phones });
};

export type Service = ReturnType<typeof aService>;

/** Do what lease requests and results leave to the schedule. */
export const workersOf = ({ dialer }: Pick<Service, 'dialer'>) => [
  dialer.ends.worker(),
  dialer.deferred.worker(),
];

export const aDataSource = async (database: Database, contactCount: number): Promise<string> => {
  const id = newId();
  if (contactCount === 0) await seedEmptyDataSource(database, id);
  else await seedContacts(database, id, contactCount);
  return id;
};

export const aDraft = async ({ tasks }: Service, dataSourceId: string, settings: Partial<TaskInput> = {}) => {
  const id = newId();
  const task = createTask({ taskName: id, callInterval: 60, ...settings, dataSourceId }, id, start);
  await tasks.add(task);
  return task;
};

/** Records of RUNNING tasks without contacts to call: each is to be checked again at that time. */
export const sleepingTasks = (
  database: Database,
  dataSourceId: string,
  count: number,
  checkTime: number,
): Item[] =>
  Array.from({ length: count }).flatMap(() => {
    const id = newId();
    const draft = createTask({ taskName: id, dataSourceId }, id, start);
    const task = { ...draft, status: status.running, startTime: checkTime };
    const entry = { ...callsOf(task), level: task.priority };
    const { Put } = new Agenda(database).scheduleOf(entry, checkTime);
    return [{ ...keys.task(id), ...task, version: 1 }, Put?.Item as Item];
  });

/** What the handlers of publish, pause, resume and stop do. */
export const move = (service: Service, task: Task, operation: Operation, now = start): Promise<Task> =>
  service.tasks.move(task.id, operation, async (current) => ({
    ...(operation === 'resume'
      ? resumeTask(current, await readCallCounts(service.database, current), now)
      : current),
    ...(operation === 'publish' ? { startTime: now } : {}),
    ...(operation === 'stop' ? { endTime: now } : {}),
  }));

export const aRunningTask = async (
  database: Database,
  service: Service,
  {
    contactCount = 3,
    now = start,
    ...settings
  }: Partial<TaskInput> & { contactCount?: number; now?: number } = {},
): Promise<Task> => {
  const task = await aDraft(service, await aDataSource(database, contactCount), settings);
  return move(service, task, 'publish', now);
};

export const leaseFrom = async (
  { dialer }: Service,
  task: Task | undefined,
  now: number,
  { limit = 10, leaseSeconds = 120 } = {},
): Promise<LeasedCall[]> => (await dialer.leases.lease({ limit, leaseSeconds, taskId: task?.id }, now)).calls;

/** More would mostly meet, and retry, at the few counters of a task. */
const reportedAtOnce = 4;

export const reportAll = async (
  { dialer }: Service,
  calls: readonly LeasedCall[],
  outcome: Outcome,
  now: number,
  duration = 0,
) => {
  const results: Awaited<ReturnType<Dialer['results']['report']>>[] = [];
  for (let at = 0; at < calls.length; at += reportedAtOnce) {
    const some = calls.slice(at, at + reportedAtOnce);
    results.push(
      ...(await Promise.all(
        some.map(({ callId }) => dialer.results.report({ callId, outcome, duration }, now)),
      )),
    );
  }
  return results;
};

export const seqsOf = (calls: readonly LeasedCall[]) =>
  calls.map(({ contactId }) => Number.parseInt(contactId.split('-')[1] ?? '', 36));
