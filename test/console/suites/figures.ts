import type { Locator, Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { expectAccessible, inBrowser, useConsole } from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';
import { until } from '../../support/service/object-store.ts';

/** What the service answers to requests of a path: as usual, never, or with an error. */
class Answers {
  #mode: 'usual' | 'held' | 'failing' = 'usual';
  #held: (() => void)[] = [];

  async watch(page: Page, path: string): Promise<void> {
    await page.route(path, async (route: Route) => {
      if (this.#mode === 'failing') {
        const error = { code: 500, errorCode: 'INTERNAL', message: 'broken', requestId: 'r', data: null };
        return route.fulfill({ status: 500, json: error });
      }
      if (this.#mode === 'held') await new Promise<void>((resolve) => this.#held.push(resolve));
      await route.continue();
    });
  }

  fail(): void {
    this.#mode = 'failing';
  }

  hold(): void {
    this.#mode = 'held';
  }

  heal(): void {
    this.#mode = 'usual';
    for (const release of this.#held.splice(0)) release();
  }
}

inBrowser('a figure', () => {
  const { api, visitor, opened, dialing } = useConsole();
  /** A page whose requests to the path are answered as the test says. */
  const answeredBy = (path: string, asked: string, answers: Answers) => {
    visitor.expected = /500/;
    return opened(path, {
      clock: true,
      // A page of its own for each: the routes of another would stay.
      width: 1300 + ++pages,
      watch: (page) => answers.watch(page, asked),
    });
  };
  let pages = 0;
  const tile = (page: Page, label: string) => page.locator('.figures-tile', { hasText: label });
  /** A running task with calls of which the service keeps a timeline. */
  const called = async (taskName: string) => {
    const { id } = await dialing.aRunningTask(6, { taskName, callInterval: 3600 });
    const outcomes = ['success', 'success', 'noAnswer'];
    const calls = await dialing.lease({ taskId: id, limit: outcomes.length });
    for (const [i, { callId }] of calls.entries()) await dialing.report(callId, outcomes[i] as string);
    return id;
  };
  /** The age of the figures, once the page has asked again and again. */
  const becomesOld = (page: Page, within: Page | Locator = page) =>
    expect
      .poll(async () => {
        await page.clock.fastForward(5_000);
        return within.getByText(/Could not be updated, as of \d\d:\d\d:\d\d/).count();
      })
      .toBeGreaterThan(0);

  it('of the calls of a task is no claim while it is on its way, says that it failed, and keeps its last rows', async () => {
    const id = await called('Chart');
    const answers = new Answers();
    answers.hold();
    const page = await answeredBy(`/tasks/${id}`, '**/timeline?*', answers);
    const chart = page.getByRole('region', { name: 'Calls over time' });
    await chart.waitFor();
    expect(await chart.getByText(/No calls/).count()).toBe(0);
    answers.fail();
    await page.reload();
    await chart.getByText('Could not be loaded').waitFor();
    expect(await chart.getByText(/No calls/).count()).toBe(0);
    answers.heal();
    await page.reload();
    await chart.getByRole('button', { name: 'As a table' }).click();
    const rows = chart.getByRole('row');
    await expect.poll(() => rows.count()).toBe(2);
    answers.fail();
    for (const { callId } of await dialing.lease({ taskId: id, limit: 1 }))
      await dialing.report(callId, 'failed');
    await becomesOld(page, chart);
    expect(await rows.count()).toBe(2);
    await expectAccessible(page, 'an old chart', { themes: ['light'] });
  });

  it('of the pace says that it is old or not known', async () => {
    const id = await called('Pace');
    const answers = new Answers();
    answers.fail();
    const page = await answeredBy(`/tasks/${id}`, '**/outlook', answers);
    const pace = tile(page, 'Calls a minute');
    await pace.getByText('Could not be loaded').waitFor();
    expect(await pace.locator('.figures-tileValue').innerText()).toBe('–');
    answers.hold();
    await page.reload();
    await expect.poll(() => tile(page, 'Calls a minute').innerText()).toContain('…');
    answers.heal();
    // A pace is known a minute after the start of the task, and asked for every minute.
    const value = tile(page, 'Calls a minute').locator('.figures-tileValue');
    await page.clock.fastForward(61_000);
    await expect.poll(() => value.innerText()).toMatch(/\d/);
    const known = await value.innerText();
    answers.fail();
    await page.clock.fastForward(61_000);
    await becomesOld(page, tile(page, 'Calls a minute'));
    expect(await value.innerText()).toBe(known);
  });

  it('of contacts with a final outcome has the blocked ones, which are not still to dial', async () => {
    await api.aContact('do-not-call', { phoneNumber: '13800138102' });
    const phones = ['13800138101', '13800138102', '13800138103'];
    const { id } = await api.aTaskOf(phones.map((phoneNumber) => ({ phoneNumber })));
    const [call] = await dialing.lease({ taskId: id, limit: 1 });
    await dialing.report(call!.callId, 'success');
    // The second is found blocked on the way to the third.
    await dialing.lease({ taskId: id, limit: 1 });
    const page = await opened(`/tasks/${id}`);
    await page.getByText('2 done').waitFor();
    expect(await page.getByRole('link', { name: /^Not called yet/ }).count()).toBe(0);
  });

  it('of contacts that wait names the first time, is no claim before it is known, and says that it is old', async () => {
    const id = await called('Waiting');
    const answers = new Answers();
    answers.hold();
    const page = await answeredBy(`/tasks/${id}`, '**/overview', answers);
    const figure = page.getByRole('link', { name: /^Waiting/ });
    expect(await figure.count()).toBe(0);
    answers.fail();
    await page.reload();
    await page.getByText(/^broken/).waitFor();
    expect(await figure.count()).toBe(0);
    answers.heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: /^\d+\s*Retry\s*from / }).waitFor();
    expect(await figure.locator('.figure').innerText()).toBe('1');
    answers.fail();
    const [call] = await dialing.lease({ taskId: id, limit: 1 });
    await dialing.report(call!.callId, 'noAnswer');
    await becomesOld(page);
    expect(await figure.locator('.figure').innerText()).toBe('1');
    await page.getByRole('link', { name: /^\d+\s*Retry\s*from / }).waitFor();
  });

  it('of a task in the list or on its page says that it could not be loaded, or how old it is', async () => {
    const id = await called('Overviews');
    const answers = new Answers();
    answers.hold();
    const page = await answeredBy('/tasks', '**/task/{board,overviews}?*', answers);
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    const row = page.getByRole('row', { name: /Overviews/ });
    expect(await row.count()).toBe(0);
    expect(await page.getByText(/No tasks yet/).count()).toBe(0);
    answers.fail();
    await page.reload();
    const refused = page.getByText(/^broken/);
    await refused.waitFor();
    answers.heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await refused.waitFor({ state: 'detached' });
    await row.getByRole('img', { name: /^Reached 2, / }).waitFor();
    answers.fail();
    await becomesOld(page);
    await row.getByRole('img', { name: /^Reached 2, / }).waitFor();
    const other = new Answers();
    const task = await answeredBy(`/tasks/${id}`, '**/overview', other);
    await task.getByRole('link', { name: /^Reached/ }).waitFor();
    other.fail();
    await becomesOld(task);
    await task.getByRole('link', { name: /^Reached/ }).waitFor();
  });

  it('of a day is not known while it is on its way, and says that it is old', async () => {
    const id = await called('Day');
    const answers = new Answers();
    answers.hold();
    const before = await answeredBy('/?date=2026-05-03', '**/service/day?*', answers);
    const then = tile(before, 'Connected');
    await expect.poll(() => then.innerText()).toContain('…');
    expect(await before.getByText('No calls on this day.').count()).toBe(0);
    answers.fail();
    await before.reload();
    await tile(before, 'Calls').getByText('Could not be loaded').waitFor();
    expect(await then.locator('.figures-tileValue').innerText()).toBe('–');
    expect(await before.getByText('No calls on this day.').count()).toBe(0);
    const overviews = new Answers();
    const page = await answeredBy('/', '**/task/{board,overviews}?*', overviews);
    const figure = tile(page, 'Calls today');
    const shown = () => figure.locator('.figures-tileValue').innerText();
    await expect.poll(shown).toMatch(/^\d+$/);
    const calls = Number(await shown());
    const call = async () => {
      const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
      await dialing.report(callId, 'failed');
    };
    await call();
    await expect.poll(shown).toBe(String(calls + 1));
    overviews.fail();
    await call();
    await becomesOld(page, figure);
  });

  it('of what needs attention names the task, the reason and the time, on Today and in the list', async () => {
    const { id } = await dialing.aRunningTask(20, {
      ...{ taskName: 'Dead trunk', maxDialCount: 1 },
      pauseWhen: { failedPercent: 80, calls: 10 },
    });
    const answers = new Answers();
    const page = await answeredBy('/', '**/task/{board,overviews}?*', answers);
    const calling = page.getByRole('region', { name: /^Running/ });
    await calling.getByText('Dead trunk').first().waitFor();
    for (const { callId } of await dialing.lease({ taskId: id, limit: 10 }))
      await dialing.report(callId, 'failed');
    // Before the list of running tasks is read again.
    await calling.getByText('Dead trunk').first().waitFor({ state: 'detached' });
    await page.reload();
    const words = 'Paused itself: 10 of the last 10 calls failed (limit: 80%)';
    const attention = page.getByRole('region', { name: /needs? attention$/ });
    await attention.getByText(words).waitFor();
    await expectAccessible(page, 'needs attention');
    answers.fail();
    await becomesOld(page);
    await attention.getByText(words).waitFor();
    answers.hold();
    await page.reload();
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    expect(await page.getByText(/No tasks yet/).count()).toBe(0);
    answers.fail();
    await page.reload();
    await page.getByText(/^broken/).waitFor();
    expect(await page.getByText(/No tasks yet/).count()).toBe(0);
    answers.heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await attention.getByRole('link', { name: 'Dead trunk' }).click();
    await page.locator('header').getByText(words).waitFor();
    await page.goto(`${api.url}/tasks?status=2`);
    await page
      .getByRole('row', { name: /Dead trunk/ })
      .getByText(words)
      .waitFor();
  });

  it('of what needs attention is on Today at once after the list of the same tasks', async () => {
    const { id } = await dialing.aRunningTask(20, {
      ...{ taskName: 'Paused itself', maxDialCount: 1 },
      pauseWhen: { failedPercent: 80, calls: 10 },
    });
    for (const { callId } of await dialing.lease({ taskId: id, limit: 10 }))
      await dialing.report(callId, 'failed');
    // The list asks for the same page of running tasks, without what needs attention. The clock stands still: what was
    // read is not read again.
    const page = await opened('/tasks?status=1&size=50', { at: Date.now() });
    await page.getByRole('link', { name: 'Today' }).click();
    const attention = page.getByRole('region', { name: /needs? attention$/ });
    await attention.getByRole('link', { name: 'Paused itself' }).waitFor();
  });

  it('of an import that failed names the file, the list, the reason and the way there, on Today and in the lists', async () => {
    await called('Beside the import');
    const { id } = await api.aDataSource({ dataSourceName: 'June leads' });
    const asked = { fileName: 'june.csv', fileSize: 8 };
    const upload = succeeded(await api.post(`/api/dataSource/${id}/contact/importUpload`, asked));
    await fetch(String(upload.uploadUrl), { method: 'PUT', body: 'name\nAnn' });
    await until(async () => {
      const { imports } = succeeded(await api.get('/api/task/board', { imports: 'true' }));
      return (imports as object[]).length > 0;
    });
    const answers = new Answers();
    answers.hold();
    const page = await answeredBy('/', '**/task/{board,overviews}?*', answers);
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    expect(await page.getByText('june.csv').count()).toBe(0);
    answers.heal();
    const attention = page.getByRole('region', { name: /needs? attention$/ });
    const entry = attention.getByRole('listitem').filter({ hasText: 'june.csv' });
    await entry.getByText('No column holds phone numbers.').waitFor();
    await entry.getByText('Import into “June leads”').waitFor();
    await entry.getByText(/^\d\d:\d\d$/).waitFor();
    answers.fail();
    await becomesOld(page);
    await entry.getByText('No column holds phone numbers.').waitFor();
    await entry.getByRole('link', { name: 'june.csv' }).click();
    const row = page.getByRole('row', { name: /june\.csv/ });
    await row.getByText('No column holds phone numbers.').waitFor();

    const troubles = new Answers();
    troubles.fail();
    const lists = await answeredBy('/sources', '**/task/board?*', troubles);
    const list = lists.getByRole('row', { name: /June leads/ });
    await list.waitFor();
    troubles.heal();
    await lists.reload();
    await list.getByText('No column holds phone numbers.').waitFor();
    await expectAccessible(lists, 'lists with a failed import');
    troubles.fail();
    await list.getByRole('link', { name: '“june.csv”' }).click();
    await lists.getByRole('row', { name: /june\.csv/ }).waitFor();
  });
});

inBrowser('who can be called today', () => {
  const clock = new TestClock();
  const { opened, dialing } = useConsole({
    now: clock.now,
    timeZone: 'Asia/Shanghai',
    maxCallsPerNumberPerDay: 1,
  });

  it('is told apart from who waits until tomorrow, with the reason and the time; the parts add up', async () => {
    const hours = { dailyStartTime: '08:00', dailyEndTime: '20:00', callInterval: 600, maxDialCount: 2 };
    const { id } = await dialing.aRunningTask(40, { ...hours, callsPerMinute: 4 });
    // From 18:00 to 18:05:20.
    for (let call = 0; call < 20; call++) {
      const [leased] = await dialing.lease({ taskId: id, limit: 1 });
      await dialing.report(leased!.callId, call % 2 === 0 ? 'success' : 'noAnswer', 5);
      clock.advance(16);
    }
    const open = (path: string, language = 'en-GB') => opened(path, { language, at: clock.time });
    const page = await open(`/tasks/${id}`);
    const hero = page.locator('.hero');
    await expect.poll(() => hero.innerText()).toBe('20');
    await page
      .getByText(/^About until 18:1\d at \d(\.\d)? a minute\. 10 later, from tomorrow 08:00\.$/)
      .waitFor();
    await page.getByRole('link', { name: /^10\s*Calling hours\s*from tomorrow 08:00$/ }).waitFor();
    for (const part of [/^Reached\s*10/, /^Callable now\s*20/, /^Waiting\s*10/])
      await page.getByRole('link', { name: part }).waitFor();
    await expectAccessible(page, 'who can be called today');
    const list = await open('/tasks');
    await list.getByRole('row', { name: /\b20\b.*\b10\b/ }).waitFor();
    const today = await open('/');
    await today.getByText('20 callable now, 10 later', { exact: false }).waitFor();
    const chinese = await open(`/tasks/${id}`, 'zh-CN');
    await chinese.getByText(/约到 18:1\d。 另有 10 人明天 08:00 起可呼叫。/).waitFor();
    await chinese.getByRole('link', { name: /呼叫时段\s*明天 08:00 起/ }).waitFor();
  });
});
