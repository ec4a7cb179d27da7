import { describe, expect, it } from 'vitest';
import { accessToken, useApi } from '../support/api.ts';
import { browserPath, useVisitor } from '../support/browser.ts';
import { aViewersToken } from '../support/local-tokens.ts';
import { aDataDir } from '../support/service-process.ts';

describe.skipIf(browserPath === undefined)('the manners of the console', () => {
  const api = useApi();
  const visitor = useVisitor();

  it('speaks Chinese to a Chinese browser, fits 390 pixels, and changes its language on request', async () => {
    const task = await api.aTaskIn(1);
    const page = await visitor.open(`${api.url}/#token=${accessToken}`, { language: 'zh-CN', width: 390 });
    await page.getByRole('heading', { name: '任务' }).waitFor();
    for (const path of [
      '/',
      `/tasks/${task.id}`,
      `/tasks/${task.id}/contacts`,
      '/tasks/new',
      '/sources',
      '/import',
      '/do-not-call',
      `/compare?ids=${task.id}`,
    ]) {
      await page.goto(`${api.url}${path}`);
      await page.locator('main h1').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ path, wider }).toEqual({ path, wider: 0 });
    }
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Compare' }).waitFor();
  });

  it('shows a lost connection with the age of the figures, and mends itself', async () => {
    const task = await api.aTaskIn(1);
    const page = await visitor.open(`${api.url}/#token=${accessToken}`);
    await page.goto(`${api.url}/tasks/${task.id}`);
    await page.getByRole('heading', { level: 1, name: String(task.taskName) }).waitFor();
    visitor.expected = /Failed to load resource|ERR_/;
    await page.route('**/api/**', (route) => route.abort());
    await page.getByText('The connection is lost.').waitFor();
    await page.getByText(/^as of /).waitFor();
    await page.unroute('**/api/**');
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
    visitor.expected = undefined;
  });

  it('asks for a new token above a half-filled form, and sends what was typed with it', async () => {
    const source = await api.aDataSource();
    const page = await visitor.open(`${api.url}/#token=${accessToken}`);
    await page.goto(`${api.url}/tasks/new?source=${source.id}`);
    await page.getByLabel('Name of the task').fill('Typed before the token ended');
    await page.evaluate(`sessionStorage.setItem('console.session', '{"access":"a.b.c"}')`);
    visitor.expected = /401/;
    await page.reload();
    await page.getByText('Your session has ended').waitFor();
    await page.getByLabel('Access token').fill(accessToken);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('What you had typed before was restored.').waitFor();
    visitor.expected = undefined;
    expect(await page.getByLabel('Name of the task').inputValue()).toBe('Typed before the token ended');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('heading', { level: 1, name: 'Typed before the token ended' }).waitFor();
  });

  it('says beside the field that a name is taken', async () => {
    const task = await api.aTaskIn(0);
    const page = await visitor.open(`${api.url}/#token=${accessToken}`, { language: 'zh-CN' });
    await page.goto(`${api.url}/tasks/new?source=${task.dataSourceId}`);
    await page.getByLabel('任务名称').fill(String(task.taskName));
    visitor.expected = /409/;
    await page.getByRole('button', { name: '保存为草稿' }).click();
    await page.getByText('已有同名任务。').waitFor();
    visitor.expected = undefined;
    expect(await page.getByLabel('任务名称').getAttribute('aria-invalid')).toBe('true');
  });

  it('asks nothing while its tab is hidden', async () => {
    const task = await api.aTaskIn(1);
    const page = await visitor.open(`${api.url}/#token=${accessToken}`);
    await page.goto(`${api.url}/tasks/${task.id}`);
    await page.getByRole('heading', { level: 1, name: String(task.taskName) }).waitFor();
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));`);
    // Longer than two rounds of asking.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.waitForTimeout(11_000);
    expect(asked).toEqual([]);
  });

  it('made no error and asked no other host', () => {
    expect(visitor.troubles).toEqual([]);
  });
});

describe.skipIf(browserPath === undefined)('a viewer', () => {
  const visitor = useVisitor();
  const api = useApi();

  it('sees everything and no button that would be refused', async () => {
    const dataDir = await aDataDir();
    await api.stop();
    await api.start({ dataDir });
    const task = await api.aTaskIn(1);
    const page = await visitor.open(`${api.url}/#token=${await aViewersToken(dataDir)}`);
    await page.getByRole('link', { name: String(task.taskName) }).waitFor();
    for (const path of [
      '/',
      `/tasks/${task.id}`,
      `/tasks/${task.id}/contacts`,
      '/sources',
      `/sources/${task.dataSourceId}`,
      '/do-not-call',
    ]) {
      await page.goto(`${api.url}${path}`);
      await page.locator('main h1').waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      const words = await page.locator('main button').allInnerTexts();
      expect({
        path,
        refused: words.filter((word) => /New|Add|Pause|Import|Recall|Delete/.test(word)),
      }).toEqual({
        path,
        refused: [],
      });
    }
    await page.getByText('Viewer').waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});
