import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken, signingKey } from '../../../local/tokens/local-tokens.ts';
import { type Api, expectError, startApi, succeeded } from '../../support/service/api.ts';
import { addWebhook, webhookRow } from '../../support/service/webhook-receiver.ts';

const url = 'https://receiver.example.com/hook';

describe('webhooks', () => {
  let api: Api;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'outbound-webhooks-'));
  beforeAll(async () => {
    api = await startApi({ dataDir });
  });
  afterAll(async () => {
    await api.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('are added, listed without their secret, changed and deleted', async () => {
    const { id: taskId } = await api.aTask();
    const settings = { url, types: ['call.ended'], taskIds: [taskId], description: 'CRM' };
    const added = await addWebhook(api, settings);
    expect(added.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const row = {
      ...{ ...settings, id: added.id, expandCall: false, enabled: true, state: 'ok', disabledReason: null },
      ...{ lastDeliveryTime: null, failedCount: 0, waitingCount: 0 },
    };
    expect(await webhookRow(api, added.id)).toEqual(row);
    const changes = { id: added.id, taskIds: [], expandCall: true, enabled: false };
    expect(succeeded(await api.post('/api/webhook/update', changes))).toEqual({ id: added.id });
    expect(await webhookRow(api, added.id)).toEqual({ ...row, ...changes, state: 'disabled' });
    const { secret } = succeeded(await api.post('/api/webhook/update', { id: added.id, newSecret: true }));
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(added.secret);
    expect(succeeded(await api.post('/api/webhook/delete', { id: added.id }))).toBeNull();
    expect(await webhookRow(api, added.id)).toBeUndefined();
  });

  it('are shown to readers without what may be a secret in their address', async () => {
    const secretive = `${url}?key=s3cret#top`;
    const { id } = await addWebhook(api, { url: secretive });
    const key = await signingKey(dataDir);
    const urlFor = async (...scopes: string[]) => {
      const token = await issueToken(key, scopes.join(' '), 600, Date.now());
      const headers = { authorization: `Bearer ${token}` };
      const answer = await api.send({ path: '/api/webhook/list', headers });
      return (succeeded(answer).rows as { id: string; url: string }[]).find((row) => row.id === id)?.url;
    };
    expect(await urlFor('outbound/read')).toBe(url);
    expect(await urlFor('outbound/read', 'outbound/dial')).toBe(url);
    expect(await urlFor('outbound/read', 'outbound/write')).toBe(secretive);
  });

  it('refuse bad input, naming the field', async () => {
    const { id } = await addWebhook(api, { url });
    const refused: [path: string, body: object, field: string][] = [
      ['add', {}, 'url'],
      ['add', { url: 'http://receiver.example.com' }, 'url'],
      ['add', { url: 'https://10.0.0.1/hook' }, 'url'],
      ['add', { url: 'https://user:word@receiver.example.com' }, 'url'],
      ['add', { url, types: ['call.began'] }, 'types.0'],
      ['add', { url, types: [] }, 'types'],
      ['add', { url, taskIds: ['0000000000000000'] }, 'taskIds'],
      ['add', { url, secret: 'of-my-own' }, 'secret'],
      ['add', { url, description: 'x'.repeat(201) }, 'description'],
      ['update', { id, url: 'https://[::1]:5/hook/x', enabled: 'yes' }, 'enabled'],
      ['update', { id, url: 'https://169.254.169.254/' }, 'url'],
      ['update', { id, taskIds: ['unknown'] }, 'taskIds'],
      ['update', { id, name: 'CRM' }, 'name'],
      ['send', { id }, 'body'],
      ['send', { id, test: true, eventIds: ['x'] }, 'body'],
      ['send', { id, eventIds: ['of-no-event'] }, 'eventIds'],
      ['send', { id, from: '2026-05-01 00:00:00' }, 'to'],
      ['send', { id, from: '2026-05-01 00:00:00', to: '2026-05-01 00:00:00' }, 'to'],
      ['send', { id, from: '2026-02-30 00:00:00', to: '2026-05-01 00:00:00' }, 'from'],
    ];
    for (const [path, body, field] of refused) {
      const answer = await api.post(`/api/webhook/${path}`, body);
      expectError(answer, 400, new RegExp(field));
      const { errors } = answer.body.data as unknown as { errors: { field: string }[] };
      expect([body, errors.map((each) => each.field)]).toEqual([body, [field]]);
    }
    expectError(await api.get(`/api/webhook/${id}/deliveries`, { status: '200' }), 400, /status/);
    for (const unknown of ['0000000000000000', 'x']) {
      for (const path of ['update', 'delete', 'send'])
        expectError(
          await api.post(`/api/webhook/${path}`, { id: unknown, ...(path === 'send' && { test: true }) }),
          404,
          /webhook/,
        );
      expectError(await api.get(`/api/webhook/${unknown}/deliveries`), 404, /webhook/);
    }
  });

  it('are at most 20, also when many are added at once', async () => {
    const { rows } = succeeded(await api.get('/api/webhook/list')) as unknown as { rows: { id: string }[] };
    const answers = await Promise.all(
      Array.from({ length: 22 - rows.length }, () => api.post('/api/webhook/add', { url })),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(2);
    expect((await api.post('/api/webhook/add', { url })).headers.get('x-error-code')).toBe(
      'TOO_MANY_WEBHOOKS',
    );
    succeeded(await api.post('/api/webhook/delete', { id: rows[0]?.id }));
    await addWebhook(api, { url });
    const listed = succeeded(await api.get('/api/webhook/list')) as unknown as { rows: { id: string }[] };
    for (const { id } of listed.rows) succeeded(await api.post('/api/webhook/delete', { id }));
  });

  it('answer the secret again under the same key, until it is replaced', async () => {
    const add = (key: string) =>
      api.send({
        method: 'POST',
        path: '/api/webhook/add',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ url }),
      });
    const first = succeeded(await add('once'));
    expect(succeeded(await add('once'))).toEqual(first);
    expect(succeeded(await add('twice')).id).not.toBe(first.id);
    succeeded(await api.post('/api/webhook/update', { id: first.id, newSecret: true }));
    succeeded(await api.post('/api/webhook/update', { id: first.id, newSecret: true }));
    expect(succeeded(await add('once'))).toEqual({ id: first.id, secret: null });
  });
});
