import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { openStores } from '../shared/app/runtime/imports.ts';
import { contactId, readContactPatch } from '../shared/contacts/rules/contact.ts';
import { doNotCall } from '../shared/contacts/rules/data-source.ts';
import type { ImportRow } from '../shared/imports/rules/contact-import.ts';
import { Database, documentClient } from '../shared/platform/table/database.ts';
import { aService, leaseFrom, move, sleepingTasks } from '../test/support/dialing/dialing.ts';
import { embeddedClientConfig } from '../test/support/engines/engine-door.ts';
import { meter, type Usage } from '../test/support/engines/meter.ts';
import {
  seedEmptyDataSource,
  seededFields,
  seededPhone,
  seedTime,
} from '../test/support/engines/seed-contacts.ts';
import { writeAndCommit } from '../test/support/files/imports.ts';
import { type openSeeded, tableName } from './seeding.ts';
import { tasksOf } from './task-seeds.ts';

export const pageSize = 20;
export const importRows = 10_000;
export const leaseSize = 10;
/** RUNNING tasks without a contact to call now. */
const sleeping = 1000;
export const dataSourceId = '0000000000000001';

/** Search texts by their number of digits. The shortest is common, the others are rarer. */
export const searches = [
  { name: 'search, 1 digit', part: '7' },
  { name: 'search, 2 digits', part: '99' },
  { name: 'search, 4 digits', part: '1234' },
  { name: 'search, 8 digits', part: seededPhone(500).slice(-8) },
  { name: 'search, whole number', part: seededPhone(500) },
] as const;

export const pagesOf = (count: number) => [
  { name: 'list, first page', offset: 0 },
  { name: 'list, middle page', offset: count / 2 + 7 },
  { name: 'list, last page', offset: count - pageSize },
];

/** A phone number that no seeded contact has. */
export const freshPhone = (attempt: number, at = 0) => `+862${attempt}${String(at).padStart(8, '0')}`;

export const freshRows = (attempt: number): ImportRow[] =>
  Array.from({ length: importRows }, (_, at) => ({
    line: at + 2,
    phoneNumber: freshPhone(attempt + 2, at),
    fields: seededFields(at),
  }));

type Engine = Awaited<ReturnType<typeof openSeeded>>['engine'];

/** A client with its own handler, so that metering one client does not affect the others. */
export const clientOf = ({ requestHandler, ...engine }: Engine): DynamoDBDocumentClient => {
  const { handle } = requestHandler as { handle: () => Promise<never> };
  return documentClient(embeddedClientConfig({ ...engine, requestHandler: { handle } }));
};

const serviceOn = (client: DynamoDBDocumentClient) => {
  const database = new Database(client, tableName);
  return { ...aService(database), database };
};
type Service = ReturnType<typeof serviceOn>;

/** `prepare` is not measured. */
type Operation = {
  name: string;
  prepare?: (service: Service) => Promise<unknown>;
  run: (service: Service, prepared: never) => Promise<unknown>;
};

export const importOf = async (database: Database, importId: string, rows: readonly ImportRow[]) => {
  const file = { objectKey: importId, fileName: 'contacts.csv', fileSize: 1 };
  const records = openStores(database).importRecords;
  await records.create({ importId, dataSourceId, ...file, createTime: seedTime });
  const lease = { owner: importId, now: seedTime, until: seedTime + 60_000 };
  const { import: begun } = await records.begin(dataSourceId, importId, lease);
  return writeAndCommit(
    openStores(database).importedContacts,
    begun,
    { rows, importCount: rows.length },
    seedTime,
  );
};

const contactOperations = (count: number): Operation[] => [
  ...pagesOf(count).map(({ name, offset }) => ({
    name,
    run: ({ contacts }: Service) => contacts.page(dataSourceId, { offset, limit: pageSize }),
  })),
  ...searches.map(({ name, part }) => ({
    name,
    run: ({ contacts }: Service) =>
      contacts.page(dataSourceId, { offset: 0, limit: pageSize, phoneNumber: part }),
  })),
  {
    name: 'add',
    run: ({ contacts }) =>
      contacts.add(dataSourceId, { phoneNumber: freshPhone(0), fields: seededFields(0) }, seedTime),
  },
  {
    name: 'edit',
    run: ({ contacts }) => {
      const patch = readContactPatch({ address: 'elsewhere' });
      return contacts.update(dataSourceId, contactId(dataSourceId, 10), patch, seedTime);
    },
  },
  {
    name: 'phone change',
    run: ({ contacts }) => {
      const patch = readContactPatch({ phoneNumber: freshPhone(0, 1) });
      return contacts.update(dataSourceId, contactId(dataSourceId, 20), patch, seedTime);
    },
  },
  {
    name: 'delete',
    run: ({ contacts }) => contacts.remove(dataSourceId, contactId(dataSourceId, 30), Date.now()),
  },
  {
    name: 'import of 10k',
    prepare: async () => freshRows(0),
    run: ({ database }, rows) => importOf(database, 'import', rows),
  },
  {
    name: 're-import of 10k',
    prepare: async () => freshRows(0),
    run: ({ database }, rows) => importOf(database, 'again', rows),
  },
];

/** Leases without a task. Their cost depends on the due contacts, not on the running tasks. */
const anyTaskOperations: Operation[] = [
  {
    name: 'lease of 10, any task',
    run: (service) => leaseFrom(service, undefined, seedTime, { limit: leaseSize }),
  },
  {
    name: 'the same of 1,000',
    prepare: ({ database }) =>
      database.putAll(sleepingTasks(database, dataSourceId, sleeping, seedTime + 3_600_000)),
    run: (service) => leaseFrom(service, undefined, seedTime, { limit: leaseSize }),
  },
];

const dialOperations = ({ leased, failed }: Awaited<ReturnType<typeof tasksOf>>): Operation[] => [
  {
    name: 'lease of 10',
    // Two leases use up an intake, so that this lease moves the cursor. It is the most expensive of
    // three.
    prepare: async (service) => {
      for (let lease = 0; lease < 2; lease++)
        await leaseFrom(service, leased, seedTime, { limit: leaseSize });
    },
    run: (service) => leaseFrom(service, leased, seedTime, { limit: leaseSize }),
  },
  {
    name: 'lease of 10 due',
    prepare: ({ dialer }) => {
      const seqs = Array.from({ length: leaseSize }, (_, i) => 500 + i);
      const contactIds = seqs.map((seq) => contactId(dataSourceId, seq));
      return dialer.recalls.recall(leased.id, { contactIds, priority: 1 }, seedTime);
    },
    run: (service) => leaseFrom(service, leased, seedTime, { limit: leaseSize }),
  },
  ...anyTaskOperations,
  {
    name: 'result',
    prepare: (service) => leaseFrom(service, leased, seedTime, { limit: 1 }),
    run: ({ dialer }, [call]: [{ callId: string }]) =>
      dialer.results.report({ callId: call.callId, outcome: 'success', duration: 60 }, seedTime),
  },
  {
    name: 'result, callback',
    prepare: (service) => leaseFrom(service, leased, seedTime, { limit: 1 }),
    run: ({ dialer }, [call]: [{ callId: string }]) => {
      const callbackTime = seedTime + 3_600_000;
      return dialer.results.report(
        { callId: call.callId, outcome: 'failed', duration: 60, callbackTime },
        seedTime,
      );
    },
  },
  {
    name: 'result, do not call',
    prepare: async (service) => {
      await seedEmptyDataSource(service.database, doNotCall.id);
      return leaseFrom(service, leased, seedTime, { limit: 1 });
    },
    run: ({ dialer }, [call]: [{ callId: string }]) =>
      dialer.results.report(
        { callId: call.callId, outcome: 'failed', duration: 60, doNotCall: true },
        seedTime,
      ),
  },
  {
    name: 'release',
    prepare: (service) => leaseFrom(service, leased, seedTime, { limit: 1 }),
    run: ({ dialer }, [call]: [{ callId: string }]) => dialer.liveLeases.release(call, seedTime),
  },
  {
    name: 'extend',
    prepare: (service) => leaseFrom(service, leased, seedTime, { limit: 1 }),
    run: ({ dialer }, [call]: [{ callId: string }]) =>
      dialer.liveLeases.extend({ callId: call.callId, until: seedTime + 600_000 }, seedTime),
  },
  {
    name: 'recall of all failed',
    run: ({ dialer }) => dialer.recalls.recall(failed.id, { priority: 5 }, seedTime),
  },
  {
    name: 'idle poll of 1,000',
    // Pauses the tasks of the other rows.
    prepare: async (service) => {
      for (const task of [leased, failed]) await move(service, task, 'pause', seedTime);
    },
    run: (service) => leaseFrom(service, undefined, seedTime, { limit: leaseSize }),
  },
];

export type Measured = { name: string; usage: Usage };

/** The cost on AWS of each operation on a data source of `count` contacts. */
export const measureOperations = async (
  engine: Engine,
  count: number,
  onDone: (name: string) => void,
): Promise<Measured[]> => {
  const metered = clientOf(engine);
  const service = serviceOn(metered);
  const tasks = await tasksOf(serviceOn(clientOf(engine)), dataSourceId);
  const { measure } = meter(metered);
  const measured: Measured[] = [];
  for (const { name, prepare, run } of [...contactOperations(count), ...dialOperations(tasks)]) {
    const prepared = (await prepare?.(service)) as never;
    measured.push({ name, usage: await measure(() => run(service, prepared)) });
    onDone(name);
  }
  return measured;
};
