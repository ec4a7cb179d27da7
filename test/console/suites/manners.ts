import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  unfold,
  useConsole,
} from '../../support/run/browser.ts';
import { accessToken, succeeded } from '../../support/service/api.ts';
import { aViewersToken } from '../../support/service/local-tokens.ts';
import { aDataDir } from '../../support/service/service-process.ts';

/** A screen with everything that it shows at first. */
const shown = async (page: Page) => {
  await page.locator('main h1').waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
};

/** Words of what changes something. */
const refused =
  /New|Add|Pause|Import|again|Delete|Publish|Save|Edit|Rename|Stop|Close|Copy|made-up|Erase|Remove/;

/** What can be pressed but lies beyond the edge, where nothing scrolls. */
const cutOff = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('main button, main a, main select, main input')]
    .filter((each) => each.getClientRects().length > 0 && each.getBoundingClientRect().right > innerWidth)
    .filter((each) => !each.closest('.table-scroll, .page-tabs'))
    .map((each) => each.outerHTML)`);

inBrowser('the manners of the console', () => {
  const { api, visitor, opened, overviewOf, dialing } = useConsole();

  it('speaks Chinese to a Chinese browser, fits 390 pixels, and changes its language on request', async () => {
    const { id: dataSourceId } = await api.aDataSource({ dataSourceName: '名单' });
    const task = await api.aTaskIn(1, { taskName: `${'宽'.repeat(99)}一`, dataSourceId });
    const draft = await api.aTaskIn(0, { taskName: '草稿', dataSourceId });
    const contact = await api.aContact(dataSourceId as string, { customerName: 'x'.repeat(300) });
    const page = await opened('/tasks', { language: 'zh-CN', width: 390 });
    await page.getByRole('heading', { name: '任务' }).waitFor();
    for (const path of [
      '/',
      '/tasks',
      '/tasks/no/such/page',
      `/tasks/${task.id}`,
      `/tasks/${task.id}/contacts`,
      `/tasks/${task.id}/calls`,
      '/tasks/new',
      `/tasks/${draft.id}/edit`,
      '/sources',
      `/sources/${dataSourceId}`,
      '/import',
      '/do-not-call',
      `/compare?ids=${task.id},${draft.id}`,
      '/people',
      `/people#${contact.phoneNumber}`,
    ]) {
      await page.goto(`${api.url}${path}`);
      await shown(page);
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ path, wider, cut: await cutOff(page) }).toEqual({ path, wider: 0, cut: [] });
      const words = await page.locator('main').innerText();
      expect(words, path).not.toMatch(/\b(task|Tasks|contacts?|data sources?|calls?|every day)\b/);
      await expectAccessible(page, `${path} in Chinese`);
    }
    await page.goto(`${api.url}/tasks/${task.id}/contacts?outcome=notDialed`);
    await shown(page);
    // Each row is a card: a second column would not fit beside a number.
    const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
    expect(await topOf('tbody [data-title="结果"]')).toBeGreaterThan(await topOf('tbody .phone'));
    const tab = page.locator('.page-tabs [aria-current]');
    await expect.poll(async () => ((await tab.boundingBox())?.x ?? 390) < 390).toBe(true);
    await page.goto(`${api.url}/compare`);
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN');
    await page.getByRole('button', { name: '更多', exact: true }).click();
    await expectAccessible(page, 'the foot of the rail at 390 pixels');
    await page.getByText('本地开发者').waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Compare' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Calling rules' }).waitFor();
    expect(await page.getByText('Local developer').isVisible()).toBe(false);
  });

  it('shows a lost connection with the age of the figures, and mends itself', async () => {
    const task = await api.aTaskIn(1);
    const page = await opened(`/tasks/${task.id}`);
    await page.getByRole('heading', { level: 1, name: String(task.taskName) }).waitFor();
    visitor.expected = /Failed to load resource|ERR_/;
    await page.route('**/api/**', (route) => route.abort());
    await page.getByText('The connection is lost.').waitFor();
    await page.getByText(/^as of /).waitFor();
    await expectAccessible(page, 'a lost connection');
    await page.unroute('**/api/**');
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  });

  it('shows the frame of a screen that is opened while the service is down, with the reason, and recovers', async () => {
    const task = await api.aTaskIn(0);
    const page = await opened('/tasks');
    await page.getByRole('link', { name: String(task.taskName) }).waitFor();
    visitor.expected = /Failed to load resource|ERR_|Unable to preload|dynamically imported/;
    await page.route('**/{api,assets}/**', (route) => route.abort());
    for (const [link, heading] of [
      ['Settings', 'Settings'],
      ['Do not call', 'Do not call'],
      ['Contact lists', 'Contact lists'],
      ['Today', 'Today'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.locator('main h1:focus', { hasText: heading }).waitFor();
      await page.getByText(/^The service cannot be reached/).waitFor();
    }
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByText('The connection is lost.').waitFor();
    await expectAccessible(page, 'a screen while the service is down', { themes: ['light'] });
    await page.unroute('**/{api,assets}/**');
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
    await page.locator('main h1:focus', { hasText: 'Settings' }).waitFor();
    // The rules of a style that was not fetched cannot be read.
    const lost = `[...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => {
      try { return sheet.cssRules.length === 0 } catch { return true }
    }).length`;
    await expect.poll(() => page.evaluate(lost)).toBe(0);
  });

  it('asks for a new token above a half-filled form, and sends what was typed with it', async () => {
    const source = await api.aDataSource();
    const page = await opened(`/tasks/new?source=${source.id}`);
    await page.getByLabel('Task name').fill('Typed before the token ended');
    visitor.expected = /401/;
    const ended = { status: 401, json: { code: 401, message: 'the access token has expired', data: null } };
    await page.route('**/api/task/add', (route) => route.fulfill(ended), { times: 1 });
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('Your session has ended').waitFor();
    await expectAccessibleDialog(page, 'a session that has ended');
    await page.getByLabel('Access token').fill('a.b.c');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The service refused this token.').waitFor();
    await expectAccessibleDialog(page, 'a token that was refused');
    // Chromium closes a dialog at the second, whatever the page says to the first.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    await page.getByLabel('Access token').fill(accessToken);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: 'Typed before the token ended' }).waitFor();
  });

  it('shows the draft where it was saved but could not be published, and Back leads past the form', async () => {
    const source = await api.aDataSource();
    const page = await opened(`/sources/${source.id}`);
    await page.getByRole('button', { name: 'New task with these contacts' }).click();
    await page.getByLabel('Task name').fill('Saved only');
    visitor.expected = /Failed to load resource|ERR_/;
    await page.route('**/api/task/publish', (route) => route.abort());
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText(/^The service cannot be reached/).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Saved only' }).waitFor();
    await page.unroute('**/api/task/publish');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: String(source.dataSourceName) }).waitFor();
  });

  it('shows tasks under their present names, and under a filter no longer than they are of it', async () => {
    const task = await api.aTaskIn(1, { taskName: 'filtered' });
    const draft = await api.aTaskIn(0, { taskName: 'named before' });
    const page = await opened('/tasks?status=1', { clock: true });
    const becomes = async (name: string, state: 'visible' | 'detached') =>
      expect
        .poll(async () => {
          await page.clock.runFor(10_000);
          return page.getByText(name, { exact: true }).count();
        })
        .toBe(state === 'visible' ? 1 : 0);
    await becomes('filtered', 'visible');
    succeeded(await api.post('/api/task/pause', { id: task.id }));
    await becomes('filtered', 'detached');
    await page.getByRole('link', { name: /^All/ }).click();
    await becomes('named before', 'visible');
    succeeded(await api.post('/api/task/update', { id: draft.id, taskName: 'named now' }));
    await becomes('named now', 'visible');
  });

  it('orders running tasks, keeps a selection, and says which tasks it could not change', async () => {
    const first = await api.aTaskIn(1, { taskName: 'order b' });
    await api.aTaskIn(1, { taskName: 'order a' });
    const page = await opened('/tasks?status=1&q=order');
    const names = () => page.locator('tbody .figures-rowLink').allInnerTexts();
    await expect.poll(names).toEqual(['order a', 'order b']);
    await page.getByLabel('Order', { exact: true }).selectOption('start');
    await page.getByLabel('Order', { exact: true }).selectOption('name');
    await expect.poll(names).toEqual(['order a', 'order b']);
    await page.getByRole('radio', { name: /^Stuck/ }).check();
    await page.getByLabel('Select order b').check();
    await page.getByRole('link', { name: /^All/ }).click();
    await page.getByText('1 selected').waitFor();
    await page.getByLabel('Select order a').check();
    succeeded(await api.post('/api/task/pause', { id: first.id }));
    visitor.expected = /405/;
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('1 task paused').waitFor();
    await page.getByText('Not changed, because of their state: order b').waitFor();
    await expectAccessible(page, 'a bulk action that was refused in part');
  });

  it('shows the columns of the file before empty ones, and others that the reader chooses', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id as string, { plan: 'gold', region: 'north', size: 'large', since: '2020' });
    const page = await opened(`/sources/${id}`);
    const titles = async () => (await page.locator('thead th').allInnerTexts()).slice(1, 5);
    await expect.poll(titles).toEqual(['Phone number', 'plan', 'region', 'size']);
    await page.getByText('Columns').click();
    await page.getByLabel('since').check();
    await page.getByRole('cell', { name: '2020' }).waitFor();
    await expectAccessible(page, 'columns to choose');
    await page.reload();
    await page.getByRole('cell', { name: '2020' }).waitFor();
  });

  it('keeps what was typed over a new sign-in, takes a week off and a chosen day, and finds zones in Chinese', async () => {
    const list = await api.aDataSource({ dataSourceName: 'Complaints \u202Egnp' });
    const source = await api.aDataSource();
    const page = await opened(`/tasks/new?source=${source.id}`);
    await page.getByLabel('Task name').fill('Typed before');
    await page.getByLabel('Weekdays').selectOption({ label: 'Other days' });
    await page.getByText('Sat', { exact: true }).click();
    // A draft is kept a moment after it is drawn.
    const kept = () => page.evaluate('JSON.stringify(sessionStorage)');
    await expect.poll(kept).toMatch(/Typed before.*weekdays[^\]]*6/);
    await page.reload();
    await page.getByText('What you typed earlier was restored.').waitFor();
    expect(await page.getByLabel('Task name').inputValue()).toBe('Typed before');
    expect(await page.getByLabel('Weekdays').inputValue()).toBe('1,2,3,4,5,6');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('What you typed earlier was restored.').waitFor({ state: 'detached' });
    await unfold(page);
    await page.getByLabel('Days off').fill('2030-10-01');
    await page.getByLabel('Last day').fill('2030-10-07');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove 1 Oct 2030 – 7 Oct 2030' }).waitFor();
    // Chosen, and not added.
    await page.getByLabel('Days off').fill('2030-12-24');
    await page.getByLabel('Time zone').fill('日本');
    await page.getByRole('option', { name: /Asia\/Tokyo/ }).click();
    // A box of choices that scrolls is no stop of the Tab key.
    await page.getByLabel('Time zone').press('Tab');
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
    await page.getByLabel('Excluded lists').fill('Complaints');
    await page.getByRole('option', { name: /Complaints/ }).click();
    await page.getByText('Excludes “Complaints gnp” and the do-not-call list.').waitFor();
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('heading', { level: 1, name: String(source.dataSourceName) }).waitFor();
    const overview = await overviewOf(page.url().split('/').at(-1));
    expect(overview).toMatchObject({ timeZone: 'Asia/Tokyo', excludedDataSourceIds: [list.id] });
    expect((overview.excludedDates as string[]).slice(6)).toEqual(['2030-10-07', '2030-12-24']);
    // A draft shows its settings, and no zeros.
    expect(await page.locator('.figures-tile').count()).toBe(0);
  });

  it('moves the focus to the heading of a new screen, and in a form to its first field or its first fault', async () => {
    const task = await api.aTaskIn(0);
    const page = await opened('/tasks', { language: 'zh-CN', width: 390 });
    await page.getByRole('link', { name: String(task.taskName), exact: true }).click();
    await page.locator('main h1:focus', { hasText: String(task.taskName) }).waitFor();
    for (let i = 0; i < 2; i++) {
      await page.locator('main h1').focus();
      await page.keyboard.press('n');
      await page.locator('input:focus').waitFor();
      await page.keyboard.type('June');
      expect(await page.getByLabel('任务名称').inputValue()).toBe('June');
      await page.getByLabel('任务名称').fill('');
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: String(task.taskName) }).waitFor();
    }
    await page.goto(`${api.url}/tasks/new?source=${task.dataSourceId}`);
    const name = page.getByLabel('任务名称');
    await name.fill(String(task.taskName));
    visitor.expected = /409/;
    const save = page.getByRole('button', { name: '保存为草稿' });
    await save.click();
    await page.getByText('名称已被使用。').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('');
    await save.click();
    await page.getByText('请填写任务名称。').waitFor();
    await page.locator('input[aria-invalid=true]:focus').waitFor();
  });

  it('says at an address what is not there, offers no empty form, and shows the last page', async () => {
    visitor.expected = /404/;
    const { id } = await api.aDataSource();
    const { phoneNumber } = await api.aContact(id as string);
    const page = await opened('/nowhere');
    for (const [path, words] of [
      ['/nowhere', 'Page not found'],
      ['/tasks/new?copy=4k9x2m7q8t3vbn5c', 'This task does not exist.'],
      ['/tasks/new?source=4k9x2m7q8t3vbn5c', 'This contact list does not exist.'],
      ['/tasks/4k9x2m7q8t3vbn5c/calls?call=nothing', 'There is no record of this call.'],
      ['/people#1380', 'If this is a part of a number, enter the whole number.'],
      [`/sources/${id}?page=7`, String(phoneNumber)],
    ] as const) {
      await page.goto(`${api.url}${path}`);
      await page.getByText(words).first().waitFor();
      expect(await page.locator('main form').count()).toBe(0);
    }
    expect(page.url()).toBe(`${api.url}/sources/${id}`);
  });

  it('leads back from a page of contacts that a link opened, and recalls nobody where all were reached', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    for (let i = 0; i < 2; i++) await api.aContact(dataSourceId as string);
    const task = await api.aTaskIn(1, { dataSourceId });
    const { nextPageToken } = succeeded(await api.get(`/api/task/${task.id}/contacts?pageSize=1`));
    const page = await opened(`/tasks/${task.id}/contacts?from=${encodeURIComponent(String(nextPageToken))}`);
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.waitForURL(`${api.url}/tasks/${task.id}/contacts`);
    const calls = await dialing.lease({ taskId: task.id });
    for (const { callId } of calls) await api.post('/api/dialer/result', { callId, outcome: 'success' });
    await page.goto(`${api.url}/tasks/${task.id}`);
    await page.getByRole('button', { name: 'Close' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Export', 'Copy as a new draft', 'Compare with others']);
  });

  it('offers made-up contacts to an empty service, called live until stopped', async () => {
    await api.stop();
    await api.start({});
    const page = await opened();
    await page.getByRole('button', { name: 'Try it with made-up contacts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Spring survey' }).waitFor();
    const stop = page.getByRole('button', { name: 'Stop the simulator' });
    await stop.waitFor();
    await expectAccessible(page, 'the simulator at work');
    await stop.click();
    await stop.waitFor({ state: 'detached' });
    const state = await fetch(`${api.url}/local/sample`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(await state.json()).toMatchObject({ data: { running: false } });
  });

  it('shows a viewer everything, and no button that would be refused', async () => {
    const dataDir = await aDataDir();
    await api.stop();
    await api.start({ dataDir });
    const task = await api.aTaskIn(1);
    const draft = await api.aTaskIn(0);
    const contact = await api.aContact(task.dataSourceId as string);
    const page = await visitor.open(`${api.url}/tasks#token=${await aViewersToken(dataDir)}`);
    await page.getByRole('link', { name: String(task.taskName) }).waitFor();
    for (const path of [
      '/',
      '/tasks',
      `/tasks/${task.id}`,
      `/tasks/${draft.id}`,
      `/tasks/${task.id}/contacts`,
      `/tasks/${task.id}/calls`,
      `/tasks/${draft.id}/edit`,
      '/tasks/new',
      '/sources',
      `/sources/${task.dataSourceId}`,
      `/sources/${task.dataSourceId}/import`,
      '/import',
      '/do-not-call',
      `/people#${contact.phoneNumber}`,
    ]) {
      await page.goto(`${api.url}${path}`);
      await shown(page);
      const menu = page.getByRole('button', { name: 'More actions' });
      if ((await menu.count()) > 0) await menu.click();
      const words = await page.locator('main').locator('button, [role=menuitem]').allInnerTexts();
      expect({ path, refused: words.filter((word) => refused.test(word)) }).toEqual({ path, refused: [] });
    }
    await page.getByText('Viewer').first().waitFor();
  });
});
