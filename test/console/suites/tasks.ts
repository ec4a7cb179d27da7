import { expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  unfold,
  useConsole,
} from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

inBrowser('tasks in the console', () => {
  const { api, visitor, opened, overviewOf, dialing } = useConsole();

  it('says when calls are retried, begin and end, how many are made, and what the dialer is told; its copy does so too', async () => {
    const source = await api.aDataSource();
    await api.aContact(String(source.id));
    const page = await opened(`/tasks/new?source=${source.id}`);
    const fill = async (fields: Record<string, string>) => {
      for (const [label, text] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(text);
    };
    const press = (name: string) => page.getByRole('button', { name }).click();
    await unfold(page);
    for (const proposal of ['Busy: after 5 minutes', 'Not picked up: after 2 hours', 'Powered off: tomorrow'])
      await press(proposal);
    await press('Add a rule');
    await press('Add a setting');
    await fill({ Field: 'script', Value: 'renewal', 'Not before': '2090-06-02', 'Ends at': '2090-06-01' });
    await fill({ 'Not before: Time': '9', 'Ends at: Time': '18:00', 'Caller numbers (optional)': 'abc' });
    await fill({ 'Max. calls at the same time': '0', 'Failed calls (%)': '50' });
    const gap = await page.evaluate(`getComputedStyle(document.querySelector('.field-field')).rowGap`);
    expect(gap).toBe('4px');
    // A fault is said while the reader types.
    await page.getByText('The end must be after the beginning').waitFor();
    await press('Save as draft');
    for (const fault of [
      'Select a reason, a wait of at most 7 days',
      'The end must be after the beginning',
      'Enter a whole number',
      'Enter 1 to 100 percent',
      'Enter at most 20 valid phone numbers.',
    ])
      await page.getByText(fault).waitFor();
    expect(await page.getByLabel('Among the last (calls)').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('group', { name: 'Rule 4' }).getByLabel('Rejected').check();
    await fill({ 'Rule 4: Call again after': '90', 'Rule 4: at most': '2', 'Ends at': '2090-06-30' });
    await fill({ 'Max. calls at the same time': '7', 'Among the last (calls)': '20' });
    await fill({ 'Caller numbers (optional)': '+86 21 6100 0001， +86 21 6100 0002' });
    const summary = page.getByRole('complementary', { name: 'Summary' });
    await summary.getByText(/Can begin .*2090/).waitFor();
    await page.getByText(/when 50% of the last 20 calls failed/).waitFor();
    await expectAccessible(page, 'a form that is filled in');
    await press('Save as draft');
    await page.getByText('Busy: after 5 minutes, at most 3 calls').waitFor();
    await page.getByText('renewal', { exact: true }).waitFor();
    await page.getByText('2090-06-30 18:00').waitFor();
    const id = page.url().split('/').at(-1);
    const settings = {
      callSettings: { script: 'renewal' },
      callerNumbers: ['+862161000001', '+862161000002'],
      retryOrder: 'due',
      retryRules: [
        { reasons: ['busy'], waitSeconds: 300, attempts: 3 },
        { reasons: ['noAnswer'], waitSeconds: 7200, attempts: 3 },
        { reasons: ['poweredOff'], waitSeconds: 86_400, attempts: 3 },
        { reasons: ['rejected'], waitSeconds: 90 * 3600, attempts: 2 },
      ],
      ...{ callFrom: '2090-06-02 09:00', callUntil: '2090-06-30 18:00' },
      ...{ maxConcurrentCalls: 7, callsPerMinute: null, pauseWhen: { failedPercent: 50, calls: 20 } },
    };
    expect(await overviewOf(id)).toMatchObject(settings);
    await page.goto(`${api.url}/tasks/new?copy=${id}`);
    await page.getByLabel('Task name').fill('The copy');
    await press('Save as draft');
    await page.getByRole('heading', { name: 'The copy' }).waitFor();
    expect(await overviewOf(page.url().split('/').at(-1))).toMatchObject(settings);
  });

  it('lists agreed callbacks with their time, and why a contact waits', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    for (let i = 0; i < 2; i++) await api.aContact(dataSourceId as string, {});
    const task = await api.aTaskIn(1, { dataSourceId, callInterval: 3600 });
    const calls = await dialing.lease({ limit: 2 });
    const inOneDay = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
    const report = (callId: string, more: object) =>
      api.post('/api/dialer/result', { callId, duration: 0, ...more }).then(succeeded);
    await report(String(calls[0]?.callId), { outcome: 'noAnswer', reason: 'busy', callbackTime: inOneDay });
    await report(String(calls[1]?.callId), { outcome: 'noAnswer', reason: 'poweredOff' });
    const page = await opened(`/tasks/${task.id}`);
    await page.getByRole('link', { name: /^1\s*Callback\s*from / }).waitFor();
    await page.goto(`${api.url}/tasks/${task.id}/contacts`);
    await page.getByRole('cell', { name: 'Powered off' }).waitFor();
    await page.getByLabel('Outcome').selectOption('waiting');
    expect(await page.getByRole('option', { name: /Callback/ }).count()).toBe(0);
    await page.getByRole('radio', { name: /Callback/ }).click();
    const row = page.getByRole('row', { name: /Callback/ });
    await row.getByRole('cell', { name: 'Busy' }).waitFor();
    // The rows of all contacts stay until the answer comes.
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await expectAccessible(page, 'callbacks of a task');
  });

  it('finds a contact of a task by its number, and averages the talk time of connected calls', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    for (const phoneNumber of ['13800000001', '13800000002', '13900000003'])
      await api.aContact(dataSourceId as string, { phoneNumber, plan: 'gold' });
    const task = await api.aTaskIn(1, { dataSourceId, maxDialCount: 1 });
    const calls = await dialing.lease({ limit: 3, taskId: task.id });
    for (const [i, duration] of [30, 60, 45].entries()) {
      const outcome = i < 2 ? 'success' : 'noAnswer';
      succeeded(await api.post('/api/dialer/result', { callId: calls[i]?.callId, outcome, duration }));
    }
    const page = await opened(`/tasks/${task.id}`);
    await page.locator('.figures-tile', { hasText: 'Average talk time' }).getByText('0:45').waitFor();
    await page.goto(`${api.url}/tasks/${task.id}/contacts?outcome=noAnswer`);
    await page.getByLabel('Search by number').fill('8000');
    await page.getByText('2 contacts', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await expectAccessible(page, 'a search among the contacts of a task');
    await page.getByText('Columns').click();
    await page.getByLabel('plan').check();
    await page.getByRole('cell', { name: 'gold' }).first().waitFor();
    await page.getByLabel('Search by number').fill('77777');
    await page.getByText('No number matches.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await page.getByRole('row', { name: /No answer/ }).waitFor();
  });

  it('names each minute once below the calls of a young task', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId as string, {});
    const task = await api.aTaskIn(1, { dataSourceId });
    const calls = await dialing.lease({ limit: 1, taskId: task.id });
    const call = { callId: calls[0]?.callId, outcome: 'success', duration: 30 };
    succeeded(await api.post('/api/dialer/result', call));
    const page = await opened(`/tasks/${task.id}`);
    const minutes = async () => {
      const labels = await page.locator('.chart-tick').allInnerTexts();
      return labels.flatMap((label) => label.match(/\d\d:\d\d/) ?? []);
    };
    await expect.poll(async () => (await minutes()).length).toBeGreaterThan(0);
    const shown = await minutes();
    expect(shown).toEqual([...new Set(shown)]);
  });

  it('saves what was changed, and asks where a colleague changed the same', async () => {
    visitor.expected = /409/;
    const task = await api.aTaskIn(0, { taskName: 'edited by two', priority: 3 });
    const page = await opened(`/tasks/${task.id}/edit`);
    const save = page.getByRole('button', { name: 'Save changes' });
    await unfold(page);
    await page.getByLabel('Description').fill('by me');
    succeeded(await api.post('/api/task/update', { id: task.id, priority: 1, maxDialCount: 5 }));
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'edited by two', exact: true }).waitFor();
    const overview = async () => await overviewOf(task.id);
    expect(await overview()).toMatchObject({ taskDesc: 'by me', priority: 1, maxDialCount: 5 });
    const edit = async (attempts: string) => {
      await page.goto(`${api.url}/tasks/${task.id}/edit`);
      await page.getByLabel('Max. attempts').fill(attempts);
    };
    await edit('2');
    succeeded(await api.post('/api/task/update', { id: task.id, maxDialCount: 7, priority: 4 }));
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'The task was changed meanwhile' });
    await dialog.waitFor();
    expect((await dialog.getByRole('cell').allInnerTexts()).slice(-3)).toEqual([
      'Max. attempts per contact',
      '2',
      '7',
    ]);
    await expectAccessibleDialog(page, 'a conflict of two people');
    await dialog.getByRole('button', { name: 'Keep theirs' }).click();
    await expect.poll(() => page.getByLabel('Max. attempts').inputValue()).toBe('7');
    await edit('1');
    succeeded(await api.post('/api/task/update', { id: task.id, maxDialCount: 8 }));
    await save.click();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await page.getByRole('heading', { level: 1, name: 'edited by two', exact: true }).waitFor();
    expect(await overview()).toMatchObject({ taskDesc: 'by me', priority: 4, maxDialCount: 1 });
  });

  it('is stopped with a reason and closed, each asked with its name, and compared with others', async () => {
    const task = await api.aTaskIn(1, { taskName: 'June' });
    await api.aTaskIn(0, { taskName: 'June again' });
    const page = await opened(`/tasks/${task.id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Stop' }).click();
    await dialog.getByText('Stop “June”?').waitFor();
    await dialog.getByLabel(/^Reason/).fill('<img src=x onerror=alert(1)>');
    await expectAccessibleDialog(page, 'stop');
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await page
      .locator('header')
      .getByText(/<img src=x/)
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await dialog.getByText('Close “June”?').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('main [data-status="6"]').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('link', { name: 'Tasks' }).first().click();
    await page.getByRole('button', { name: 'Compare' }).click();
    for (const option of [/^June\s*Closed/, /^June again/]) {
      await page.getByLabel('Add a task').click();
      await page.getByRole('option', { name: option }).click();
    }
    await page.getByRole('button', { name: 'Remove June again' }).waitFor();
    await page.getByText('Calls for each person reached').waitFor();
    await expectAccessible(page, 'compare');
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    await page.emulateMedia({ media: 'print' });
    const ink = `getComputedStyle(document.querySelector('h1')).color`;
    expect(await page.evaluate(ink), 'paper is light').toBe('rgb(24, 24, 29)');
    await page.emulateMedia({ media: null });
  });

  it('is the best of those that are compared where it took the fewest calls to reach a person', async () => {
    const ids: string[] = [];
    for (const outcomes of [['noAnswer', 'success'], ['success']]) {
      const { id } = await dialing.aRunningTask(1, { callInterval: 0 });
      for (const outcome of outcomes)
        await dialing.report((await dialing.leaseOne({ taskId: id })).callId, outcome);
      ids.push(String(id));
    }
    const page = await opened(`/compare?ids=${ids.join(',')}`);
    const row = page.getByRole('row', { name: /^Calls for each person reached/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(['2', '1best']);
  });
});
