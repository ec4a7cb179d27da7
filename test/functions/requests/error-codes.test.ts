import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ErrorWord } from '../../../shared/platform/rules/errors.ts';
import { formOf, sendForm } from '../../support/files/contact-files.ts';
import type { Answer } from '../../support/service/answers.ts';
import { useApi } from '../../support/service/api.ts';

const noId = '0'.repeat(16);
let time = Date.parse('2026-05-01T10:00:00Z');

/**
 * Every answer of `api` is checked for its word by the route's declaration; here each situation has
 * its own.
 */
describe('X-Error-Code', () => {
  const api = useApi({ now: () => time });
  const keyed = (path: string, body: object, key: string) =>
    api.send({ method: 'POST', path, headers: { 'idempotency-key': key }, body: JSON.stringify(body) });
  const importOf = (id: string, content: string) =>
    sendForm(api, id, formOf([{ name: 'file', fileName: 'x.csv', content }]));

  const aLease = async () => {
    const { id: taskId } = await api.aTaskOf(1, { callInterval: 0 });
    const { body } = await api.post('/api/dialer/lease', { taskId, limit: 1, leaseSeconds: 10 });
    const [call] = body.data.calls as { callId: string }[];
    return { taskId, callId: call?.callId };
  };
  const report = (callId: string | undefined, outcome: string) =>
    api.post('/api/dialer/result', { callId, outcome });

  const situations: Partial<Record<ErrorWord, () => Promise<Answer>>> = {
    INVALID: () => api.get('/api/task/list', { pageNum: 'x' }),
    UNAUTHENTICATED: () => api.send({ path: '/api/task/list', headers: { authorization: 'Bearer no' } }),
    PATH_NOT_FOUND: () => api.get('/api/nothing'),
    TASK_NOT_FOUND: () => api.get(`/api/task/${noId}/stat`),
    DATA_SOURCE_NOT_FOUND: () => api.get('/api/dataSource/detail/no id'.replace(' ', '%20')),
    CONTACT_NOT_FOUND: async () => {
      const { id } = await api.aDataSource();
      return api.post(`/api/dataSource/${id}/contact/delete`, { contactId: `${id}-zz` });
    },
    IMPORT_NOT_FOUND: async () => {
      const { id } = await api.aDataSource();
      return api.get(`/api/dataSource/${id}/contact/import/${noId}`);
    },
    CALL_NOT_FOUND: () => report('no call', 'success'),
    METHOD_NOT_ALLOWED: () => api.send({ method: 'DELETE', path: '/api/task/list' }),
    TASK_STATE: async () => api.post('/api/task/publish', { id: (await api.aTaskIn(1)).id }),
    CALLS_IN_PROGRESS: async () => {
      const { taskId } = await aLease();
      await api.post('/api/task/stop', { id: taskId });
      return api.post('/api/task/close', { id: taskId });
    },
    DATA_SOURCE_FIXED: () => api.post('/api/dataSource/update', { id: 'do-not-call', dataSourceDesc: 'x' }),
    NAME_TAKEN: async () => {
      const { dataSourceName } = await api.aDataSource();
      return api.post('/api/dataSource/add', { dataSourceName });
    },
    PHONE_NUMBER_TAKEN: async () => {
      const { id } = await api.aDataSource();
      const { phoneNumber } = await api.aContact(id);
      return api.post(`/api/dataSource/${id}/contact/add`, { phoneNumber });
    },
    ALREADY_REPORTED: async () => {
      const { callId } = await aLease();
      await report(callId, 'success');
      return report(callId, 'failed');
    },
    LEASE_LOST: async () => {
      const { taskId, callId } = await aLease();
      time += 11_000;
      await api.post('/api/dialer/lease', { taskId });
      return report(callId, 'success');
    },
    TASK_CLOSED: async () => {
      const { taskId, callId } = await aLease();
      await api.post('/api/task/stop', { id: taskId });
      time += 11_000;
      await api.post('/api/task/close', { id: taskId });
      return report(callId, 'success');
    },
    IMPORT_RUNNING: async () => {
      const { id } = await api.aDataSource();
      const path = `/api/dataSource/${id}/contact`;
      const { body } = await api.post(`${path}/importUpload`, { fileName: 'x.csv', fileSize: 9 });
      return api.get(`${path}/import/${body.data.importId}/rejected`);
    },
    TOO_LARGE: () => api.postText('/api/dataSource/add', ' '.repeat(300 * 1024)),
    FILE_TOO_LARGE: async () => importOf((await api.aDataSource()).id, `phone\r\n${'1\r\n'.repeat(10_001)}`),
    KEY_REUSED: async () => {
      const key = randomUUID();
      await keyed('/api/dataSource/add', { dataSourceName: `one ${key}` }, key);
      return keyed('/api/dataSource/add', { dataSourceName: `another ${key}` }, key);
    },
  };

  it.each(Object.entries(situations))('is %s', async (word, answer) => {
    expect((await answer()).headers.get('x-error-code')).toBe(word);
  });

  it('belongs to a repeated refusal as to the first', async () => {
    const { dataSourceName } = await api.aDataSource();
    const key = randomUUID();
    for (const replayed of [null, 'true']) {
      const { status, headers } = await keyed('/api/dataSource/add', { dataSourceName }, key);
      expect([status, headers.get('idempotent-replayed')]).toEqual([409, replayed]);
      expect(headers.get('x-error-code')).toBe('NAME_TAKEN');
    }
  });

  it('is not on a success', async () => {
    expect((await api.get('/api/task/list')).headers.get('x-error-code')).toBeNull();
  });
});
