import type { Route } from '../../../shared/platform/api/route.ts';
import { exampleOf } from '../../../shared/platform/api/schemas.ts';
import { type Api, succeeded } from './api.ts';

/**
 * One request of a route, ready to be sent as often as wanted. With a file, `body` has the fields
 * of its form.
 */
export type Post = { path: string; body?: unknown; file?: string };

let built = 0;
/** More calls than are made here: that they are counted is what may go wrong. */
const pace = { maxConcurrentCalls: 50, callsPerMinute: 500 };

const aRunningTask = (api: Api, contacts: number) => api.aTaskOf(contacts, { maxDialCount: 1, ...pace });

type Call = { callId: string; contactId: string; phoneNumber: string };
const leased = async (api: Api, taskId: string, limit = 10) =>
  succeeded(await api.post('/api/dialer/lease', { taskId, limit })).calls as Call[];

/** A name that leads nowhere: what is sent to it fails. */
const receiverUrl = 'https://receiver.invalid/hook';
const aWebhook = async (api: Api) =>
  succeeded(await api.post('/api/webhook/add', { url: receiverUrl, types: ['task.deleted'] })).id as string;

/** What makes each route do something, and do it only once. */
const scenarios: Record<string, (api: Api) => Promise<Post>> = {
  addDataSource: async () => ({ path: '/api/dataSource/add', body: { dataSourceName: `once ${++built}` } }),
  updateDataSource: async (api) => {
    const { id } = await api.aDataSource();
    return { path: '/api/dataSource/update', body: { id, dataSourceName: `renamed once ${++built}` } };
  },
  deleteDataSource: async (api) => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { plan: 'gold' });
    return { path: '/api/dataSource/delete', body: { id } };
  },
  addContact: async (api) => {
    const { id } = await api.aDataSource();
    return { path: `/api/dataSource/${id}/contact/add`, body: { phoneNumber: '13800138000', plan: 'gold' } };
  },
  updateContact: async (api) => {
    const { id } = await api.aDataSource();
    const { id: contactId } = await api.aContact(id);
    return {
      path: `/api/dataSource/${id}/contact/update`,
      body: { contactId, phoneNumber: '13800138001', plan: 'gold' },
    };
  },
  deleteContact: async (api) => {
    const { id } = await api.aDataSource();
    const { id: contactId } = await api.aContact(id);
    return { path: `/api/dataSource/${id}/contact/delete`, body: { contactId } };
  },
  batchAdd: async (api) => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: '13800138002' });
    const contacts = [
      { phoneNumber: '13800138000', plan: 'gold' },
      { phoneNumber: '13800138002', plan: 'silver' },
      { plan: 'gold' },
    ];
    return { path: `/api/dataSource/${id}/contact/batchAdd`, body: { contacts } };
  },
  batchDelete: async (api) => {
    const { id } = await api.aDataSource();
    for (const phoneNumber of ['13800138000', '13800138001', '13800138002'])
      await api.aContact(id, { phoneNumber });
    const phoneNumbers = ['13800138000', '13800138002', '13800138009'];
    return { path: `/api/dataSource/${id}/contact/batchDelete`, body: { phoneNumbers } };
  },
  findPerson: async (api) => {
    const { id } = await aRunningTask(api, 2);
    const [call] = await leased(api, id);
    return { path: '/api/contact/find', body: { phoneNumber: call?.phoneNumber } };
  },
  erasePerson: async (api) => {
    const { id } = await aRunningTask(api, 2);
    const [call, other] = await leased(api, id);
    await api.aContact('do-not-call', { phoneNumber: call?.phoneNumber, customerName: 'Li Wei' });
    await api.aContact((await api.aDataSource()).id, { phoneNumber: call?.phoneNumber });
    for (const { callId } of [call, other] as Call[])
      succeeded(await api.post('/api/dialer/result', { callId, outcome: 'failed', duration: 7 }));
    return { path: '/api/contact/erase', body: { phoneNumber: call?.phoneNumber } };
  },
  batchImport: async (api) => {
    const { id } = await api.aDataSource();
    const file = 'phoneNumber,plan\n13800138000,gold\n13800138001,silver\nnone,gold\n';
    return { path: `/api/dataSource/${id}/contact/batchImport`, file };
  },
  importPreview: async (api) => {
    const { id } = await api.aDataSource();
    return { path: `/api/dataSource/${id}/contact/importPreview`, file: 'phoneNumber\n13800138000\n' };
  },
  filePreview: async () => ({ path: '/api/contact/importPreview', file: 'phoneNumber\n13800138000\n' }),
  importUpload: async (api) => {
    const { id } = await api.aDataSource();
    return {
      path: `/api/dataSource/${id}/contact/importUpload`,
      body: { fileName: 'contacts.csv', fileSize: 100 },
    };
  },
  cancelImport: async (api) => {
    const { id } = await api.aDataSource();
    const upload = { fileName: 'contacts.csv', fileSize: 100 };
    const { importId } = succeeded(await api.post(`/api/dataSource/${id}/contact/importUpload`, upload));
    return { path: `/api/dataSource/${id}/contact/import/${importId}/cancel`, body: {} };
  },
  addTask: async (api) => {
    const { id: dataSourceId } = await api.aDataSource();
    return { path: '/api/task/add', body: { taskName: `once ${++built}`, dataSourceId } };
  },
  updateTask: async (api) => {
    const { id } = await api.aTask();
    return { path: '/api/task/update', body: { id, taskName: `renamed once ${++built}`, priority: 1 } };
  },
  adjustTask: async (api) => ({
    path: '/api/task/adjust',
    body: { id: (await api.aTaskIn(1)).id, weekdays: [1, 2, 3], callUntil: '2090-01-01 00:00' },
  }),
  publishTask: async (api) => ({ path: '/api/task/publish', body: { id: (await api.aTaskIn(0)).id } }),
  pauseTask: async (api) => ({ path: '/api/task/pause', body: { id: (await api.aTaskIn(1)).id } }),
  resumeTask: async (api) => ({ path: '/api/task/resume', body: { id: (await api.aTaskIn(2)).id } }),
  stopTask: async (api) => ({ path: '/api/task/stop', body: { id: (await api.aTaskIn(1)).id, reason: 'x' } }),
  closeTask: async (api) => ({ path: '/api/task/close', body: { id: (await api.aTaskIn(3)).id } }),
  preflightTask: async (api) => {
    const { id, dataSourceId } = await aRunningTask(api, 2);
    const { phoneNumber } = await api.aContact(String(dataSourceId));
    await api.aContact('do-not-call', { phoneNumber });
    return { path: '/api/task/preflight', body: { id } };
  },
  deleteTask: async (api) => ({ path: '/api/task/delete', body: { id: (await api.aTaskIn(6)).id } }),
  failTask: async (api) => {
    const { id: taskId } = await api.aTaskIn(1);
    return { path: '/api/dialer/fail', body: { taskId, reason: 'the trunk is gone' } };
  },
  leaseCalls: async (api) => {
    const { id: taskId } = await aRunningTask(api, 3);
    return { path: '/api/dialer/lease', body: { taskId, limit: 2 } };
  },
  reportResult: async (api) => {
    const { id } = await aRunningTask(api, 2);
    const [call] = await leased(api, id);
    return { path: '/api/dialer/result', body: { callId: call?.callId, outcome: 'failed', duration: 7 } };
  },
  reportResults: async (api) => {
    // One contact is left to call: which result completes a task depends on the order in which they
    // are counted.
    const { id } = await aRunningTask(api, 4);
    const calls = await leased(api, id, 3);
    const results = calls.map(({ callId }, at) => ({ callId, outcome: at === 0 ? 'success' : 'failed' }));
    return { path: '/api/dialer/results', body: { results } };
  },
  releaseCall: async (api) => {
    const { id } = await aRunningTask(api, 2);
    const [call] = await leased(api, id);
    return { path: '/api/dialer/release', body: { callId: call?.callId, waitSeconds: 60 } };
  },
  annotateCall: async (api) => {
    const { id } = await aRunningTask(api, 2);
    const [call] = await leased(api, id);
    succeeded(await api.post('/api/dialer/result', { callId: call?.callId, outcome: 'success' }));
    const learned = { disposition: 'promised', data: { paysOn: 'Friday' }, doNotCall: true };
    return { path: '/api/dialer/annotate', body: { callId: call?.callId, ...learned } };
  },
  addWebhook: async () => ({ path: '/api/webhook/add', body: { url: receiverUrl, types: ['task.deleted'] } }),
  updateWebhook: async (api) => ({
    path: '/api/webhook/update',
    body: { id: await aWebhook(api), description: 'CRM', newSecret: true },
  }),
  deleteWebhook: async (api) => ({ path: '/api/webhook/delete', body: { id: await aWebhook(api) } }),
  sendToWebhook: async (api) => ({
    path: '/api/webhook/send',
    body: { id: await aWebhook(api), test: true },
  }),
  extendLease: async (api) => {
    const { id } = await aRunningTask(api, 2);
    const [call] = await leased(api, id);
    return { path: '/api/dialer/extend', body: { callId: call?.callId, leaseSeconds: 600 } };
  },
  recallTask: async (api) => {
    const { id } = await aRunningTask(api, 3);
    const calls = await leased(api, id);
    for (const { callId } of calls) {
      succeeded(await api.post('/api/dialer/result', { callId, outcome: 'failed' }));
    }
    const contactIds = calls.slice(0, 2).map(({ contactId }) => contactId);
    return { path: `/api/task/${id}/recall`, body: { contactIds } };
  },
};

/** A result with what the person asked for. */
export const resultWith =
  (wish: object) =>
  async (api: Api): Promise<Post> => {
    const { path, body } = await scenarios.reportResult!(api);
    return { path, body: { ...(body as object), ...wish } };
  };

/** An erasure of a person who is in a call. */
export const erasureInCall = async (api: Api): Promise<Post> => {
  const { id } = await aRunningTask(api, 2);
  const [call] = await leased(api, id);
  return { path: '/api/contact/erase', body: { phoneNumber: call?.phoneNumber } };
};

/** A batch that updates the contacts it finds. */
export const updatingBatch = async (api: Api): Promise<Post> => {
  const { path, body } = await scenarios.batchAdd!(api);
  return { path, body: { ...(body as object), onDuplicate: 'update' } };
};

/** A recall of every contact that failed. */
export const recallOfAll = async (api: Api): Promise<Post> => {
  const { path } = await scenarios.recallTask!(api);
  return { path, body: {} };
};

const unknownId = '0'.repeat(16);

/** A request that does something or, for a route without a scenario, is at least answered. */
export const aPost = async (api: Api, route: Route): Promise<Post> => {
  const scenario = scenarios[route.id];
  if (scenario !== undefined) return scenario(api);
  const path = route.path.replaceAll(/\{\w+\}/g, unknownId);
  return route.upload === undefined
    ? { path, body: exampleOf(route.body as object) }
    : { path, file: 'phoneNumber\n' };
};

/** Sends it; a form gets a boundary of its own each time, as clients do it. */
export const send = (
  api: Api,
  { path, body, file }: Post,
  key: string | undefined,
  more: Record<string, string> = {},
) => {
  const keyed = { ...(key === undefined ? {} : { 'idempotency-key': key }), ...more };
  if (file === undefined) {
    const headers = { 'content-type': 'application/json', ...keyed };
    return api.send({ method: 'POST', path, headers, body: JSON.stringify(body) });
  }
  const boundary = `form${++built}`;
  const fields = Object.entries(body ?? {}).map(([name, value]) => [`name="${name}"`, String(value)]);
  const parts = [...fields, ['name="file"; filename="contacts.csv"', file]].map(
    ([name, content]) => `--${boundary}\r\nContent-Disposition: form-data; ${name}\r\n\r\n${content}\r\n`,
  );
  return api.send({
    method: 'POST',
    path,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...keyed },
    body: `${parts.join('')}--${boundary}--\r\n`,
  });
};
