import { allRoutes } from '../../../shared/app/all-routes.ts';
import type { Route } from '../../../shared/platform/api/route.ts';
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
import type { FaultProcess } from './fault-process.ts';
import { importScenarios } from './import-scenarios.ts';
import {
  aBrakingResult,
  aLeaseAfterTheEnd,
  aLeaseOfAnyTask,
  aLivelyTask,
  anOpeningAdjust,
} from './lively-task.ts';
import { madeOnce, type Run, type Scenario, scenariosOf } from './scenario.ts';

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
  // The rows are there already, or another runner has them; the first import is run on by the
  // sweep.
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

const posted =
  (make: (process: FaultProcess) => Promise<Post>, key?: string) => async (process: FaultProcess) =>
    posting(key)(await make(process));

/** Longer ways through a function than its usual request takes. */
export const longerWays: Scenario[] = [
  ...importScenarios,
  ...scenariosOf({
    'leaseCalls, of any task': { ...again.leaseCalls, dials: 'dialer', act: posted(aLeaseOfAnyTask) },
    'adjustTask, of deferred contacts': { ...again.adjustTask, act: posted(anOpeningAdjust) },
    'erasePerson, in a call': { isExact: true, dials: 'dialer', act: posted(erasureInCall, 'a-key') },
    'batchAdd, of updates': { isExact: true, act: posted(updatingBatch, 'a-key') },
    'recallTask, of all that failed': { isExact: true, dials: 'dialer', act: posted(recallOfAll, 'a-key') },
  }),
];

const callback = resultWith({ callbackTime: '2026-05-04 10:00:00' });
const notToBeCalled = resultWith({ doNotCall: true });

const unusual = scenariosOf({
  // A result that leads to more writes than the usual one.
  'reportResult, a callback': { isExact: true, dials: 'dialer', act: posted(callback) },
  'reportResult, not to be called': { isExact: true, dials: 'dialer', act: posted(notToBeCalled) },
  // Requests with which the service ends or pauses a task by itself.
  'reportResult, the last straw': { isExact: true, act: posted(aBrakingResult) },
  'leaseCalls, the dates are over': { act: posted(aLeaseAfterTheEnd) },
});

export const scenarios: readonly Scenario[] = [
  ...allRoutes.flatMap((route) => (route.method === 'POST' ? postScenarios(route) : [getScenario(route)])),
  ...unusual,
  ...eventScenarios,
];
