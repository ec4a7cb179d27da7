import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../../local/service.ts';
import { inMemory } from '../../../local/settings.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import {
  browserPath,
  expectAccessible,
  expectAccessibleDialog,
  useVisitor,
} from '../../support/run/browser.ts';
import { Api, accessToken, succeeded } from '../../support/service/api.ts';
import { openReceiver } from '../../support/service/receiver.ts';

type Row = { id: string; url: string; state: string; enabled: boolean; types: string[] };

describe.skipIf(browserPath === undefined)('webhooks', () => {
  const api = new Api();
  const visitor = useVisitor();
  afterEach(async () => {
    await visitor.leave();
    answer = 204;
    for (const { id } of await listed()) succeeded(await api.post('/api/webhook/delete', { id }));
  });
  const received: { type: string; headers: IncomingMessage['headers']; body: unknown }[] = [];
  let answer = 204;
  let receiver: Awaited<ReturnType<typeof openReceiver>>;

  beforeAll(async () => {
    receiver = await openReceiver(async (request, response) => {
      const body = (await json(request)) as { type: string };
      received.push({ type: body.type, headers: request.headers, body });
      response.writeHead(answer).end();
    });
    const settings = { port: 0, host: '127.0.0.1', dataDir: inMemory, accessToken, ...serviceSettings({}) };
    const service = await startService(settings);
    api.attach(service.url, service.close);
  });
  afterAll(async () => {
    await api.stop();
    await receiver.close();
  });

  const opened = async (how: { language?: string; width?: number } = {}, path = '/webhooks') => {
    const page = await visitor.open(`${api.url}${path}#token=${accessToken}`, how);
    await page.locator('main h1').waitFor();
    return page;
  };
  const listed = async () => succeeded(await api.get('/api/webhook/list')).rows as unknown as Row[];
  const aWebhook = async () =>
    String(succeeded(await api.post('/api/webhook/add', { url: receiver.url, types: ['task.deleted'] })).id);
  const ofType = (type: string) => received.filter((each) => each.type === type);

  it('are added with a secret that is shown once, and tried', async () => {
    const page = await opened();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByLabel('Address').fill('http://10.0.0.1/hook');
    visitor.expected = /400/;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Use a public https address').waitFor();
    visitor.expected = undefined;
    await expectAccessibleDialog(page, 'a new webhook');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByText('Task deleted', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    await expectAccessibleDialog(page, 'the secret');
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await listed()).toMatchObject([{ url: receiver.url, state: 'ok' }]);
    expect((await listed())[0]?.types).not.toContain('task.deleted');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Arrived (204)').waitFor();
    const [test] = ofType('webhook.test');
    const headers = test!.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(JSON.stringify(test!.body), headers)).not.toThrow();
    await expectAccessible(page, 'webhooks');
    expect(await page.content()).not.toContain(secret);
  });

  it('show what failed, send it again, and are switched off and on', async () => {
    const id = await aWebhook();
    answer = 503;
    const { id: taskId } = await api.aTask();
    succeeded(await api.post('/api/task/delete', { id: taskId }));
    const page = await opened({}, `/webhooks?webhook=${id}`);
    const panel = page.getByRole('complementary', { name: 'Webhook' });
    await panel.getByText('Failed (503)').first().waitFor();
    answer = 204;
    await panel.getByRole('button', { name: 'Send again' }).first().click();
    await panel.getByText('Arrived (204)').first().waitFor();
    await panel.getByRole('radio', { name: 'Failed' }).check({ force: true });
    await expect.poll(() => panel.getByText('Arrived (204)').count()).toBe(0);
    await panel.getByRole('button', { name: 'Switch off' }).click();
    await panel.getByRole('button', { name: 'Switch on' }).waitFor();
    expect((await listed()).find((each) => each.id === id)).toMatchObject({ enabled: false });
    await panel.getByRole('button', { name: 'Switch on' }).click();
    await panel.getByRole('button', { name: 'Switch off' }).waitFor();
    await panel.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await panel.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await panel.waitFor({ state: 'detached' });
    expect((await listed()).map((each) => each.id)).not.toContain(id);
  });

  it('show what failed from the newest on, also from an older page', async () => {
    const id = await aWebhook();
    const tried = async (times: number) => {
      const before = ofType('webhook.test').length;
      for (let i = 0; i < times; i++) succeeded(await api.post('/api/webhook/send', { id, test: true }));
      await expect.poll(() => ofType('webhook.test').length).toBe(before + times);
    };
    // A page has 50.
    await tried(51);
    answer = 503;
    await tried(1);
    const page = await opened({}, `/webhooks?webhook=${id}`);
    const panel = page.getByRole('complementary', { name: 'Webhook' });
    await panel.getByText('Failed (503)').waitFor();
    await panel.getByRole('button', { name: 'Older' }).click();
    await panel.getByText('Failed (503)').waitFor({ state: 'detached' });
    await panel.getByRole('radio', { name: 'Failed' }).check({ force: true });
    await panel.getByText('Failed (503)').waitFor();
    expect(await panel.getByText('Arrived (204)').count()).toBe(0);
  });

  it('that the service switched off are noted on Today, in both languages', async () => {
    const id = await aWebhook();
    answer = 410;
    const { id: taskId } = await api.aTask();
    succeeded(await api.post('/api/task/delete', { id: taskId }));
    await expect.poll(async () => (await listed()).find((each) => each.id === id)?.enabled).toBe(false);
    const page = await opened({ language: 'zh-CN', width: 390 }, '/');
    await page.getByText('事件推送：系统已停用。').waitFor();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('系统已停用：接收方答复该地址已失效（410）。').waitFor();
    await expectAccessible(page, 'a webhook on a phone');
  });
});
