import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TaskContact } from '../../../client/client.ts';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { inBrowser, useConsole } from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

const zone = 'Asia/Shanghai';
const zoneMs = 8 * 3_600_000;
const hourMs = 3_600_000;
/** The service and the reader have the same clock. */
const instantOf = (time: string) => Date.parse(`${time.replace(' ', 'T')}Z`) - zoneMs;
const clockAt = (instant: number) => new Date(instant + zoneMs).toISOString();
const dayOf = (instant: number) => clockAt(instant).slice(0, 10);

/** The words for each reason, written once more: those of the page are not asked. */
const words = {
  HOURS: { label: 'Calling hours', some: () => 'open at' },
  RETRY: { label: 'Retry', some: (count: number) => (count === 1 ? 'retry at' : 'retries from') },
  CALLBACK: { label: 'Callback', some: (count: number) => (count === 1 ? 'callback at' : 'callbacks from') },
  DAILY_LIMIT: { label: 'Limit of the day', some: () => 'at the limit of the day until' },
} as const;
type Reason = keyof typeof words;

/** What the contacts of a task say of the future. */
class Recount {
  readonly waiting: { reason: Reason; at: number; agreed: number | undefined }[];
  readonly callable: number;
  readonly inCall: number;
  readonly now: number;

  constructor(contacts: readonly TaskContact[], now: number) {
    const left = contacts.filter(({ outcome }) => ['notDialed', 'waiting', 'callback'].includes(outcome));
    this.now = now;
    this.inCall = contacts.filter(({ outcome }) => outcome === 'inCall').length;
    this.callable = left.filter(({ nextCallTime }) => nextCallTime === null).length;
    this.waiting = left
      .filter(({ nextCallTime }) => nextCallTime !== null)
      .map(({ nextCallTime, waitReason, callbackTime }) => ({
        reason: waitReason as Reason,
        at: instantOf(String(nextCallTime)),
        agreed: callbackTime === null ? undefined : instantOf(callbackTime),
      }))
      .sort((a, b) => a.at - b.at);
  }

  when(at: number): string {
    const time = clockAt(at).slice(11, 16);
    if (dayOf(at) === dayOf(this.now)) return time;
    if (dayOf(at) === dayOf(this.now + 24 * hourMs)) return `tomorrow ${time}`;
    const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: zone });
    return `${format.format(at)}, ${time}`;
  }

  /** By reason, the one that begins first comes first. */
  get reasons() {
    const names = [...new Set(this.waiting.map(({ reason }) => reason))];
    return names.map((reason) => {
      const times = this.waiting.filter((each) => each.reason === reason).map(({ at }) => at);
      return { reason, count: times.length, first: times[0] as number, last: times.at(-1) as number };
    });
  }

  get today(): number {
    const today = this.waiting.filter(({ at }) => dayOf(at) === dayOf(this.now));
    return this.callable + this.inCall + today.length;
  }

  /** As the page of the task lists them. */
  get waitLines(): string[] {
    return this.reasons.map(({ reason, count, first, last }) => {
      const end = dayOf(first) === dayOf(last) ? clockAt(last).slice(11, 16) : this.when(last);
      const times =
        last - first < 60_000
          ? `from ${this.when(first)}`
          : `the first at ${this.when(first)}, the last at ${end}`;
      return `${count} ${words[reason].label} ${times}`;
    });
  }

  /** Of the next 24 hours, those in which contacts become callable. */
  get hours(): string {
    const start = Math.floor(this.now / hourMs) * hourMs;
    return Array.from({ length: 24 }, (_, i) => start + i * hourMs)
      .map(
        (from) => [from, this.waiting.filter(({ at }) => at >= from && at < from + hourMs).length] as const,
      )
      .filter(([, count]) => count > 0)
      .map(([from, count]) => `${clockAt(from).slice(11, 16)}: ${count}`)
      .join(', ');
  }

  get moved(): number {
    return this.waiting.filter(({ at, agreed }) => agreed !== undefined && at > agreed).length;
  }
}

inBrowser('what the console says of the future', () => {
  const clock = new TestClock();
  const settings = { now: clock.now, timeZone: zone, maxCallsPerNumberPerDay: 2 };
  const { api, opened, dialing } = useConsole(settings);
  const shown = (instant: number) => clockAt(instant).slice(0, 19).replace('T', ' ');
  const names = new Map<string, string>();
  const run = async (taskName: string, contacts: number, more: object = {}) => {
    const rules = { taskName, maxDialCount: 5, callInterval: 3600, ...more };
    // Each has numbers of its own: another task's call to a number is noticed when its turn comes.
    const { id } = await api.aTaskOf(contacts, rules);
    names.set(String(id), taskName);
    return String(id);
  };
  const call = async (taskId: string, limit: number, more: object = {}) => {
    for (const { callId } of await dialing.lease({ taskId, limit }))
      succeeded(await api.post('/api/dialer/result', { callId, outcome: 'noAnswer', ...more }));
  };
  const contactsOf = async (id: string): Promise<TaskContact[]> => {
    const rows: TaskContact[] = [];
    for (let pageToken: string | null = ''; pageToken !== null; ) {
      const answer: Record<string, unknown> = succeeded(
        await api.get(`/api/task/${id}/contacts`, { pageSize: 100, pageToken }),
      );
      rows.push(...(answer.rows as TaskContact[]));
      pageToken = answer.nextPageToken as string | null;
    }
    return rows;
  };
  const recounted = async (id: string) => new Recount(await contactsOf(id), clock.time);
  const text = async (page: Page, selector: string) =>
    (await page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();

  const expectTask = async (id: string) => {
    const found = await recounted(id);
    const page = await opened(`/tasks/${id}`, { at: clock.time });
    const said = `${names.get(id)} at ${shown(clock.time)}`;
    await expect.poll(() => text(page, '.hero'), { message: said }).toBe(String(found.today));
    const lead = await text(page, '.task-lead');
    const later = found.waiting.filter(({ at }) => dayOf(at) !== dayOf(clock.time));
    const next = later[0];
    // A wait that begins today says nothing of the first one tomorrow.
    const possible = next && [
      `${later.length} later, from ${found.when(next.at)}.`,
      `${later.length} later.`,
    ];
    expect(possible ?? [undefined], said).toContain(lead.match(/[\d,]+ later.*/)?.[0]);
    const lines = await page.locator('.task-waits a').allInnerTexts();
    const waits = lines.map((line) => line.replaceAll(/\s+/g, ' '));
    expect(waits, said).toEqual(found.waitLines);
    const chart = page.getByRole('region', { name: 'The next 24 hours' });
    const hours = (await chart.count()) === 0 ? '' : await chart.locator('p.hidden').innerText();
    expect(hours, said).toBe(found.hours);
  };

  const expectLists = async () => {
    const found = new Map<string, Recount>();
    for (const id of names.keys()) found.set(id, await recounted(id));
    const all = [...found.values()];
    const sum = (of: (each: Recount) => number) => all.reduce((count, each) => count + of(each), 0);
    for (const path of ['/tasks', '/']) {
      const page = await opened(path, { at: clock.time });
      for (const [id, name] of names) {
        const each = found.get(id) as Recount;
        const row = page.getByRole('row', { name: new RegExp(`(^|\\s)${name}\\s`) }).first();
        await row.waitFor();
        const said = `${name} on ${path} at ${shown(clock.time)}`;
        const cells = (await row.locator('td.number').allInnerTexts()).slice(0, 2);
        expect(cells, said).toEqual([String(each.callable), String(each.waiting.length)]);
        const line = await row.locator('.state-line-line').innerText();
        const isWaiting = each.callable === 0 && each.inCall === 0 && each.waiting.length > 0;
        if (!isWaiting) expect(line, said).not.toMatch(/Waiting/);
        else if (line.includes('Opens'))
          expect(line, said).toContain(`Opens ${each.when(each.waiting[0]!.at)}`);
        else
          expect(line, said).toContain(
            each.reasons
              .map(({ reason, count, first }) => `${count} ${words[reason].some(count)} ${each.when(first)}`)
              .join(', '),
          );
      }
      if (path === '/') {
        const callable = sum((each) => each.callable);
        const later = sum((each) => each.waiting.length);
        await page.getByText(`${callable} callable now, ${later} later`).waitFor();
        const moved = sum((each) => each.moved);
        if (moved > 0) await page.getByText(`${moved} of them later than agreed`).waitFor();
        else expect(await page.getByText('later than agreed').count()).toBe(0);
      }
    }
  };

  it('is what the contacts of its tasks say, at every moment, on Today, on Tasks and on the page of a task', async () => {
    // It is 18:00.
    const retries = await run('Retries', 9);
    await call(retries, 4);
    await call(retries, 2, { outcome: 'success' });
    const limited = await run('Limited', 5, { callInterval: 60 });
    await call(limited, 5);
    const agreed = await run('Agreed', 4, { dailyStartTime: '08:00', dailyEndTime: '21:00' });
    await call(agreed, 2, { callbackTime: shown(clock.time + 2 * hourMs) });
    // Its hours are over by then.
    await call(agreed, 1, { callbackTime: shown(clock.time + 4 * hourMs) });
    const uneven = await run('Uneven', 2);
    await call(uneven, 2, { callbackTime: shown(clock.time + 15.3 * hourMs) });
    await run('Tomorrow', 6, { dailyStartTime: '09:00', dailyEndTime: '12:00' });
    const abroad = await run('Abroad', 0, { dailyStartTime: '08:00', dailyEndTime: '19:00' });
    const { dataSourceId } = succeeded(await api.get(`/api/task/${abroad}/overview`));
    for (const timeZone of ['Europe/London', 'Pacific/Auckland', 'America/New_York'])
      await api.aContact(String(dataSourceId), { timeZone });
    clock.advance(120);
    await call(limited, 3);
    const calling = await run('Underway', 3);
    await dialing.lease({ taskId: calling, limit: 2, leaseSeconds: 600 });
    // Looks at everybody who has a zone of its own.
    await call(abroad, 3);
    for (const seconds of [0, 3500, 2 * 3600, 7 * 3600, 9 * 3600]) {
      clock.advance(seconds);
      for (const id of names.keys()) await expectTask(id);
      await expectLists();
    }
  });

  it('says at most how many can be called today where nobody has looked at contacts with zones of their own', async () => {
    clock.time = Date.UTC(2026, 4, 6, 10);
    const { id: dataSourceId } = await api.aDataSource();
    for (const timeZone of ['Asia/Shanghai', 'Asia/Tokyo', 'Pacific/Honolulu'])
      await api.aContact(String(dataSourceId), { timeZone });
    const hours = { dailyStartTime: '20:00', dailyEndTime: '22:00', timeZone: zone };
    const { id } = await api.aTaskIn(1, { dataSourceId, ...hours });
    const found = await recounted(String(id));
    const page = await opened(`/tasks/${id}`, { at: clock.time });
    await expect.poll(() => text(page, '.hero')).toBe('up to 3');
    expect(found.today).toBeLessThan(3);
    expect(await page.getByRole('region', { name: 'The next 24 hours' }).count()).toBe(0);
  });
});
