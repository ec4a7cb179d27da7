import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessToken, succeeded, useApi } from '../support/api.ts';
import { browserPath, expectAccessible, useVisitor } from '../support/browser.ts';

const hostileName = '<img src=x onerror=alert(1)> \u202Egnp.exe';
const file = [
  'Mobile,Name,note',
  `13800138000,"${hostileName}",=1+1`,
  `13800138001,${'宽'.repeat(100)},x`,
  '13800138002,Ana,',
  'not a number,Bad,',
  '',
].join('\r\n');

describe.skipIf(browserPath === undefined)('a campaign from file to result, in a browser', () => {
  const api = useApi();
  const visitor = useVisitor();
  let folder: string;
  let page: Page;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'console-test-'));
    await writeFile(path.join(folder, 'june.csv'), file);
    page = await visitor.open(`${api.url}/#token=${accessToken}`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const title = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });

  it('takes the token out of the address and says what to do first', async () => {
    await page.getByText('No tasks yet').waitFor();
    expect(page.url()).toBe(`${api.url}/`);
    await expectAccessible(page, 'no tasks');
  });

  it('imports a file that is dropped in, and shows what was rejected', async () => {
    await button('Import a contact file').click();
    await page.setInputFiles('input[type=file]', path.join(folder, 'june.csv'));
    await button(/^Import 4 rows/).waitFor();
    expect(await page.getByLabel('Becomes: Mobile').inputValue()).toBe('phoneNumber');
    await expectAccessible(page, 'columns of a file');
    await button(/^Import 4 rows/).click();
    await page.getByText('This is no phone number').waitFor();
    await expectAccessible(page, 'result of an import');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('Download rejected rows').click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
  });

  it('proposes a task for those people and publishes it once asked', async () => {
    await button('Call these people').click();
    await title('New task').waitFor();
    expect(await page.getByLabel('Name of the task').inputValue()).toBe('june');
    for (const [label, value] of [
      ['From', '0'],
      ['To', '24:00'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByLabel(label, { exact: true }).blur();
    }
    await page.getByText('Sat', { exact: true }).click();
    await page.getByText('Sun', { exact: true }).click();
    await page
      .getByText(/Calls 3 people of june, every day all day/)
      .first()
      .waitFor();
    await expectAccessible(page, 'new task');
    await button('Publish').click();
    await button('Publish now').click();
    await title('june').waitFor();
    await page.getByText('Nobody asks for calls: is the dialer running?').waitFor();
    await expectAccessible(page, 'task');
  });

  it('follows the calls live, and exports what came of them', async () => {
    const { calls } = succeeded(await api.post('/api/dialer/lease', { limit: 3 })) as unknown as {
      calls: { callId: string }[];
    };
    expect(calls).toHaveLength(3);
    for (const [i, { callId }] of calls.entries()) {
      const outcome = i === 0 ? 'success' : 'failed';
      succeeded(
        await api.post('/api/dialer/result', {
          callId,
          outcome,
          reason: i === 0 ? 'other' : 'busy',
          duration: 30,
        }),
      );
    }
    await page.getByText('33.3% of all').waitFor();
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download').click()]);
    const saved = path.join(folder, 'export.xlsx');
    await download.saveAs(saved);
    expect((await readFile(saved)).subarray(0, 2).toString()).toBe('PK');
  });

  it("shows a task's contacts with their calls, hostile names as text", async () => {
    await page.getByRole('link', { name: 'All contacts' }).click();
    await page.getByText('onerror=alert(1)').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await button('Calls to 13800138000').click();
    await page.locator('tr.opened').waitFor();
    await expectAccessible(page, 'contacts of a task');
    await page.getByLabel('Choose 13800138002').check();
    await button('Recall the chosen').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Recall' }).last().click();
    await page.getByText('1 contact queued again').waitFor();
  });

  it('pauses several at once from the list, and searches by keyboard', async () => {
    await page.keyboard.press('t');
    await page.getByLabel('Choose june').check();
    await button('Pause').click();
    await page.getByText('1 task paused').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('No task matches the filter.').waitFor();
    expect(page.url()).toContain('q=nothing');
    await button('Clear the filter').click();
    await page.getByRole('link', { name: 'june' }).waitFor();
    await expectAccessible(page, 'tasks');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('keeps a list of numbers that are never called', async () => {
    await page.getByRole('link', { name: 'Do not call' }).click();
    await button('Add a number').first().click();
    await page.getByLabel('Phone number').fill('nonsense');
    visitor.expected = /400/;
    await button('Add').last().click();
    await page.getByText(/A number has 3 to 15 digits/).waitFor();
    visitor.expected = undefined;
    await page.getByLabel('Phone number').fill('+49 30 123456');
    await button('Add').last().click();
    await page.getByText('+4930123456', { exact: true }).waitFor();
    await expectAccessible(page, 'do not call');
  });

  it('shows data sources, their contacts and their imports, and compares tasks', async () => {
    await page.getByRole('link', { name: 'Data sources' }).click();
    await page.getByRole('link', { name: 'june' }).waitFor();
    await expectAccessible(page, 'data sources');
    await page.getByRole('link', { name: 'june' }).click();
    await page.getByText('13800138001').waitFor();
    await expectAccessible(page, 'a data source');
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByText('june.csv').waitFor();
    await expectAccessible(page, 'imports');
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByLabel('Add a task').click();
    await page.getByRole('option', { name: /june/ }).click();
    await page.getByText('Calls for each reached').waitFor();
    await expectAccessible(page, 'compare');
  });

  it('made no error and asked no other host', () => {
    expect(visitor.troubles).toEqual([]);
  });
});
