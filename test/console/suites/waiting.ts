import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { expectAccessible, inBrowser, useConsole } from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';
import { workOffAt } from '../../support/service/due-work.ts';

inBrowser('a contact that waits', () => {
  const clock = new TestClock();
  const { api, opened, dialing } = useConsole({ now: clock.now, maxCallsPerNumberPerDay: 2 });

  it('says what it waits for, and which of its calls were callbacks', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const add = (phoneNumber: string, fields = {}) =>
      api.aContact(dataSourceId as string, { phoneNumber, ...fields });
    await add('13800000001');
    await add('13800000002');
    await add('13800000003');
    // 22:00 by its own clock.
    await add('13800000004', { timeZone: 'Pacific/Auckland' });
    const hours = { dailyStartTime: '00:00', dailyEndTime: '20:00', timeZone: 'UTC' };
    const task = await api.aTaskIn(1, { dataSourceId, ...hours, maxDialCount: 1, callInterval: 3600 });
    const id = String(task.id);
    const callsOf = async (more: Readonly<Record<string, object>>) => {
      for (const { callId, phoneNumber } of await dialing.lease({ taskId: id, limit: 10 })) {
        const result = { callId, outcome: 'noAnswer', reason: 'busy', ...more[phoneNumber] };
        succeeded(await api.post('/api/dialer/result', result));
      }
    };
    const soon = { callbackTime: '2026-05-04 10:10:00' };
    await callsOf({ '13800000001': soon, '13800000002': soon, '13800000003': soon });
    clock.advance(600);
    await callsOf({
      '13800000001': { callbackTime: '2026-05-04 10:30:00' },
      '13800000002': { callbackTime: '2026-05-08 10:30:00' },
    });
    clock.advance(1200);
    // The first has had its two calls of the day.
    await callsOf({});
    const { rows } = succeeded(await api.get(`/api/task/${id}/contacts`)) as unknown as {
      rows: { phoneNumber: string; waitReason: string | null; callbacks: number }[];
    };
    const facts = Object.fromEntries(rows.map((row) => [row.phoneNumber.slice(-1), row]));
    expect(facts).toMatchObject({
      1: { waitReason: 'DAILY_LIMIT', callbacks: 2 },
      2: { waitReason: 'CALLBACK', callbacks: 2 },
      3: { callbacks: 1 },
      4: { waitReason: 'HOURS', callbacks: 0 },
    });
    const page = await opened(`/tasks/${id}/contacts`, { at: clock.time });
    const rowOn = (on: Page) => (number: number) =>
      on.getByRole('row', { name: new RegExp(`1380000000${number}`) });
    const row = rowOn(page);
    await row(1)
      .getByText(/^Limit of the day/)
      .waitFor();
    await row(2).getByText('Callback', { exact: true }).last().waitFor();
    await row(2).getByText('1 of them was a callback').waitFor();
    await row(3).getByText('1 of them was a callback').waitFor();
    await row(4).getByText('Calling hours').waitFor();
    await expectAccessible(page, 'contacts that wait', { themes: ['light'] });
    await api.aContact('do-not-call', { phoneNumber: '13800000001' });
    const chinese = await opened(`/tasks/${id}/contacts`, { language: 'zh-CN', at: clock.time });
    await rowOn(chinese)(2).getByText('预约回呼').last().waitFor();
    await rowOn(chinese)(4).getByText('呼叫时段').waitFor();
    expect(await rowOn(chinese)(1).getByText('当日上限').count()).toBe(0);
    await page.goto(`${api.url}/people#13800000004`);
    const next = page.getByRole('listitem').filter({ hasText: `Next call · ${task.taskName}` });
    await next.getByText(/^Calling hours: /).waitFor();
  });
});

inBrowser('a contact that is blocked', () => {
  const { api, opened, dialing } = useConsole();

  it('says which lists have its number, in the task and on the page of the number', async () => {
    const { id: closed } = await api.aDataSource({ dataSourceName: 'Closed accounts' });
    for (const list of [String(closed), 'do-not-call'])
      await api.aContact(list, { phoneNumber: '13600136001' });
    const { id: dataSourceId } = await api.aDataSource();
    await api.aContact(dataSourceId as string, { phoneNumber: '13600136001' });
    const task = await api.aTaskIn(1, { dataSourceId, excludedDataSourceIds: [closed] });
    expect(await dialing.lease({ taskId: task.id, limit: 1 })).toEqual([]);
    const page = await opened(`/tasks/${task.id}/contacts`);
    const row = page.getByRole('row', { name: /13600136001/ });
    await row.getByText('Blocked').waitFor();
    await row.getByText(/on “Closed accounts”/).waitFor();
    await row.getByText(/Do not call/).waitFor();
    const chinese = await opened('/', { language: 'zh-CN' });
    await chinese.goto(`${api.url}/people#13600136001`);
    await chinese.getByText(/在排除名单“Closed accounts”中/).waitFor();
  });
});

inBrowser('an import that is stuck', () => {
  const clock = new TestClock();
  const { api, opened } = useConsole({ now: clock.now });

  it('stands on Today and in the lists with its file, its time and what to do', async () => {
    const { id } = await api.aDataSource({ dataSourceName: 'July leads' });
    const asked = { fileName: 'july.csv', fileSize: 8 };
    succeeded(await api.post(`/api/dataSource/${id}/contact/importUpload`, asked));
    const look = {
      kind: 'import',
      claimMs: 360_000,
      work: async () => ({ next: clock.time + 300_000 }),
    } as const;
    clock.advance(3601);
    await workOffAt(api.database, [look], clock.time);
    const page = await opened('/', { at: clock.time });
    const attention = page.getByRole('region', { name: /needs? attention$/ });
    const entry = attention.getByRole('listitem').filter({ hasText: 'july.csv' });
    await entry.getByText('The file has not arrived. Import it again.').waitFor();
    await entry.getByText('Import into “July leads”').waitFor();
    await entry.getByText(/^since /).waitFor();
    // From here on nothing looks at it.
    clock.advance(3600);
    await page.reload();
    await entry.getByText('Does not come to its end. The service tries again.').waitFor();
    await entry.getByRole('link', { name: 'july.csv' }).click();
    await page.getByRole('row', { name: /july\.csv/ }).waitFor();
    const lists = await opened('/sources', { at: clock.time });
    const list = lists.getByRole('row', { name: /July leads/ });
    await list.getByText('Does not come to its end. The service tries again.').waitFor();
  });
});
