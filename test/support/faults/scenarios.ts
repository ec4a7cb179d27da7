import { allRoutes } from '../../../shared/api/all-routes.ts';
import type { Route } from '../../../shared/api/route.ts';
import type { Answer } from '../answers.ts';
import { succeeded } from '../api.ts';
import { contactEvent } from '../contact-events.ts';
import { aPost, type Post, send } from '../post-scenarios.ts';
import type { EventId, FaultProcess } from './fault-process.ts';
import type { World } from './world.ts';

type Run = (process: FaultProcess, world: World) => Promise<Answer | undefined>;

/** One function at work, in a world that was made ready for it. */
export type Scenario = {
  /** A row of the table. */
  name: string;
  functionId: string;
  /** Makes the world ready; answers what the function is then asked, the same each time. */
  prepare: (process: FaultProcess, world: World) => Promise<Run>;
  /** Nothing is written: the table is the same afterwards. */
  isRead?: boolean;
  /** Carried out once: with its retries it comes to the same state and answer as a single request, and so does another. */
  isExact: boolean;
  /** Statuses that a repetition without a key may get, since what it asks for is done already. */
  again?: readonly number[];
  /** What a repetition without a key may do over again. */
  leftOut?: readonly ('imports' | 'leases' | 'history')[];
  /** Calls are made to the end afterwards: by a dialer, or by Amazon Connect. */
  dials?: 'dialer' | 'connect';
};

/** What a request without a key is answered when it was carried out already. */
const again: Record<string, Pick<Scenario, 'again' | 'leftOut'>> = {
  addDataSource: { again: [409] },
  addContact: { again: [409] },
  deleteContact: { again: [404] },
  addTask: { again: [409] },
  publishTask: { again: [405] },
  pauseTask: { again: [405] },
  resumeTask: { again: [405] },
  stopTask: { again: [405] },
  closeTask: { again: [405] },
  failTask: { again: [405] },
  // The rows are there already, or another runner has them; the first import is run on by the sweep.
  batchImport: { again: [200], leftOut: ['imports'] },
  // The address that nobody got is given up after a day.
  importUpload: { again: [200], leftOut: ['imports'] },
  // Whom nobody was told of is free again when the lease ends.
  leaseCalls: { again: [200], leftOut: ['leases'] },
  // Asked for twice, it stands twice in the history; whoever waits already stays where they are.
  recallTask: { again: [200], leftOut: ['history'] },
};

const dialed = new Set([
  'leaseCalls',
  'reportResult',
  'recallTask',
  'publishTask',
  'resumeTask',
  'batchImport',
]);

const posting =
  (post: Post, key: string | undefined): Run =>
  (process) =>
    send(process, post, key);

const postScenarios = (route: Route): Scenario[] => {
  const common = {
    functionId: route.id,
    ...(dialed.has(route.id) ? { dials: 'dialer' as const } : {}),
  };
  return [
    {
      ...common,
      name: route.id,
      isExact: false,
      ...again[route.id],
      prepare: async (process) => posting(await aPost(process, route), undefined),
    },
    {
      ...common,
      name: `${route.id}, with a key`,
      isExact: true,
      ...(route.id === 'leaseCalls' ? { leftOut: ['leases'] as const } : {}),
      prepare: async (process) => posting(await aPost(process, route), 'a-key'),
    },
  ];
};

const csv = 'phoneNumber,plan\n13800138000,gold\n13800138001,silver\n13800138001,gold\nnone,gold\n';

/** A task that has been called a little, on a data source of an import with rejected rows. */
const aLivelyTask = async (process: FaultProcess) => {
  const { id: dataSourceId } = await process.aDataSource();
  const imported = await send(
    process,
    { path: `/api/dataSource/${dataSourceId}/contact/batchImport`, file: csv },
    undefined,
  );
  succeeded(imported);
  const { id } = await process.aTask({ dataSourceId, maxDialCount: 2, callInterval: 0 });
  succeeded(await process.post('/api/task/publish', { id }));
  const { calls } = succeeded(await process.post('/api/dialer/lease', { taskId: id, limit: 2 })) as never as {
    calls: { callId: string }[];
  };
  succeeded(await process.post('/api/dialer/result', { callId: calls[0]?.callId, outcome: 'failed' }));
  const [{ importId } = { importId: '' }] = succeeded(
    await process.get(`/api/dataSource/${dataSourceId}/contact/imports`),
  ).rows as never as { importId: string }[];
  return { id, dataSourceId, importId };
};

const queries: Record<string, string> = {
  listTasks: '?taskName=task',
  listDataSources: '?dataSourceName=source',
  listContacts: '?phoneNumber=138',
  taskTimeline: '?bucket=hour',
  exportTask: '?format=csv',
  batchExport: '?format=csv',
  rejectedRows: '?format=csv',
};

const getScenario = (route: Route): Scenario => ({
  name: route.id,
  functionId: route.id,
  isRead: true,
  isExact: true,
  prepare: async (process) => {
    const { id, dataSourceId, importId } = await aLivelyTask(process);
    const owner = route.path.startsWith('/api/task/') ? id : dataSourceId;
    const query = route.id === 'taskOverviews' ? `?ids=${id}` : (queries[route.id] ?? '');
    const path = route.path.replace('{id}', owner).replace('{importId}', importId);
    return (again) => again.get(`${path}${query}`);
  },
});

const invoking =
  (id: EventId, event?: unknown): Run =>
  async (process) => {
    await process.events[id](event);
    return undefined;
  };

const dropped = async (process: FaultProcess, world: World) => {
  const { id: dataSourceId } = await process.aDataSource();
  await process.aContact(dataSourceId, { phoneNumber: '13800138000' });
  const { id } = await process.aTask({ dataSourceId });
  succeeded(await process.post('/api/task/publish', { id }));
  const key = `imports/${dataSourceId}/contacts.csv`;
  await (await world.objects()).put(key, csv, 'text/csv');
  return { dataSourceId, key };
};

/** In the middle of an import: its rows are reserved, and not all written. */
const diesAt = 10;

const arrival = (key: string) => ({ detail: { object: { key, size: csv.length, sequencer: '1' } } });

/** A running task whose contacts have numbers that Connect takes. */
const aTaskForConnect = async (process: FaultProcess) => {
  const { id: dataSourceId } = await process.aDataSource();
  for (const phoneNumber of ['+13125550101', '+13125550102', '+13125550103'])
    await process.aContact(dataSourceId, { phoneNumber });
  const { id } = await process.aTask({ dataSourceId, maxDialCount: 1 });
  succeeded(await process.post('/api/task/publish', { id }));
};

/** Lambda sends records again of which one is reported; here all of them. */
const publishing =
  (Records: readonly unknown[]): Run =>
  async (process) => {
    const answer = (await process.events.publishEvents({ Records })) as { batchItemFailures: unknown[] };
    if (answer.batchItemFailures.length > 0) throw new Error('some are to be sent again');
    return undefined;
  };

const eventScenarios: Scenario[] = [
  {
    name: 'importFile, dropped',
    functionId: 'importFile',
    isExact: false,
    dials: 'dialer',
    prepare: async (process, world) => {
      const { key } = await dropped(process, world);
      return invoking('importFile', arrival(key));
    },
  },
  {
    name: 'importFile, uploaded',
    functionId: 'importFile',
    isExact: false,
    prepare: async (process, world) => {
      const { id } = await process.aDataSource();
      const upload = { fileName: 'contacts.csv', fileSize: csv.length, onDuplicate: 'update' };
      await process.aContact(id, { phoneNumber: '13800138000' });
      const { uploadUrl } = succeeded(
        await process.post(`/api/dataSource/${id}/contact/importUpload`, upload),
      ) as never as { uploadUrl: string };
      const key = decodeURIComponent(new URL(uploadUrl).pathname.split('/').slice(2).join('/'));
      await (await world.objects()).put(key, csv, 'text/csv');
      return invoking('importFile', arrival(key));
    },
  },
  {
    name: 'importFile, nowhere to',
    functionId: 'importFile',
    isExact: false,
    prepare: async (_process, world) => {
      const key = 'imports/nowhere/contacts.csv';
      await (await world.objects()).put(key, csv, 'text/csv');
      return invoking('importFile', arrival(key));
    },
  },
  {
    name: 'sweepImports',
    functionId: 'sweepImports',
    isExact: false,
    prepare: async (process, world) => {
      const { key } = await dropped(process, world);
      process.line.begin({ call: diesAt, fault: 'ended after' });
      void process.events.importFile(arrival(key));
      await process.line.ended;
      world.clock.advance(7 * 60);
      return invoking('sweepImports');
    },
  },
  {
    name: 'publishEvents',
    functionId: 'publishEvents',
    isExact: false,
    isRead: true,
    prepare: async (process, world) => {
      await aLivelyTask(process);
      const images = ({ before, after }: World['changes'][number], i: number) => ({
        dynamodb: {
          OldImage: before,
          NewImage: after,
          SequenceNumber: String(i),
          ApproximateCreationDateTime: 1,
        },
      });
      return publishing(world.changes.map(images));
    },
  },
  {
    name: 'pumpCalls',
    functionId: 'pumpCalls',
    isExact: false,
    leftOut: ['leases'],
    dials: 'connect',
    prepare: async (process) => {
      await aTaskForConnect(process);
      return invoking('pumpCalls');
    },
  },
  {
    name: 'connectResults',
    functionId: 'connectResults',
    isExact: false,
    dials: 'connect',
    prepare: async (process) => {
      await aTaskForConnect(process);
      await process.events.pumpCalls();
      return invoking('connectResults', contactEvent({ contactId: 'contact-1' }));
    },
  },
];

export const scenarios: readonly Scenario[] = [
  ...allRoutes.flatMap((route) => (route.method === 'POST' ? postScenarios(route) : [getScenario(route)])),
  ...eventScenarios,
];
