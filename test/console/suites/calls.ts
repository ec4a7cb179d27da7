import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { phoneOf, TestClock } from '../../support/dialing/dialing-api.ts';
import { expectAccessible, inBrowser, useConsole } from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

const hostile = '<img src=x onerror=alert(1)> \u202Egnp';
const dayBefore = '2026-05-03';

inBrowser('the calls of a task', () => {
  const clock = new TestClock();
  const { api, visitor, opened, dialing } = useConsole({ now: clock.now, timeZone: 'Asia/Shanghai' });
  let id: string;

  const callsOf = (query = '', how: Parameters<typeof opened>[1] = {}) =>
    opened(`/tasks/${id}/calls${query}`, how);
  const report = async (result: object) => {
    const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
    succeeded(await api.post('/api/dialer/result', { callId, ...result }));
  };

  beforeAll(async () => {
    const task = await dialing.aRunningTask(30, {
      taskName: 'Reminders',
      maxDialCount: 3,
      callInterval: 0,
      retryOrder: 'due',
      dispositions: [
        { code: 'promised', label: '<b>Promised</b>', then: 'final' },
        { code: 'later', then: 'retry' },
      ],
      callerNumbers: ['+861010086'],
    });
    id = String(task.id);
    clock.time = Date.parse(`${dayBefore}T02:00:00Z`);
    await report({ outcome: 'noAnswer', reason: 'busy', duration: 12 });
    clock.time = Date.parse('2026-05-04T02:00:00Z');
    await report({
      ...{ outcome: 'success', duration: 3723, disposition: 'promised', summary: `Pays\n${hostile}` },
      data: { [hostile]: hostile, amount: 120, agreed: true },
      recordingUrl: 'https://recordings.example.com/1?a=<b>',
      transcriptUrl: 'https://transcripts.example.com/1',
      providerCallId: hostile,
    });
    clock.advance(60);
    await report({ outcome: 'success', duration: 5, disposition: 'later' });
  });

  it('are listed with the newest first, and found by outcome, reason, disposition, number and day', async () => {
    const page = await callsOf();
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/\+49300000001\s+Connected\s+later\s+0:05\s+1$/),
      expect.stringMatching(/\+49300000000\s+Connected\s+<b>Promised<\/b>\s+1:02:03\s+2$/),
      expect.stringMatching(/\+49300000000\s+No answer\s+Busy\s+1$/),
    ]);
    await expectAccessible(page, 'calls of a task');
    const filtered = async (choose: () => Promise<unknown>, query: string, count: number) => {
      await choose();
      await page.waitForURL(`${api.url}/tasks/${id}/calls${query}`);
      await expect.poll(() => rows.count()).toBe(count);
      await page.goto(`${api.url}/tasks/${id}/calls`);
      await expect.poll(() => rows.count()).toBe(3);
    };
    const select = (label: string, value: string) => () => page.getByLabel(label).selectOption(value);
    await filtered(select('Outcome', 'success'), '?outcome=success', 2);
    await filtered(select('Reason', 'busy'), '?reason=busy', 1);
    await filtered(select('Disposition', 'promised'), '?disposition=promised', 1);
    const number = phoneOf(1).slice(-7);
    await filtered(() => page.getByLabel('Search by number').fill(number), `?q=${number}`, 1);
    await filtered(() => page.getByLabel(/^Day/).fill(dayBefore), `?day=${dayBefore}`, 1);
    await page.getByLabel('Reason').selectOption('voicemail');
    await page.getByText('No call matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect.poll(() => rows.count()).toBe(3);
  });

  it('open over the list with all that was reported, as text, and with links that pass nothing on', async () => {
    const page = await callsOf('?outcome=success');
    const list = page.getByRole('table').first();
    const before = await list.boundingBox();
    await page.getByRole('link', { name: /^Call to \+49300000000/ }).click();
    const panel = page.getByRole('complementary', { name: 'Call', exact: true });
    await panel.getByText('<b>Promised</b>').waitFor();
    await panel.getByText(`Pays\n${hostile}`).waitFor();
    expect(await list.boundingBox(), 'the list does not move').toEqual(before);
    const fact = (name: string) =>
      panel
        .locator('dt')
        .getByText(name, { exact: true })
        .locator('xpath=../following-sibling::dd[1]')
        .innerText();
    expect(await fact('amount')).toBe('120');
    expect(await fact('agreed')).toBe('true');
    expect(await fact('Talk time')).toBe('1:02:03');
    expect(await fact('Caller number')).toBe('+861010086');
    expect(await fact('Provider call ID')).toBe(hostile);
    await panel.getByText('Name 0').waitFor();
    expect(await panel.locator('img, b').count()).toBe(0);
    for (const [name, href] of [
      ['Open the recording', 'https://recordings.example.com/1?a=<b>'],
      ['Open the transcript', 'https://transcripts.example.com/1'],
    ] as const) {
      const link = panel.getByRole('link', { name });
      const attributes = ['href', 'target', 'rel', 'referrerpolicy'].map((each) => link.getAttribute(each));
      expect(await Promise.all(attributes)).toEqual([href, '_blank', 'noopener noreferrer', 'no-referrer']);
    }
    await expectAccessible(page, 'an open call');
    // The other call of the contact, which the filter of the list leaves out.
    await panel
      .getByRole('row', { name: /No answer.*Busy/ })
      .getByRole('link')
      .click();
    await expect.poll(() => fact('Ringing')).toBe('0:12');
    await page.goBack();
    await expect.poll(() => fact('Talk time')).toBe('1:02:03');
    expect(page.url()).toContain('outcome=success&call=');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.locator('a[data-call]:focus').waitFor();
    await page.getByRole('link', { name: /^Call to \+49300000000/ }).click();
    await panel.getByRole('link', { name: 'All about this number' }).click();
    await page.getByRole('heading', { level: 1, name: phoneOf(0) }).waitFor();
  });

  it('follow the running task, and keep what they show where a request fails', async () => {
    const page = await callsOf('', { width: 1920 });
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    clock.advance(60);
    await report({ outcome: 'failed', reason: 'networkError' });
    await page.getByRole('row', { name: /Failed.*Network error/ }).waitFor();
    visitor.expected = /500/;
    const error = { code: 500, errorCode: 'INTERNAL', message: 'broken', requestId: 'r', data: null };
    await page.route('**/calls?*', (route) => route.fulfill({ status: 500, json: error }));
    await report({ outcome: 'failed', reason: 'other' });
    await page.getByText(/Could not be updated, as of/).waitFor();
    expect(await rows.count()).toBe(4);
  });

  it('of a task are counted by disposition beside its outcomes and in a comparison', async () => {
    const page = await callsOf();
    await page.goto(`${api.url}/tasks/${id}`);
    const card = page.getByRole('region', { name: 'Dispositions' });
    await card.getByRole('row').first().waitFor();
    expect(await card.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/<b>Promised<\/b>\s+1/),
      expect.stringMatching(/later\s+1/),
    ]);
    await expectAccessible(page, 'dispositions of a task');
    await page.goto(`${api.url}/compare?ids=${id}`);
    await page.getByRole('row', { name: /^<b>Promised<\/b> 1$/ }).waitFor();
    await page.goto(`${api.url}/tasks/${id}`);
    await card.getByRole('link', { name: 'later' }).click();
    await page.getByRole('link', { name: /^Call to/ }).waitFor();
    expect(page.url()).toBe(`${api.url}/tasks/${id}/calls?disposition=later`);
  });

  it('are a file, of all days or of one', async () => {
    const page = await callsOf(`?day=${dayBefore}`);
    const file = async (name: string) => {
      const button = page.getByRole('button', { name });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const { text } = await file('Export to CSV');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('Busy');
    expect((await file('Export to Excel')).name).toMatch(/\.xlsx$/);
    await page.goto(`${api.url}/tasks/${id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await page.getByLabel('What to export').selectOption('calls');
    await page.getByLabel('Format').selectOption('csv');
    expect((await file('Download')).text.trimEnd().split('\r\n').length).toBe(1 + 5);
  });

  it('are read in Chinese on a narrow screen, where a call covers the list', async () => {
    const page = await callsOf('', { language: 'zh-CN', width: 390 });
    const call = page.getByRole('link', { name: /呼叫 \+49300000000/ }).first();
    await call.click();
    await page.getByRole('complementary').getByText('外显号码').waitFor();
    const isCovered = 'document.elementFromPoint(200, 400).closest("aside") !== null';
    await expect.poll(() => page.evaluate(isCovered)).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await expectAccessible(page, 'a call, narrow');
    await page.getByRole('button', { name: '关闭' }).click();
    await call.waitFor();
  });
});
