import { afterEach, describe, expect, it } from 'vitest';
import {
  browserPath,
  expectAccessible,
  expectAccessibleDialog,
  useVisitor,
} from '../../support/run/browser.ts';
import { accessToken, succeeded, useApi } from '../../support/service/api.ts';

describe.skipIf(browserPath === undefined)('tasks in the console', () => {
  const api = useApi();
  const visitor = useVisitor();
  afterEach(() => visitor.leave());
  const opened = (path = '/', how: Parameters<typeof visitor.open>[1] = {}) =>
    visitor.open(`${api.url}${path}#token=${accessToken}`, how);

  it('says when calls are retried and what the dialer is told', async () => {
    const source = await api.aDataSource();
    const page = await opened(`/tasks/new?source=${source.id}`);
    for (const proposal of ['Busy: after 5 minutes', 'No answer: after 2 hours', 'Powered off: tomorrow'])
      await page.getByRole('button', { name: proposal }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('Select a reason, a wait of at most 7 days').waitFor();
    await page.getByRole('group', { name: 'Rule 4' }).getByLabel('Rejected').check();
    await page.getByLabel('Rule 4: Call again after').fill('90');
    await page.getByLabel('Rule 4: at most').fill('2');
    await page.getByLabel('Caller numbers').fill('+86 21 6100 0001， +86 21 6100 0002');
    await page.getByRole('button', { name: 'Add a setting' }).click();
    await page.getByLabel('Field', { exact: true }).fill('script');
    await page.getByLabel('Value', { exact: true }).fill('renewal');
    await expectAccessible(page, 'retries and what the dialer is told');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('Busy: after 5 minutes, at most 3 calls').waitFor();
    await page.getByText('renewal', { exact: true }).waitFor();
    const overview = succeeded(await api.get(`/api/task/${page.url().split('/').at(-1)}/overview`));
    expect(overview).toMatchObject({
      callSettings: { script: 'renewal' },
      callerNumbers: ['+862161000001', '+862161000002'],
      retryOrder: 'due',
      retryRules: [
        { reasons: ['busy'], waitSeconds: 300, attempts: 3 },
        { reasons: ['noAnswer'], waitSeconds: 7200, attempts: 3 },
        { reasons: ['poweredOff'], waitSeconds: 86_400, attempts: 3 },
        { reasons: ['rejected'], waitSeconds: 90 * 3600, attempts: 2 },
      ],
    });
  });

  it('proposes a name that no task has', async () => {
    const source = await api.aDataSource();
    const name = String(source.dataSourceName);
    for (const expected of [name, `${name} 2`, `${name} 3`]) {
      const page = await opened(`/tasks/new?source=${source.id}`);
      const field = page.getByLabel('Task name');
      await field.waitFor();
      expect(await field.inputValue()).toBe(expected);
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByRole('heading', { name: expected, exact: true }).waitFor();
    }
  });

  it('begins and ends at dates, limits its calls and pauses itself, and its copy does so too', async () => {
    const source = await api.aDataSource();
    await api.aContact(String(source.id));
    const page = await opened(`/tasks/new?source=${source.id}`);
    const fillMoment = async (label: string, date: string, time: string) => {
      await page.getByLabel(label, { exact: true }).fill(date);
      await page.getByLabel(`${label}: Time`).fill(time);
    };
    await fillMoment('Not before', '2090-06-02', '9');
    const gap = await page.evaluate(`getComputedStyle(document.querySelector('.field-field')).rowGap`);
    expect(gap).toBe('4px');
    await fillMoment('Ends at', '2090-06-01', '18:00');
    await page.getByLabel('Max. calls at the same time').fill('0');
    await page.getByLabel('Failed calls (%)').fill('50');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    for (const fault of [
      'The end must be after the beginning',
      'Enter a whole number',
      'Enter 1 to 100 percent',
    ])
      await page.getByText(fault).waitFor();
    expect(await page.getByLabel('Among the last (calls)').getAttribute('aria-invalid')).toBe('true');
    await fillMoment('Ends at', '2090-06-30', '18:00');
    await page.getByLabel('Max. calls at the same time').fill('7');
    await page.getByLabel('Among the last (calls)').fill('20');
    await page.getByText(/Can begin .*2090/).waitFor();
    await expectAccessible(page, 'dates and pace');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.waitForURL(/\/tasks\/(?!new)/);
    await page.getByText('2090-06-30 18:00').waitFor();
    const id = page.url().split('/').at(-1);
    const limited = {
      callFrom: '2090-06-02 09:00',
      callUntil: '2090-06-30 18:00',
      maxConcurrentCalls: 7,
      callsPerMinute: null,
      pauseWhen: { failedPercent: 50, calls: 20 },
    };
    expect(succeeded(await api.get(`/api/task/${id}/overview`))).toMatchObject(limited);
    const copy = await opened(`/tasks/new?copy=${id}`);
    await copy.getByLabel('Task name').fill('The copy');
    await copy.getByRole('button', { name: 'Save as draft' }).click();
    await copy.getByRole('heading', { name: 'The copy' }).waitFor();
    const copyId = copy.url().split('/').at(-1);
    expect(succeeded(await api.get(`/api/task/${copyId}/overview`))).toMatchObject(limited);
  });

  it('lists agreed callbacks with their time, and why a contact waits', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    for (let i = 0; i < 2; i++) await api.aContact(dataSourceId as string, {});
    const task = await api.aTaskIn(1, { dataSourceId, callInterval: 3600 });
    const { calls } = succeeded(await api.post('/api/dialer/lease', { limit: 2 })) as unknown as {
      calls: { callId: string }[];
    };
    const inOneDay = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
    const report = (callId: string, more: object) =>
      api.post('/api/dialer/result', { callId, duration: 0, ...more }).then(succeeded);
    await report(String(calls[0]?.callId), { outcome: 'noAnswer', reason: 'busy', callbackTime: inOneDay });
    await report(String(calls[1]?.callId), { outcome: 'noAnswer', reason: 'poweredOff' });
    const page = await opened(`/tasks/${task.id}`);
    await page.getByText('1 callback', { exact: false }).waitFor();
    await page.goto(`${api.url}/tasks/${task.id}/contacts`);
    await page.getByRole('cell', { name: 'Powered off' }).waitFor();
    await page.getByRole('link', { name: /^To be called again/ }).click();
    expect(await page.getByRole('link', { name: /Callback/ }).count()).toBe(0);
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
    const { calls } = succeeded(
      await api.post('/api/dialer/lease', { limit: 3, taskId: task.id }),
    ) as unknown as {
      calls: { callId: string }[];
    };
    for (const [i, duration] of [30, 60, 45].entries()) {
      const outcome = i < 2 ? 'success' : 'noAnswer';
      succeeded(await api.post('/api/dialer/result', { callId: calls[i]?.callId, outcome, duration }));
    }
    const page = await opened(`/tasks/${task.id}`);
    await page.locator('.facts-tile', { hasText: 'Average talk time' }).getByText('0:45').waitFor();
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
    const { calls } = succeeded(
      await api.post('/api/dialer/lease', { limit: 1, taskId: task.id }),
    ) as unknown as { calls: { callId: string }[] };
    const call = { callId: calls[0]?.callId, outcome: 'success', duration: 30 };
    succeeded(await api.post('/api/dialer/result', call));
    const page = await opened(`/tasks/${task.id}`);
    await page.getByRole('button', { name: 'As a table' }).click();
    // Each drawing clears the canvas first: what was written last is what stands there.
    await page.evaluate(`globalThis.written = [];
      const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
      Object.assign(CanvasRenderingContext2D.prototype, {
        clearRect(...area) { written.length = 0; clearRect.apply(this, area); },
        fillText(text, ...at) { written.push(text); fillText.call(this, text, ...at); },
      });`);
    await page.getByRole('button', { name: 'As a chart' }).click();
    const minutes = async () =>
      ((await page.evaluate('written')) as string[]).filter((text) => /^\d\d:\d\d$/.test(text));
    await expect.poll(async () => (await minutes()).length).toBeGreaterThan(0);
    const shown = await minutes();
    expect(shown).toEqual([...new Set(shown)]);
  });

  it('saves what was changed, and asks where a colleague changed the same', async () => {
    const task = await api.aTaskIn(0, { taskName: 'edited by two', priority: 3 });
    const page = await opened(`/tasks/${task.id}/edit`);
    const save = page.getByRole('button', { name: 'Save changes' });
    await page.getByLabel('Description').fill('by me');
    succeeded(await api.post('/api/task/update', { id: task.id, priority: 1, maxDialCount: 5 }));
    await save.click();
    await page.getByRole('heading', { level: 1, name: 'edited by two', exact: true }).waitFor();
    const overview = async () => succeeded(await api.get(`/api/task/${task.id}/overview`));
    expect(await overview()).toMatchObject({ taskDesc: 'by me', priority: 1, maxDialCount: 5 });
    const edit = async (attempts: string) => {
      await page.goto(`${api.url}/tasks/${task.id}/edit`);
      await page.getByLabel('Max. attempts').fill(attempts);
    };
    visitor.expected = /409/;
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
    visitor.expected = undefined;
  });
});
