import { expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  unfold,
  useConsole,
} from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

inBrowser('whom a task will call', () => {
  const { api, visitor, opened, overviewOf } = useConsole();

  const aSourceOf = async (dataSourceName: string, phoneNumbers: readonly string[]) => {
    const { id } = await api.aDataSource({ dataSourceName });
    for (const phoneNumber of phoneNumbers) await api.aContact(String(id), { phoneNumber });
    return String(id);
  };

  it('is said before it is published: on which lists, also in which tasks, and in another spelling', async () => {
    await api.aContact('do-not-call', { phoneNumber: '13800138001' });
    const closed = await aSourceOf('Closed accounts', ['13800138002', '13800138004']);
    const dataSourceId = await aSourceOf('June renewals', [
      '13800138001',
      '13800138002',
      '13800138003',
      '+8613800138004',
    ]);
    const other = await aSourceOf('May', ['13800138003']);
    await api.aTaskIn(1, { dataSourceId: other, taskName: 'May reminders' });
    await api.aTaskIn(2, { dataSourceId, taskName: 'Early birds' });
    const rules = { dataSourceId, excludedDataSourceIds: [closed] };
    const { id } = await api.aTask({ ...rules, taskName: 'Renewals' });
    const page = await opened(`/tasks/${id}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(
        '4 in the list, 2 on excluded lists (1 on do-not-call, 1 on “Closed accounts”), 2 will be called; 2 of them are also on the list of the task “Early birds”, which is paused, 1 of them is also on the list of the task “May reminders”, which is running.',
      )
      .waitFor();
    await dialog.getByText(/^1 number will be called although a list has it in another spelling/).waitFor();
    await dialog.getByText('Calls 2 people of “June renewals”', { exact: false }).waitFor();
    await dialog.getByText(/^Once published, .* can no longer be changed\.$/).waitFor();
    await dialog.getByRole('img', { name: '2 will be called, 2 will not' }).waitFor();
    await expectAccessibleDialog(page, 'publish with pre-flight');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download the people who will not be called' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^Renewals_Blocked_.*\.xlsx$/);
    await dialog.getByRole('button', { name: 'Call 2 people' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(succeeded(await api.get(`/api/task/detail/${id}`))).toMatchObject({ status: 1 });
  });

  it('follows the lists that are chosen in the form, in Chinese too', async () => {
    const dataSourceId = await aSourceOf('七月续费', ['13900139001', '13900139002']);
    await aSourceOf('已销户', ['13900139001']);
    const page = await opened(`/tasks/new?source=${dataSourceId}`, { language: 'zh-CN' });
    const called = page.getByRole('complementary').locator('.hero');
    await expect.poll(() => called.innerText()).toBe('2');
    await unfold(page);
    await page.getByLabel('排除名单').fill('已销');
    await page.getByRole('option', { name: '已销户' }).click();
    await page.getByText('在“已销户”中').waitFor();
    await expect.poll(() => called.innerText()).toBe('1');
    await page.getByRole('button', { name: '发布' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '呼叫 1 人' }).waitFor();
  });

  it('is a part of the list: fields and values are proposed, and the matching contacts are counted while typing', async () => {
    const { id: dataSourceId } = await api.aDataSource({ dataSourceName: 'All plans' });
    const plans = ['gold', 'gold', 'silver', 'bronze'];
    for (const [at, plan] of plans.entries())
      await api.aContact(String(dataSourceId), { phoneNumber: `1350013500${at}`, plan });
    const page = await opened(`/tasks/new?source=${dataSourceId}`);
    await page.getByLabel('Task name').fill('Only gold');
    await unfold(page);
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const field = page.getByLabel('Condition 1: field');
    await page.locator('datalist option[value="plan"]').waitFor({ state: 'attached' });
    await field.fill('plan');
    await page.locator('datalist option[value="bronze"]').waitFor({ state: 'attached' });
    await page.getByLabel('Condition 1: value').fill('GOLD');
    await page.getByText('2 of 4 contacts match.').waitFor();
    const facts = page.getByRole('complementary', { name: 'Summary' });
    await facts.getByText('−2').waitFor();
    expect(await facts.locator('.hero').innerText()).toBe('2');
    await expectAccessible(page, 'a form with a filter');
    await page.getByLabel('Condition 1: comparison').selectOption('in');
    await page.getByLabel('Condition 1: value').fill('gold, silver');
    await page.getByText('3 of 4 contacts match.').waitFor();
    await page
      .getByLabel('When all contacts are done')
      .selectOption({ label: 'the task stays open and calls contacts as they are added' });
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('plan is one of gold, silver').waitFor();
    await dialog.getByText(/then stays open for contacts that are added/).waitFor();
    await dialog.getByRole('button', { name: 'Call 3 people' }).click();
    await dialog.waitFor({ state: 'detached' });
    const published = page.url().split('/').at(-1);
    const contactFilter = [{ field: 'plan', is: 'in', value: ['gold', 'silver'] }];
    expect(await overviewOf(published)).toMatchObject({
      ...{ status: 1, keepOpen: true, contactFilter },
    });
  });

  it('is being counted until the answer comes: Publish waits for it, and an estimate is called one', async () => {
    const dataSourceId = await aSourceOf('Long list', ['13200132000', '13200132001']);
    const contactFilter = [{ field: 'phoneNumber', is: 'notEqual', value: '13200132000' }];
    let answer = () => {};
    let held = Promise.resolve();
    const hold = () => {
      held = new Promise((resolve) => {
        answer = resolve;
      });
    };
    hold();
    const page = await opened(`/tasks/new?source=${dataSourceId}`, {
      watch: async (fresh) => {
        await fresh.route('**/api/task/preflight', async (route) => {
          if (!/contactFilter|"id"/.test(route.request().postData() ?? '')) return route.fallback();
          const response = await route.fetch();
          const { data, ...envelope } = (await response.json()) as { data: object };
          await held;
          await route.fulfill({ response, json: { ...envelope, data: { ...data, estimated: true } } });
        });
      },
    });
    const summary = page.getByRole('complementary', { name: 'Summary' });
    await summary.getByText('people of “Long list”').waitFor();
    await unfold(page);
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Condition 1: field').fill('phoneNumber');
    await summary.getByText('Complete the filter to see how many people will be called.').waitFor();
    await page.getByLabel('Condition 1: comparison').selectOption('notEqual');
    await page.getByLabel('Condition 1: value').fill('13200132000');
    await summary.getByText('Counting the contacts that match the filter…').waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await expectAccessible(page, 'a filter that is being counted');
    answer();
    await expect.poll(() => summary.locator('.hero').innerText()).toBe('about 1');
    await page.getByLabel('Condition 1: comparison').selectOption('equal');
    await page.getByLabel('Condition 1: value').fill('1');
    await summary
      .getByText('None of the contacts that were counted would be called.', { exact: false })
      .waitFor();
    expect(await summary.getByText('No contact of the list would be called', { exact: false }).count()).toBe(
      0,
    );
    const { id } = await api.aTask({ dataSourceId, contactFilter });
    hold();
    await page.goto(`${api.url}/tasks/${id}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true);
    answer();
    await dialog.getByRole('button', { name: 'Call about 1 person' }).waitFor();
    await dialog.getByText('about 1 will be called', { exact: false }).waitFor();
  });

  it('is what all figures are of, from the first second to the last', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const contacts = Array.from({ length: 90 }, (_, i) => ({
      ...{ phoneNumber: `134001350${10 + i}`, plan: i % 3 === 0 ? 'gold' : 'silver' },
    }));
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/batchAdd`, { contacts }));
    const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
    const nobody = await api.aTask({ dataSourceId, contactFilter: [{ ...contactFilter[0], value: 'x' }] });
    const page = await opened(`/tasks/${nobody.id}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('0 will be called', { exact: false }).waitFor();
    expect(await page.getByText('Can begin at once.').count()).toBe(0);
    const uncounted = await api.aTaskIn(1, { dataSourceId, contactFilter });
    await page.goto(`${api.url}/tasks/${uncounted.id}`);
    const notCalled = page.getByRole('link', { name: /^Callable now/ });
    await expect.poll(() => notCalled.textContent()).toBe('Callable now––');
    const { id, taskName } = await api.aTask({ dataSourceId, contactFilter, maxDialCount: 1 });
    await page.goto(`${api.url}/tasks/${id}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Call 30 people' }).click();
    await page.getByText('60 not selected').waitFor();
    await expect.poll(() => notCalled.textContent()).toBe('Callable now30100%');
    await notCalled.click();
    await page.getByText(/^Of these contacts 30 match the filter/).waitFor();
    await page.goBack();
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId: id, limit: 4 }));
    for (const { callId } of (calls as { callId: string }[]).slice(1))
      succeeded(await api.post('/api/dialer/result', { callId, outcome: 'success', duration: 5 }));
    await page.getByRole('link', { name: /^Reached\s*3\s*10%$/ }).waitFor();
    await page.getByText('3 of 3', { exact: true }).waitFor();
    await expect.poll(() => notCalled.textContent()).toBe('Callable now2686.7%');
    await page.goto(`${api.url}/tasks`);
    const row = page.getByRole('row', { name: String(taskName) });
    await row.getByRole('img', { name: /^Reached 3, / }).waitFor();
    await row.getByText('10%').waitFor();
    await page.goto(`${api.url}/compare?ids=${id}`);
    await page.getByRole('row', { name: /^Contacts 30$/ }).waitFor();
    await page.getByRole('row', { name: /^Remaining 27$/ }).waitFor();
    await page.getByRole('row', { name: /^Connect rate 3 of 3$/ }).waitFor();
    succeeded(
      await api.post('/api/task/adjust', { id, contactFilter: [{ ...contactFilter[0], value: 'x' }] }),
    );
    const chinese = await opened(`/tasks/${id}`, { language: 'zh-CN' });
    await chinese.getByText('总人数 约 30').waitFor();
    await chinese.getByText('约 27', { exact: true }).waitFor();
    await chinese.getByText('3 次中 3 次').first().waitFor();
  });

  it('may be adjusted while the task runs: the matching contacts are counted before, and called after', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    for (const [at, plan] of ['gold', 'silver', 'silver'].entries())
      await api.aContact(String(dataSourceId), { phoneNumber: `1330013300${at}`, plan });
    const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
    const { id } = await api.aTaskIn(1, { dataSourceId, contactFilter });
    const page = await opened(`/tasks/${id}`, { language: 'zh-CN', width: 390 });
    await page.getByRole('button', { name: '更多操作' }).click();
    await page.getByRole('menuitem', { name: '调整' }).click();
    const dialog = page.getByRole('dialog');
    await unfold(dialog);
    await dialog.getByText('3 个联系人中 1 个符合条件。').waitFor();
    await dialog.getByLabel('条件 1：比较方式').selectOption({ label: '不等于' });
    await dialog.getByText('3 个联系人中 2 个符合条件。').waitFor();
    await dialog.getByLabel('全部联系人呼叫完后').selectOption({ label: '持续呼叫（等待新联系人）' });
    await dialog.getByRole('button', { name: '保存修改' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await overviewOf(id)).toMatchObject({
      ...{ keepOpen: true, contactFilter: [{ field: 'plan', is: 'notEqual', value: 'gold' }] },
    });
    const leased = succeeded(await api.post('/api/dialer/lease', { taskId: id }));
    expect(leased.calls).toHaveLength(2);
  });

  it('does not stop a task from being published when the lists cannot be compared', async () => {
    const dataSourceId = await aSourceOf('Unknown', ['13700137001']);
    const { id } = await api.aTask({ dataSourceId });
    visitor.expected = /Failed to load resource|ERR_/;
    const page = await opened(`/tasks/${id}`);
    await page.route('**/api/task/preflight', (route) => route.fulfill({ status: 400, json: { code: 400 } }));
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(/^The lists could not be compared now/).waitFor();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('cannot be confirmed for a task that can never call', async () => {
    const dataSourceId = await aSourceOf('Too late', ['13500135001']);
    const page = await opened(`/tasks/new?source=${dataSourceId}`);
    await unfold(page);
    await page.getByLabel('Ends at', { exact: true }).fill('2026-01-01');
    await page.getByText('This end is in the past.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await page.getByLabel('Ends at', { exact: true }).fill('');
    await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isEnabled()).toBe(true);
    const { id } = await api.aTask({ dataSourceId, callUntil: '2026-01-01 10:00' });
    await page.goto(`${api.url}/tasks/${id}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Call 1 person' }).isDisabled()).toBe(
      true,
    );
  });
});

inBrowser('the rules of the service', () => {
  const { api, opened, overviewOf } = useConsole({
    ...{ country: 'CN', maxConcurrentCalls: 200, maxCallsPerNumberPerDay: 3 },
    ...{ callLimits: [{ calls: 7, minutes: 7 * 24 * 60 }], restAfterSuccess: 24 },
    callingHours: { start: '08:00', end: '21:00' },
  });

  it('stand on one page, and beside the fields that they cap', async () => {
    const page = await opened('/service');
    await page.getByRole('link', { name: 'Calling rules' }).waitFor();
    await page.getByText('08:00-21:00').waitFor();
    await page.getByText('China').waitFor();
    await page.getByText('at most 7 calls to a number in 7 days').waitFor();
    await expectAccessible(page, 'calling rules');
    await page.goto(`${api.url}/tasks/new`);
    for (const rule of [
      'only 08:00-21:00',
      'a number is called at most 3 times a day',
      'at most 200 calls',
      'at most 7 calls to a number in 7 days',
      'no call for 1 day after a conversation',
    ]) {
      await expect.poll(() => page.getByText(rule).count()).toBe(1);
    }
    await page.getByLabel('From', { exact: true }).fill('21:30');
    await page.getByLabel('To', { exact: true }).fill('23:00');
    await page.getByText('These settings leave no time to call.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  });

  it('are joined by the limits and rests of a task, which are checked and said', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(String(dataSourceId), { callAfter: 'next week' });
    const page = await opened(`/tasks/new?source=${dataSourceId}`);
    await unfold(page);
    await page.getByText('1 contact has a callAfter or callBefore that is no date or time.').waitFor();
    await page.getByRole('button', { name: 'Add a limit' }).click();
    await page.getByLabel('Limit 1: in').fill('31');
    await page.getByText(/^Enter 1 to 1,000 calls in at most 30 days/).waitFor();
    await page.getByLabel('Limit 1: in').fill('30');
    await page.getByLabel('Rest after a conversation (hours)').fill('168');
    await page.getByRole('button', { name: 'Add a disposition' }).click();
    await page.getByLabel('Code').fill('refused');
    await page.getByLabel('Rest (hours)').fill('1440');
    await expectAccessible(page, 'limits on calls');
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('at most 3 calls to a number in 30 days').waitFor();
    await page.getByText('refused (no call for 60 days)').waitFor();
    expect(await overviewOf(page.url().split('/').at(-1))).toMatchObject({
      callLimits: [{ calls: 3, minutes: 30 * 24 * 60 }],
      restAfterSuccess: 168,
      dispositions: [{ code: 'refused', restHours: 1440 }],
    });
  });
});
