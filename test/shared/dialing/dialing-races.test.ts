import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { readTallies } from '../../../shared/dialing/task-counters.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  reportAll,
  type Service,
  second,
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { LaggingDatabase } from '../../support/engines/lagging-database.ts';
import { heldUp, type TableCall, watchedBy } from '../../support/engines/overtaken.ts';
import { sizeOf } from '../../support/run/extent.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

type Written = { pk: string; sk: string };
const isTaskContact = ({ pk, sk }: Written) => /^TASK#[^#]+#\d+$/.test(pk) && /^\d+$/.test(sk);
const isDialState = ({ sk }: Written) => sk === 'DIAL';

const conflictOf = (codes: readonly string[]) =>
  new TransactionCanceledException({
    message: 'made up by a test',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });

const isWriteOf =
  (isMeant: (written: Written) => boolean) =>
  ({ written }: TableCall) =>
    written.some(isMeant);
const isQueryOf =
  (partition: string) =>
  ({ name, input }: TableCall) =>
    name === 'Query' && JSON.stringify(input.ExpressionAttributeValues).includes(JSON.stringify(partition));

describe.each(engines)('many dialers on $name', ({ open, sized }) => {
  let table: OpenTable;
  let database: Database;

  beforeAll(async () => {
    table = await open();
    database = table.database;
  });
  afterAll(() => table.close());

  /** Published once, completed once: each move is one version. */
  const expectOneEnd = async ({ id }: { id: string }) =>
    expect(await database.get(keys.task(id))).toMatchObject({ status: status.completed, version: 2 });

  const removeContact = ({ contacts }: Service, { dataSourceId }: { dataSourceId: string }, seq: number) =>
    contacts.remove(dataSourceId, contactId(dataSourceId, seq), start);

  it.each(['fresh', 'due'])('get as many %s contacts as each asked for, all at once', async (kind) => {
    const services = upTo(sizeOf(12, sized(24, 6))).map(() => aService(database));
    const some = sizeOf(40, sized(80, 15));
    const task = await aRunningTask(database, services[0]!, { contactCount: 2 * some, callInterval: 0 });
    if (kind === 'due') {
      const calls = [1, 2].map(() => leaseFrom(services[0]!, task, start, { limit: some }));
      await reportAll(services[0]!, (await Promise.all(calls)).flat(), 'failed', start);
    }
    const leased = await Promise.all(services.map((each) => leaseFrom(each, task, start, { limit: 5 })));
    expect(leased.map(({ length }) => length)).toEqual(services.map(() => 5));
    expect(new Set(seqsOf(leased.flat())).size).toBe(5 * services.length);
  });

  it('call each contact as often as it needs while the index lags', async () => {
    const services = upTo(sized(4, 2)).map(() => aService(new LaggingDatabase(table)));
    const count = sizeOf(24, sized(48, 12));
    const settings = { contactCount: count, maxDialCount: 3, callInterval: 0 };
    const task = await aRunningTask(database, services[0]!, settings);
    const inCall = new Set<number>();
    const calls = new Map<number, number>();
    const dialer = async (service: Service) => {
      // More often than the index lags behind.
      for (let idle = 0; idle < 8; ) {
        const leased = await leaseFrom(service, task, start, { limit: 7 });
        idle = leased.length === 0 ? idle + 1 : 0;
        for (const call of leased) {
          const [seq] = seqsOf([call]) as [number];
          expect(inCall.has(seq), `contact ${seq} in two calls`).toBe(false);
          inCall.add(seq);
          calls.set(seq, call.attempt);
        }
        for (const call of leased) {
          const [seq] = seqsOf([call]) as [number];
          inCall.delete(seq);
          await reportAll(service, [call], call.attempt > seq % 3 ? 'success' : 'noAnswer', start);
        }
      }
    };
    await Promise.all(services.map(dialer));
    expect(upTo(count).map((seq) => calls.get(seq))).toEqual(upTo(count).map((seq) => (seq % 3) + 1));
    await expectOneEnd(task);
    const tallies = await readTallies(services[0]!.database, [task.id]);
    expect(tallies.get(task.id)).toMatchObject({
      callCount: 2 * count,
      successCount: count,
      noAnswerCount: count,
    });
  });

  it('contacts deleted in their first call are settled together once their leases have run out', async () => {
    const service = aService(database);
    const task = await aRunningTask(database, service, { contactCount: 31 });
    const calls = await leaseFrom(service, task, start, { limit: 31, leaseSeconds: 10 });
    await reportAll(service, calls.slice(30), 'success', start);
    for (const seq of upTo(30)) await removeContact(service, task, seq);
    await leaseFrom(service, task, start + minute);
    await expectOneEnd(task);
  });

  it('contacts deleted in their first call are not forgotten when settling them meets another writer', async () => {
    const service = aService(database, 'UTC', 2);
    const task = await aRunningTask(database, service, { contactCount: 3 });
    const calls = await leaseFrom(service, task, start, { leaseSeconds: 10 });
    await removeContact(service, task, 0);
    await reportAll(service, calls.slice(1), 'success', start);
    let isDisturbed = false;
    const disturbed = watchedBy(table, ({ name, written }) => {
      if (isDisturbed || name !== 'TransactWrite' || !written.some(isTaskContact)) return;
      isDisturbed = true;
      // Another writer is at the counter of the contact just as the contact is settled.
      throw conflictOf(written.map((_, i) => (i === 1 ? 'TransactionConflict' : 'None')));
    });
    await leaseFrom(aService(disturbed, 'UTC', 2), task, start + minute);
    expect(isDisturbed).toBe(true);
    await leaseFrom(service, task, start + hour);
    await leaseFrom(service, task, start + hour);
    await expectOneEnd(task);
  });

  /** The task ends with the second of two results, and not before. */
  const expectEndWith = async (service: Service, task: Task, calls: readonly LeasedCall[], now: number) => {
    expect(seqsOf(calls)).toEqual([1, 2]);
    for (const _ of upTo(3)) await leaseFrom(service, task, now);
    const states = [];
    for (const call of calls) states.push(...(await reportAll(service, [call], 'success', now)));
    expect(states).toMatchObject([{ taskStatus: status.running }, { taskStatus: status.completed }]);
  };

  it('a process that is held up until its lease has run out leaves no contact in a lease nobody remembers', async () => {
    const service = aService(database);
    const task = await aRunningTask(database, service, { contactCount: 2, callInterval: 0 });
    const held = heldUp(table, isWriteOf(isTaskContact));
    const late = leaseFrom(aService(held.database), task, start + second, { leaseSeconds: 10 });
    await held.reached;
    await leaseFrom(service, task, start + minute, { limit: 1, leaseSeconds: 10 });
    held.resume();
    await late;
    const calls = await leaseFrom(service, task, start + hour);
    expect(seqsOf(calls).sort()).toEqual([0, 1]);
    await move(service, task, 'stop');
  });

  it('a process that is held up and takes up a deleted contact that the cursor has passed leaves the count exact', async () => {
    const service = aService(database, 'UTC', 2);
    const task = await aRunningTask(database, service, { contactCount: 4, callInterval: 0 });
    const held = heldUp(table, isWriteOf(isTaskContact));
    const late = leaseFrom(aService(held.database), task, start, { limit: 1, leaseSeconds: 10 });
    await held.reached;
    await removeContact(service, task, 0);
    const calls = await leaseFrom(service, task, start);
    await leaseFrom(service, task, start);
    held.resume();
    expect(await late).toEqual([]);
    await reportAll(service, calls, 'success', start);
    await expectOneEnd(task);
  });

  it('a process that is held up and still sees a contact that was deleted settles nothing that nobody counted', async () => {
    const service = aService(database, 'UTC', 1);
    const task = await aRunningTask(database, service, { contactCount: 3 });
    const slow = heldUp(table, isWriteOf(isTaskContact));
    const late = leaseFrom(aService(slow.database), task, start, { limit: 1, leaseSeconds: 10 });
    await slow.reached;
    const later = start + minute;
    const looking = heldUp(table, isQueryOf(keys.taskContactPartition(task.id, 0)));
    const looked = leaseFrom(aService(looking.database), task, later, { limit: 1 });
    await looking.reached;
    await removeContact(service, task, 0);
    const calls = [];
    for (const _ of upTo(3))
      calls.push(...(await leaseFrom(service, task, later, { limit: 1, leaseSeconds: 3600 })));
    slow.resume();
    expect(await late).toEqual([]);
    looking.resume();
    expect(await looked).toEqual([]);
    await expectEndWith(service, task, calls, later + second);
  });

  it('a process that is held up with a recall of a contact that was deleted settles nothing that nobody counted', async () => {
    const service = aService(database, 'UTC', 1);
    const task = await aRunningTask(database, service, { contactCount: 3 });
    const held = heldUp(table, isWriteOf(isDialState));
    const recall = { contactIds: [contactId(task.dataSourceId, 0)], priority: 1 };
    const recalling = aService(held.database).dialer.recalls.recall(task.id, recall, start);
    await held.reached;
    await removeContact(service, task, 0);
    const calls = await leaseFrom(service, task, start, { leaseSeconds: 3600 });
    await leaseFrom(service, task, start);
    held.resume();
    expect(await recalling).toEqual({ recallCount: 0, recallIds: [] });
    await expectEndWith(service, task, calls, start + second);
  });

  it('a process that is held up between the two places where a contact may be found answers its call once', async () => {
    const service = aService(database, 'UTC', 3);
    const task = await aRunningTask(database, service, { contactCount: 3 });
    await leaseFrom(service, task, start, { limit: 1 });
    const held = heldUp(table, isQueryOf(keys.line(task.id, task.priority)));
    const late = leaseFrom(aService(held.database), task, start + second, { limit: 2 });
    // By then it has seen that nobody has called the second contact yet.
    await held.waits();
    const [given] = await leaseFrom(service, task, start, { limit: 1 });
    await service.dialer.liveLeases.release(given!, start);
    held.resume();
    const calls = await late;
    expect(seqsOf(calls)).toEqual([1, 2]);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
  });
});
