import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { issueToken, signingKey } from '../../../local/tokens/local-tokens.ts';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { expectError, startApi, succeeded, useApi } from '../../support/service/api.ts';
import { send } from '../../support/service/post-scenarios.ts';

describe('a request with an Idempotency-Key', () => {
  const api = useApi();
  const add = (dataSourceName: string, key: string) =>
    send(api, { path: '/api/dataSource/add', body: { dataSourceName } }, key);

  it('gets the first answer with an id of its own for the log', async () => {
    const key = randomUUID();
    const [first, second] = [await add('kept', key), await add('kept', key)];
    expect(succeeded(second)).toEqual(succeeded(first));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(succeeded(await api.get('/api/dataSource/list', { dataSourceName: 'kept' })).total).toBe(1);
  });

  it('is refused again as the first time, whatever has changed since', async () => {
    const key = randomUUID();
    const { id } = succeeded(await add('taken', randomUUID()));
    expectError(await add('taken', key), 409, /already exists/);
    succeeded(await api.post('/api/dataSource/update', { id, dataSourceName: 'free again' }));
    const again = await add('taken', key);
    expectError(again, 409, /already exists/);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is carried out when it is sent again after an answer that said "later"', async () => {
    const dialing = new DialingApi(api);
    const { id } = await dialing.aRunningTask(1);
    const [call] = await dialing.lease({ taskId: id });
    succeeded(await dialing.operate('stop', id));
    const key = randomUUID();
    const close = () => send(api, { path: '/api/task/close', body: { id } }, key);
    expectError(await close(), 405, /1 call is in progress/);
    await dialing.report(call!.callId, 'success');
    const closed = await close();
    expect(succeeded(closed)).toEqual({ id, status: 6 });
    expect(closed.headers.get('idempotent-replayed')).toBeNull();
  });

  it('is 422 with another body, and another request with another key or at another path', async () => {
    const key = randomUUID();
    succeeded(await add('one body', key));
    expectError(await add('another body', key), 422, /Idempotency-Key/);
    expectError(await add('one body', randomUUID()), 409, /already exists/);
    const { id } = await api.aDataSource();
    const contact = { path: `/api/dataSource/${id}/contact/add`, body: { phoneNumber: '13800138000' } };
    succeeded(await send(api, contact, key));
    const other = await api.aDataSource();
    const path = contact.path.replace(id, other.id);
    expect(succeeded(await send(api, { ...contact, path }, key)).dataSourceId).toBe(other.id);
  });

  it('is 422 with another file, also where the files differ only by the text of the boundary', async () => {
    const { id } = await api.aDataSource();
    const formOf = (boundary: string, note: string) => {
      const part = 'Content-Disposition: form-data; name="file"; filename="contacts.csv"';
      const file = `phoneNumber,note\n13800138000,${note}\n`;
      return `--${boundary}\r\n${part}\r\n\r\n${file}\r\n--${boundary}--\r\n`;
    };
    const key = randomUUID();
    const imported = (boundary: string, note: string) =>
      api.send({
        method: 'POST',
        path: `/api/dataSource/${id}/contact/batchImport`,
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"`, 'idempotency-key': key },
        body: formOf(boundary, note),
      });
    succeeded(await imported('vip', 'a vip'));
    expectError(await imported('vip', 'a '), 422, /Idempotency-Key/);
    expectError(await imported('other', 'a '), 422, /Idempotency-Key/);
    expectError(await imported('vip', 'a \r\n--vipvip'), 422, /Idempotency-Key/);
    for (const again of [await imported('other', 'a vip'), await imported('the third', 'a vip')]) {
      succeeded(again);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('is 422 with another beginning of a body that is called a form and is none', async () => {
    const key = randomUUID();
    const headers = { 'content-type': 'multipart/form-data; boundary=0123456789' };
    const added = (name: string) =>
      send(
        api,
        { path: '/api/dataSource/add', body: { [name]: 1, dataSourceName: 'no form' } },
        key,
        headers,
      );
    succeeded(await added('a'));
    expectError(await added('b'), 422, /Idempotency-Key/);
  });

  it.each([
    ['', 'BAD_FORMAT'],
    ['two words', 'BAD_FORMAT'],
    ['tab\there', 'BAD_FORMAT'],
    ['schl\u00fcssel', 'BAD_FORMAT'],
    ['x'.repeat(256), 'TOO_LONG'],
  ])('with the key %j is 400 naming the header', async (key, code) => {
    const { status, body } = await add('never', key);
    expect({ status, errors: body.data.errors }).toMatchObject({
      status: 400,
      errors: [{ field: 'Idempotency-Key', code }],
    });
    expect(succeeded(await api.get('/api/dataSource/list', { dataSourceName: 'never' })).total).toBe(0);
  });

  it('may have a key of 255 characters', async () => {
    succeeded(await add('a long key', '~'.repeat(255)));
  });

  it('is kept for its caller only', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'outbound-callers-'));
    const both = await startApi({ dataDir });
    const signing = await signingKey(dataDir);
    const person = (username: string) => ({ username, 'cognito:groups': ['operators'] });
    const as = (claims: object) => ({
      authorization: `Bearer ${issueToken(signing, 'openid', 600, Date.now(), claims)}`,
    });
    const post = { path: '/api/dataSource/add', body: { dataSourceName: 'of one caller' } };
    const key = randomUUID();
    const { id } = succeeded(await send(both, post, key, as(person('ann'))));
    // The service's own token, another person, and the same name at another client.
    const others = [
      {},
      as(person('bob')),
      as({ ...person('ann'), client_id: 'another', aud: 'local-client' }),
    ];
    for (const headers of others)
      expectError(await send(both, post, key, headers), 409, /name already exists/);
    expect(succeeded(await send(both, post, key, as(person('ann')))).id).toBe(id);
    await both.stop();
    await rm(dataDir, { recursive: true });
  });

  it('is another request a day later, also to import', async () => {
    const { id } = await api.aDataSource();
    const post = { path: `/api/dataSource/${id}/contact/batchImport`, file: 'phoneNumber\n13800138000\n' };
    const key = randomUUID();
    expect(succeeded(await send(api, post, key))).toMatchObject({ successCount: 1 });
    const { now } = Date;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 25 * 3_600_000);
    try {
      expect(succeeded(await send(api, post, key))).toMatchObject({ successCount: 0, failCount: 1 });
    } finally {
      clock.mockRestore();
    }
    expect(succeeded(await api.get(`/api/dataSource/${id}/contact/imports`)).total).toBe(2);
  });

  it('of a GET is just answered', async () => {
    const headers = { 'idempotency-key': 'two words' };
    succeeded(await api.send({ path: '/api/dataSource/list', headers }));
  });
});
