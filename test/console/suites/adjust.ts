import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  unfold,
  useConsole,
} from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

inBrowser('a task that runs', () => {
  const { api, visitor, opened, overviewOf, dialing } = useConsole();

  it('is adjusted in a dialog: what differs is sent, and the history says so', async () => {
    const { id: listId } = await api.aDataSource({ dataSourceName: 'Moved away' });
    const { id } = await api.aTaskIn(1, { taskName: 'June' });
    const page = await opened(`/tasks/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Adjust' }).click();
    const dialog = page.getByRole('dialog', { name: 'Adjust “June”' });
    await dialog.locator('summary:focus').waitFor();
    await unfold(dialog);
    await dialog.getByLabel('Weekdays').selectOption({ label: 'Mon–Sat' });
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
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText(/^Weekdays: None → Mon–Sat; Excluded lists: None → Moved away; /).waitFor();
    await page
      .getByText(/Pause when calls fail: None → when 50% of the last 20 calls failed; .*script: renewal/)
      .waitFor();
    const chinese = await opened(`/tasks/${id}?tab=history`, { language: 'zh-CN' });
    await chinese.getByText(/^星期: 无 → 周一至周六; 排除名单: 无 → Moved away; /).waitFor();
    expect(await overviewOf(id)).toMatchObject({
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

  it('has its pace set by two steppers, also while the step before is being saved', async () => {
    // Each stepper goes on with the task as it knew it: what the other has changed is merged.
    visitor.expected = /409/;
    const { id } = await api.aTaskIn(1, { callsPerMinute: 20 });
    const page = await opened(`/tasks/${id}`);
    const [atOnce, perMinute] = ['Max. calls at the same time', 'Max. calls a minute'] as const;
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: `${atOnce}: more` }).click();
    expect(await page.getByLabel(atOnce, { exact: true }).inputValue()).toBe('12');
    await page.getByRole('button', { name: `${perMinute}: less` }).click();
    await expect.poll(() => overviewOf(id)).toMatchObject({ maxConcurrentCalls: 12, callsPerMinute: 19 });
    await expectAccessible(page, 'pace');
    await page.getByRole('button', { name: `${perMinute}: no limit` }).click();
    await expect.poll(() => overviewOf(id)).toMatchObject({ callsPerMinute: null });
    await page.getByLabel(perMinute, { exact: true }).fill('70000');
    await page.getByText('Enter a whole number from 1 to 60,000.').waitFor();
    const more = page.getByRole('button', { name: `${atOnce}: more` });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/task/adjust', (route) => answered.then(() => route.continue()), { times: 1 });
    const sent = page.waitForRequest('**/api/task/adjust');
    await more.click();
    await sent;
    await more.click();
    answer();
    await expect.poll(() => overviewOf(id)).toMatchObject({ maxConcurrentCalls: 14 });
  });

  it('has each limit under its own name in Chinese: where it is set, and where it holds calls back', async () => {
    const { id } = await dialing.aRunningTask(8, {});
    const page = await opened(`/tasks/${id}`, { language: 'zh-CN' });
    await page.getByRole('button', { name: '最大并发数：增加' }).click();
    await expect.poll(() => overviewOf(id)).toMatchObject({ maxConcurrentCalls: 10, callsPerMinute: null });
    await page.getByRole('button', { name: '每分钟最多呼叫数：增加' }).click();
    await expect.poll(() => overviewOf(id)).toMatchObject({ maxConcurrentCalls: 10, callsPerMinute: 60 });
    succeeded(await api.post('/api/task/adjust', { id, maxConcurrentCalls: 2 }));
    expect(await dialing.lease({ taskId: id, limit: 8 })).toHaveLength(2);
    await page.getByText('已达并发上限 2 路').waitFor();
    succeeded(await api.post('/api/task/adjust', { id, maxConcurrentCalls: 20, callsPerMinute: 1 }));
    await page.getByText('已达每分钟 1 次的呼叫上限').waitFor();
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
    await page.getByRole('link', { name: '操作记录' }).click();
    await page.getByRole('listitem').getByText(words).waitFor();
    await page.getByRole('listitem').getByText(reason).waitFor();
  });

  describe('that two people adjust', () => {
    const adjusting = async (id: unknown, how: { width: number }) => {
      const page = await opened(`/tasks/${id}`, how);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Adjust' }).click();
      const dialog = page.getByRole('dialog', { name: /^Adjust/ });
      await unfold(dialog);
      return { page, dialog };
    };
    const daysOff = async ({ dialog }: Awaited<ReturnType<typeof adjusting>>, day: string) => {
      await dialog.getByLabel('Days off').fill(day);
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    };

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
      expect(await overviewOf(id)).toMatchObject({ excludedDates: ['2090-12-25'], callsPerMinute: null });
      await expectAccessible(ben.page, 'conflict', { within: 'dialog[open] ~ dialog[open]' });
      await question.getByRole('button', { name: 'Keep theirs' }).click();
      await ben.dialog.getByRole('listitem').getByText('25 Dec 2090').waitFor();
      await daysOff(ben, '2090-12-31');
      await ben.dialog.getByRole('button', { name: 'Save changes' }).click();
      await ben.dialog.waitFor({ state: 'detached' });
      expect(await overviewOf(id)).toMatchObject({
        excludedDates: ['2090-12-25', '2090-12-31'],
        callsPerMinute: 30,
      });
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
      expect(await overviewOf(id)).toMatchObject({ maxConcurrentCalls: 50 });
    });
  });
});
