import { allRoutes } from '../../../shared/app/all-routes.ts';
import type { Route } from '../../../shared/platform/api/index.ts';
import { sizeOf } from '../run/extent.ts';
import {
  aPost,
  erasureInCall,
  type Post,
  recallOfAll,
  resultWith,
  send,
  updatingBatch,
} from '../service/post-scenarios.ts';
import { eventScenarios } from './event-scenarios.ts';
import { importScenarios } from './import-scenarios.ts';
import {
  aBrakingResult,
  aLeaseAfterTheEnd,
  aLeaseOfAnyTask,
  aLivelyTask,
  anOpeningAdjust,
} from './lively-task.ts';
import { madeOnce, type Run, type Scenario } from './scenario.ts';

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
  deleteTask: { again: [404] },
  deleteDataSource: { again: [404] },
  failTask: { again: [405] },
  releaseCall: { again: [409] },
  // The rows are there already, or another runner has them; the first import is run on by the sweep.
  batchImport: { again: [200], leftOut: ['imports'] },
  batchAdd: { again: [200], leftOut: ['imports'] },
  batchDelete: { again: [200] },
  // The first request may have erased the person, or the schedule finishes it.
  erasePerson: { again: [200] },
  // The address that nobody got is given up after a day.
  importUpload: { again: [200], leftOut: ['imports'] },
  // Whom nobody was told of is free again when the lease ends.
  leaseCalls: { again: [200], leftOut: ['leases'] },
  // Asked for twice, it stands twice in the history; whoever waits already stays where they are.
  recallTask: { leftOut: ['history'] },
  updateTask: { leftOut: ['history'] },
  adjustTask: { leftOut: ['history'] },
  // Asked for twice, there are two webhooks or two new secrets.
  addWebhook: { leftOut: ['webhooks'] },
  updateWebhook: { leftOut: ['webhooks'] },
  deleteWebhook: { again: [404] },
};

const dialed = new Set([
  'leaseCalls',
  'reportResult',
  'reportResults',
  'releaseCall',
  'extendLease',
  'recallTask',
  'publishTask',
  'resumeTask',
  'batchImport',
]);

const posting =
  (key: string | undefined) =>
  (post: Post): Run =>
  (process) =>
    send(process, post, key);

const postScenarios = (route: Route): Scenario[] => {
  const common = {
    functionId: route.id,
    ...(dialed.has(route.id) ? { dials: 'dialer' as const } : {}),
  };
  const before = madeOnce((process) => aPost(process, route));
  return [
    {
      ...common,
      name: route.id,
      isExact: false,
      ...again[route.id],
      prepare: () => before(posting(undefined)),
    },
    {
      ...common,
      name: `${route.id}, with a key`,
      isExact: true,
      atOnce: sizeOf(10, 50),
      ...(route.id === 'leaseCalls' ? { leftOut: ['leases'] as const } : {}),
      prepare: () => before(posting('a-key')),
    },
  ];
};

const queries: Record<string, string> = {
  listTasks: '?taskName=task',
  listDataSources: '?dataSourceName=source',
  listContacts: '?phoneNumber=138',
  taskTimeline: '?bucket=hour',
  exportTask: '?format=csv',
  preflightBlocked: '?format=csv',
  batchExport: '?format=csv',
  rejectedRows: '?format=csv',
};

const lively = madeOnce(aLivelyTask);

const getScenario = (route: Route): Scenario => ({
  name: route.id,
  functionId: route.id,
  isExact: true,
  prepare: () =>
    lively(({ id, dataSourceId, contactId, callId, importId, webhookId }) => {
      const owners: Record<string, string> = { task: id, webhook: webhookId };
      const owner = owners[route.path.split('/')[2]!] ?? dataSourceId;
      const query = route.id === 'taskOverviews' ? `?ids=${id}` : (queries[route.id] ?? '');
      const path = route.path
        .replace('{id}', owner)
        .replace('{contactId}', contactId)
        .replace('{callId}', callId)
        .replace('{importId}', importId);
      return (process) => process.get(`${path}${query}`);
    }),
});

/** Longer ways through a function than its usual request takes. */
export const longerWays: Scenario[] = [
  ...importScenarios,
  {
    name: 'leaseCalls, of any task',
    functionId: 'leaseCalls',
    isExact: false,
    ...again.leaseCalls,
    dials: 'dialer',
    prepare: () => madeOnce(aLeaseOfAnyTask)(posting(undefined)),
  },
  {
    name: 'adjustTask, of deferred contacts',
    functionId: 'adjustTask',
    isExact: false,
    ...again.adjustTask,
    prepare: () => madeOnce(anOpeningAdjust)(posting(undefined)),
  },
  {
    name: 'erasePerson, in a call',
    functionId: 'erasePerson',
    isExact: true,
    dials: 'dialer',
    prepare: () => madeOnce(erasureInCall)(posting('a-key')),
  },
  {
    name: 'batchAdd, of updates',
    functionId: 'batchAdd',
    isExact: true,
    prepare: () => madeOnce(updatingBatch)(posting('a-key')),
  },
  {
    name: 'recallTask, of all that failed',
    functionId: 'recallTask',
    isExact: true,
    dials: 'dialer',
    prepare: () => madeOnce(recallOfAll)(posting('a-key')),
  },
];

/** A result that leads to more writes than the usual one. */
const wishes: Scenario[] = [
  ['a callback', { callbackTime: '2026-05-04 10:00:00' }],
  ['not to be called', { doNotCall: true }],
].map(([wish, body]) => ({
  name: `reportResult, ${wish}`,
  functionId: 'reportResult',
  isExact: true,
  dials: 'dialer',
  prepare: () => madeOnce(resultWith(body as object))(posting(undefined)),
}));

/** Requests with which the service ends or pauses a task by itself. */
const ends: Scenario[] = [
  {
    name: 'reportResult, the last straw',
    functionId: 'reportResult',
    isExact: true,
    prepare: () => madeOnce(aBrakingResult)(posting(undefined)),
  },
  {
    name: 'leaseCalls, the dates are over',
    functionId: 'leaseCalls',
    isExact: false,
    prepare: () => madeOnce(aLeaseAfterTheEnd)(posting(undefined)),
  },
];

export const scenarios: readonly Scenario[] = [
  ...allRoutes.flatMap((route) => (route.method === 'POST' ? postScenarios(route) : [getScenario(route)])),
  ...wishes,
  ...ends,
  ...eventScenarios,
];
