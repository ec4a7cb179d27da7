import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { expectAccessible, inBrowser, useConsole } from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

inBrowser('the day', () => {
  const clock = new TestClock();
  // Half an hour off the hours of UTC, and another zone than the reader's.
  const { api, opened, dialing } = useConsole({ now: clock.now, timeZone: 'Asia/Kolkata' });

  const dayOf = (path: string, how: Parameters<typeof opened>[1] = {}) =>
    opened(path, { ...how, at: clock.time });
  const call = async (taskId: string, outcomes: readonly string[], duration: number) => {
    const calls = await dialing.lease({ taskId, limit: outcomes.length });
    for (const [i, { callId }] of calls.entries())
      await dialing.report(callId, outcomes[i] as string, duration);
  };

  it('has all calls of today and of the days before by hour and task, also of deleted tasks, and is a file', async () => {
    // 10:15 on the day before, by the clock of the service.
    clock.time = Date.parse('2026-05-03T04:45:00Z');
    const gone = await dialing.aRunningTask(2, { taskName: '=Gone', maxDialCount: 1 });
    await call(gone.id, ['success', 'failed'], 90);
    succeeded(await dialing.operate('close', gone.id));
    succeeded(await dialing.operate('delete', gone.id));
    clock.time = Date.parse('2026-05-04T03:40:00Z');
    const { id } = await dialing.aRunningTask(6, { taskName: 'Morning' });
    await call(id, ['success', 'noAnswer', 'failed'], 3661);
    clock.advance(3600);
    await call(id, ['success'], 1);
    succeeded(await dialing.operate('pause', id));
    await dialing.aRunningTask(1, { taskName: 'No dialer yet' });

    const page = await dayOf('/');
    const tile = (label: string) =>
      page.locator('.figures-tile', { hasText: label }).locator('.figures-tileValue');
    await expect.poll(() => tile('Calls today').innerText()).toBe('4');
    expect(await tile('Connected').innerText()).toBe('2');
    expect(await tile('Connect rate').innerText()).toBe('2 of 4');
    expect(await tile('Talk time').innerText()).toBe('1:01:02');
    const running = page.getByRole('region', { name: 'Running 1' });
    await running.getByRole('link', { name: 'No dialer yet' }).waitFor();
    // Dialers have asked for calls of the other tasks.
    expect(await running.getByText('last dialer request').count()).toBe(0);
    const tasks = page.getByRole('group').filter({ hasText: /^By task: 1 task called/ });
    await tasks.locator('summary').click();
    await tasks.getByRole('link', { name: 'Morning' }).waitFor();
    await tasks.getByText('Paused').waitFor();
    const chart = page.getByRole('region', { name: 'Calls by hour' });
    await chart.getByText('By the clock of the service: Asia/Kolkata').waitFor();
    await expectAccessible(page, 'a day');
    await chart.getByRole('button', { name: 'As a table' }).click();
    const hours = () => chart.getByRole('row').allInnerTexts();
    await expect
      .poll(hours)
      .toEqual([expect.stringMatching(/^Hour/), '10:00\t1\t0\t0\t1 of 1', '09:00\t1\t1\t1\t1 of 3']);

    await page.getByRole('button', { name: 'The day before' }).click();
    await page.getByRole('heading', { name: '3 May 2026' }).waitFor();
    expect(page.url()).toContain('?date=2026-05-03');
    await tasks.getByText('Deleted').waitFor();
    expect(await tasks.getByRole('link').count()).toBe(0);
    await expect.poll(hours).toEqual([expect.any(String), '10:00\t1\t0\t1\t1 of 2']);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export to CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('calls_2026-05-03.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines.slice(0, 5)).toEqual([
      '\uFEFFName,State,Calls,Connected,No answer,Failed,Talk time',
      // A name is no formula.
      "'=Gone,Deleted,2,1,0,1,0:01:30",
      'All tasks,,2,1,0,1,0:01:30',
      '',
      'Hour,,Calls,Connected,No answer,Failed',
    ]);
    expect(lines.slice(5, -1)).toHaveLength(24);
    expect(lines[15]).toBe('10:00,,2,1,0,1');

    await page.getByRole('button', { name: 'The day after' }).click();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    expect(await page.getByRole('button', { name: 'The day after' }).isDisabled()).toBe(true);
    await page.getByLabel('Day', { exact: true }).fill('2026-05-01');
    await page.getByText('No calls on this day.').waitFor();
  });

  it('is read in Chinese on a narrow screen', async () => {
    const page = await dayOf('/?date=2026-05-03', { language: 'zh-CN', width: 390 });
    await page.getByText('按任务：1 个任务有呼叫').click();
    await page.getByText('已删除').waitFor();
    await expectAccessible(page, 'a day, narrow');
    const wider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(wider).toBe(false);
  });

  it('clips nothing at 1,024 pixels, however long the names and figures are', async () => {
    const taskName = 'June renewals of the northern region 六月续费客户回访（华东大区第二批次）';
    const { id } = await dialing.aRunningTask(2, { taskName });
    await call(id, ['success', 'failed'], 90);
    // What scrolls inside of its box, and text that is cut off and cannot be read on a closer look.
    const clipped = `[...document.querySelectorAll('main *')].filter((each) => {
      const { overflowX, webkitLineClamp, display } = getComputedStyle(each);
      const isCut = webkitLineClamp !== 'none' && display !== 'inline' && each.scrollHeight > each.clientHeight + 1;
      return !each.closest('.hidden, [title], [aria-hidden]') && (isCut || (overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1));
    }).map((each) => each.outerHTML.slice(0, 80))`;
    for (const language of ['en-GB', 'zh-CN']) {
      const page = await dayOf('/', { language, width: 1024 });
      await page.route('**/api/task/board?*', async (route) => {
        const response = await route.fetch();
        const [before, day] = (await response.text()).split('"day":');
        const text = day!.replace(/("(?:total|success|failed|noAnswer)":)(\d)/g, '$112345$2');
        const body = `${before}"day":${text.replace(/("talkDuration":)/g, '$199999')}`;
        await route.fulfill({ response, body });
      });
      await page.reload();
      await page.locator('summary').click();
      await page.getByRole('cell', { name: taskName }).first().waitFor();
      await page.getByRole('link', { name: '123,452' }).waitFor();
      expect(await page.evaluate(clipped)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      await page.unroute('**/api/task/board?*');
    }
  });

  it("fetches the zones when a task has another zone than the service, and shows the time of the task's clock", async () => {
    clock.time = Date.parse('2026-12-15T11:59:00Z');
    await dialing.aRunningTask(1, { taskName: 'Here' });
    const page = await dayOf('/');
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    const zones = () => fetched.filter((url) => url.includes('zone-table')).length;
    await page.reload();
    await page.locator('.figures-tile', { hasText: 'Calls today' }).waitFor();
    expect([fetched.length > 0, zones()]).toEqual([true, 0]);
    const hours = { timeZone: 'America/Vancouver', dailyStartTime: '05:00', dailyEndTime: '06:00' };
    const { id } = await dialing.aRunningTask(1, { taskName: 'West', ...hours });
    await page.reload();
    // By the clock of the reader, who is in Shanghai.
    await page.getByText('Opens 20:00').waitFor();
    expect(zones()).toBe(1);
    await page.goto(`${api.url}/tasks/${id}`);
    await page.getByText('opens today at 05:00 (America/Vancouver)').waitFor();
  });
});
