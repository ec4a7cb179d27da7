import type { Route } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import {
  browserPath,
  expectAccessible,
  expectAccessibleDialog,
  useVisitor,
} from '../../support/run/browser.ts';
import { accessToken, succeeded, useApi } from '../../support/service/api.ts';

describe.skipIf(browserPath === undefined)('a task that runs', () => {
  const api = useApi();
  const dialing = new DialingApi(api);
  const visitor = useVisitor();
  afterEach(() => visitor.leave());
  const opened = (path: string, how: Parameters<typeof visitor.open>[1] = {}) =>
    visitor.open(`${api.url}${path}#token=${accessToken}`, how);
  const overview = async (id: unknown) => succeeded(await api.get(`/api/task/${id}/overview`));

  it('is adjusted in a dialog: what differs is sent, and the history says so', async () => {
    const { id: listId } = await api.aDataSource({ dataSourceName: 'Moved away' });
    const { id } = await api.aTaskIn(1, { taskName: 'June' });
    const page = await opened(`/tasks/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Adjust' }).click();
    const dialog = page.getByRole('dialog', { name: 'Adjust “June”' });
    await dialog.getByText('Sun', { exact: true }).click();
    const topOf = async (label: string) => (await dialog.getByLabel(label).boundingBox())?.y;
    expect(await topOf('Last day'), 'beside the first day').toBe(await topOf('Days off'));
    await dialog.getByLabel('Ends at', { exact: true }).fill('2090-06-30');
    await dialog.getByLabel('Ends at: Time').fill('1800');
    await dialog.getByLabel('Max. calls at the same time').fill('0');
    await dialog.getByLabel('Failed calls (%)').fill('50');
    await dialog.getByLabel('Excluded lists').fill('Moved');
    await page.getByRole('option', { name: 'Moved away' }).click();
    await dialog.getByRole('button', { name: 'Busy: after 5 minutes' }).click();
    await dialog.getByRole('button', { name: 'Add a setting' }).click();
    await dialog.getByLabel('Field', { exact: true }).fill('script');
    await dialog.getByLabel('Value', { exact: true }).fill('renewal');
    await expectAccessibleDialog(page, 'adjust');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Enter 1 to 100 percent and 10 to 1,000 calls, or leave both empty.').waitFor();
    await dialog.getByLabel('Among the last (calls)').fill('20');
    await dialog.getByLabel('Max. calls at the same time').fill('7');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/^Weekdays: None → Mon–Sat; Excluded lists: None → Moved away; /).waitFor();
    await page
      .getByText(/Pause when calls fail: None → when 50% of the last 20 calls failed; .*script: renewal/)
      .waitFor();
    const chinese = await opened(`/tasks/${id}`, { language: 'zh-CN' });
    await chinese.getByText(/^星期: 无 → 周一至周六; 排除名单: 无 → Moved away; /).waitFor();
    expect(await overview(id)).toMatchObject({
      weekdays: [1, 2, 3, 4, 5, 6],
      callUntil: '2090-06-30 18:00',
      excludedDataSourceIds: [listId],
      maxConcurrentCalls: 7,
      callsPerMinute: null,
      pauseWhen: { failedPercent: 50, calls: 20 },
      retryRules: [{ reasons: ['busy'], waitSeconds: 300 }],
      callSettings: { script: 'renewal' },
    });
  });

  it('has its pace set by two steppers', async () => {
    const { id } = await api.aTaskIn(1, { callsPerMinute: 20 });
    const page = await opened(`/tasks/${id}`);
    const [atOnce, perMinute] = ['Max. calls at the same time', 'Max. calls a minute'] as const;
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: `${atOnce}: more` }).click();
    expect(await page.getByLabel(atOnce, { exact: true }).inputValue()).toBe('12');
    await page.getByRole('button', { name: `${perMinute}: less` }).click();
    await expect.poll(() => overview(id)).toMatchObject({ maxConcurrentCalls: 12, callsPerMinute: 19 });
    await expectAccessible(page, 'pace');
    await page.getByRole('button', { name: `${perMinute}: no limit` }).click();
    await expect.poll(() => overview(id)).toMatchObject({ callsPerMinute: null });
    await page.getByLabel(perMinute, { exact: true }).fill('70000');
    await page.getByText('Enter a whole number from 1 to 60,000.').waitFor();
  });

  it('keeps a step that is pressed while the one before is being saved', async () => {
    const { id } = await api.aTaskIn(1, { maxConcurrentCalls: 20 });
    const page = await opened(`/tasks/${id}`);
    const more = page.getByRole('button', { name: 'Max. calls at the same time: more' });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const hold = async (route: Route) => {
      await answered;
      await route.continue();
    };
    await page.route('**/api/task/adjust', hold, { times: 1 });
    const sent = page.waitForRequest('**/api/task/adjust');
    await more.click();
    await sent;
    await more.click();
    answer();
    await expect.poll(() => overview(id)).toMatchObject({ maxConcurrentCalls: 30 });
  });

  it('says in the language of the reader why the service paused it; older entries keep their text', async () => {
    const { id } = await dialing.aRunningTask(20, {
      pauseWhen: { failedPercent: 80, calls: 10 },
      maxDialCount: 1,
    });
    for (const { callId } of await dialing.lease({ taskId: id, limit: 10 }))
      await dialing.report(callId, 'failed');
    const reason = 'maxConcurrentCalls: none -> 5';
    const older = { operation: 'adjust', time: '2026-05-01 10:00:00', from: 2, to: 2, by: 'ann', reason };
    const page = await opened(`/tasks/${id}`, {
      language: 'zh-CN',
      watch: async (page) => {
        await page.route('**/history*', async (route) => {
          const answer = await (await route.fetch()).json();
          answer.data.rows.push({ ...older, reasonCode: null, figures: null, changes: [] });
          await route.fulfill({ json: answer });
        });
      },
    });
    const words = '自动暂停：最近 10 次呼叫中 10 次失败（上限 80%）';
    await page.locator('header').getByText(words).waitFor();
    await page.getByRole('listitem').getByText(words).waitFor();
    await page.getByRole('listitem').getByText(reason).waitFor();
    await page.unroute('**/history*');
  });

  describe('that two people adjust', () => {
    const adjusting = async (id: unknown, how: { width: number }) => {
      const page = await opened(`/tasks/${id}`, how);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Adjust' }).click();
      return { page, dialog: page.getByRole('dialog', { name: /^Adjust/ }) };
    };
    const daysOff = async ({ dialog }: Awaited<ReturnType<typeof adjusting>>, day: string) => {
      await dialog.getByLabel('Days off').fill(day);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    };

    it('keeps both changes where they changed different settings', async () => {
      const { id } = await api.aTaskIn(1, { taskName: 'Two limits' });
      const [ann, ben] = [await adjusting(id, { width: 1400 }), await adjusting(id, { width: 1300 })];
      await daysOff(ann, '2090-12-25');
      await ben.dialog.getByLabel('Max. calls a minute').fill('30');
      for (const { dialog } of [ann, ben]) {
        await dialog.getByRole('button', { name: 'Save changes' }).click();
        await dialog.waitFor({ state: 'detached' });
      }
      expect(await overview(id)).toMatchObject({ excludedDates: ['2090-12-25'], callsPerMinute: 30 });
    });

    it('asks where both changed the same, and loses nothing in silence', async () => {
      const { id } = await api.aTaskIn(1, { taskName: 'Two calendars' });
      const [ann, ben] = [await adjusting(id, { width: 1400 }), await adjusting(id, { width: 1300 })];
      await daysOff(ann, '2090-12-25');
      await ann.dialog.getByRole('button', { name: 'Save changes' }).click();
      await ann.dialog.waitFor({ state: 'detached' });
      await daysOff(ben, '2090-12-31');
      await ben.dialog.getByLabel('Max. calls a minute').fill('30');
      visitor.expected = /409/;
      await ben.dialog.getByRole('button', { name: 'Save changes' }).click();
      const question = ben.page.getByRole('dialog', { name: 'The task was changed meanwhile' });
      await question.getByText('25 Dec 2090').waitFor();
      await question.getByText('31 Dec 2090').waitFor();
      expect(await overview(id)).toMatchObject({ excludedDates: ['2090-12-25'], callsPerMinute: null });
      await expectAccessible(ben.page, 'conflict', { within: 'dialog[open] ~ dialog[open]' });
      await question.getByRole('button', { name: 'Keep theirs' }).click();
      await ben.dialog.getByText('25 Dec 2090').waitFor();
      await daysOff(ben, '2090-12-31');
      await ben.dialog.getByRole('button', { name: 'Save changes' }).click();
      await ben.dialog.waitFor({ state: 'detached' });
      expect(await overview(id)).toMatchObject({
        excludedDates: ['2090-12-25', '2090-12-31'],
        callsPerMinute: 30,
      });
      visitor.expected = undefined;
    });

    it('says beside a stepper that a colleague has set the same limit', async () => {
      const { id } = await api.aTaskIn(1, { maxConcurrentCalls: 20 });
      let hasSent = false;
      let known: string | undefined;
      const page = await opened(`/tasks/${id}`, {
        watch: async (page) => {
          page.on('request', (request) => {
            hasSent ||= request.url().endsWith('/api/task/adjust');
          });
          // The page does not hear of the colleague before it sends its own limit.
          await page.route('**/overview', async (route) => {
            if (hasSent) return route.continue();
            known ??= await (await route.fetch()).text();
            await route.fulfill({ body: known, contentType: 'application/json' });
          });
        },
      });
      const limit = page.getByLabel('Max. calls at the same time', { exact: true });
      await limit.waitFor();
      visitor.expected = /409/;
      succeeded(await api.post('/api/task/adjust', { id, maxConcurrentCalls: 50 }));
      await page.getByRole('button', { name: 'Max. calls at the same time: more' }).click();
      await page.getByText('Changed by another person. The page now shows it.').waitFor();
      expect(await limit.inputValue()).toBe('50');
      expect(await overview(id)).toMatchObject({ maxConcurrentCalls: 50 });
      await page.unroute('**/overview');
      visitor.expected = undefined;
    });
  });
});
