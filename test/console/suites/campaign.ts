import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserPath,
  expectAccessible,
  expectAccessibleDialog,
  useVisitor,
} from '../../support/run/browser.ts';
import { accessToken, succeeded, useApi } from '../../support/service/api.ts';

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
  /** How often the reader pressed something on the way to a running campaign. */
  let clicks = 0;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'console-test-'));
    await writeFile(path.join(folder, 'june.csv'), file);
    page = await visitor.open(`${api.url}/#token=${accessToken}`);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const inDialog = (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name });
  const title = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const click = (name: string | RegExp) => {
    clicks++;
    return button(name).click();
  };
  const chooseFile = async () => {
    clicks++;
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByLabel('Choose files').click(),
    ]);
    await chooser.setFiles(path.join(folder, 'june.csv'));
  };
  const finishedFigures = async () => {
    const finished = page.getByLabel('Import finished');
    await finished.waitFor();
    return finished.getByRole('definition').allInnerTexts();
  };
  const menu = async (name: string) => {
    await button('More actions').click();
    await page.getByRole('menuitem', { name }).click();
  };

  it('takes the token out of the address and says what to do first', async () => {
    await page.getByText('No tasks yet').waitFor();
    expect(page.url()).toBe(`${api.url}/`);
    await expectAccessible(page, 'no tasks');
  });

  it('imports a file, and shows what was rejected', async () => {
    await click('Import a contact file');
    await title('Import a contact file').waitFor();
    await expectAccessible(page, 'import');
    await chooseFile();
    // It is no other list that a new one is checked against.
    const known = await api.aContact('do-not-call', { phoneNumber: '13800138000' });
    await button('Import 3 rows').waitFor();
    // The field that had the focus is gone.
    await page.locator('h2:focus', { hasText: '.csv' }).waitFor();
    expect(await page.getByLabel('Becomes: Mobile').inputValue()).toBe('phoneNumber');
    await page.getByText('1 row cannot be imported. Not a valid phone number: 1').waitFor();
    await page.getByText('No country is set: numbers are compared as they are written.').waitFor();
    await expectAccessible(page, 'columns of a file');
    succeeded(await api.post('/api/dataSource/do-not-call/contact/delete', { contactId: known.id }));
    await page.getByLabel('Becomes: note').selectOption('');
    await page.getByLabel('Becomes: note').selectOption('own');
    await click('Import 3 rows');
    await page.getByRole('row', { name: /^5 A5 not a number Not a valid phone number/ }).waitFor();
    await page.locator('h2:focus', { hasText: 'Import finished' }).waitFor();
    await expectAccessible(page, 'result of an import');
    expect(await finishedFigures()).toEqual(['3', '0', '0', '1']);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('Download rejected rows').click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
  });

  it('proposes a task for those people and publishes it once asked, after six clicks in all', async () => {
    await click('Call these people');
    await title('New task').waitFor();
    expect(await page.getByLabel('Task name').inputValue()).toBe('june');
    await page.getByText(/Calls 3 people of “june”, Mon–Fri 09:00–20:00 \(Asia\/Shanghai\)/).waitFor();
    await expectAccessible(page, 'new task');
    // Not needed for a campaign: at any hour, so that the calls below can be made now.
    for (const [label, value] of [
      ['From', '0'],
      ['To', '24:00'],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByLabel(label, { exact: true }).blur();
    }
    await page.getByText('Sat', { exact: true }).click();
    await page.getByText('Sun', { exact: true }).click();
    await page.getByText(/Calls 3 people of “june”, every day, all day/).waitFor();
    await click('Publish');
    await expectAccessibleDialog(page, 'publish');
    await page.getByText('3 in the list, 3 will be called.').first().waitFor();
    await click('Call 3 people');
    await title('june').waitFor();
    await page.getByText('No dialer is connected. Check that it is running.').waitFor();
    expect(clicks).toBe(6);
  });

  it('follows the calls live: figures, reasons, calls over time as a table', async () => {
    await page.getByText('No calls yet.').waitFor();
    const { calls } = succeeded(await api.post('/api/dialer/lease', { limit: 3 })) as unknown as {
      calls: { callId: string }[];
    };
    expect(calls).toHaveLength(3);
    for (const [i, { callId }] of calls.entries()) {
      const result = i === 0 ? { outcome: 'success' } : { outcome: 'failed', reason: 'busy' };
      succeeded(await api.post('/api/dialer/result', { callId, duration: 30, ...result }));
    }
    await page.getByText('coverage 33.3%').waitFor();
    await page.getByRole('row', { name: 'Busy 2' }).waitFor();
    await expectAccessible(page, 'task');
    await button('As a table').click();
    const cells = page.getByRole('region', { name: 'Calls over time' }).getByRole('cell');
    const sums = async () => {
      const figures = (await cells.allInnerTexts()).map(Number);
      // Time, reached, no answer, failed, connect rate: one row for each minute with calls.
      return [1, 2, 3].map((column) => figures.reduce((sum, n, i) => sum + (i % 5 === column ? n : 0), 0));
    };
    await expect.poll(sums).toEqual([1, 0, 2]);
    await expectAccessible(page, 'calls as a table', { themes: ['light'] });
  });

  it('exports what came of them', async () => {
    await menu('Export');
    await expectAccessibleDialog(page, 'export');
    const asked = page.waitForRequest(/\/export\?/);
    const [download] = await Promise.all([page.waitForEvent('download'), inDialog('Download').click()]);
    const saved = path.join(folder, 'export.xlsx');
    await download.saveAs(saved);
    expect((await readFile(saved)).subarray(0, 2).toString()).toBe('PK');
    expect(download.suggestedFilename()).toMatch(/^june.*\.xlsx$/);
    const { searchParams } = new URL((await asked).url());
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ labels: 'en', timeZone: 'Asia/Shanghai', calls: 'true' },
    });
  });

  it("shows a task's contacts by outcome with their calls, hostile names as text", async () => {
    await page.getByRole('link', { name: 'All contacts' }).click();
    await page.getByText('onerror=alert(1)').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('link', { name: 'To be called again 2' }).click();
    await page.getByText('2 contacts').waitFor();
    await button('Calls to 13800138001').click();
    await page
      .locator('tr.opened')
      .getByRole('row', { name: /Failed Busy – 0:30$/ })
      .waitFor();
    await expectAccessible(page, 'contacts of a task');
    await page.getByLabel('Select 13800138002').check();
    await button('Call selected again').click();
    await expectAccessibleDialog(page, 'recall');
    await inDialog('Call again').click();
    await page.getByText('1 contact queued again').waitFor();
  });

  it('pauses several at once from the list, searches by keyboard, and has help', async () => {
    await page.keyboard.press('t');
    await page.getByLabel('Select june').check();
    await page.keyboard.press('?');
    await inDialog('Close').click();
    await button('Pause').click();
    await page.getByText('1 task paused').waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('nothing like it');
    await page.getByText('No task matches the filter.').waitFor();
    expect(page.url()).toContain('q=nothing');
    await button('Clear the filter').click();
    await page.getByRole('link', { name: 'june' }).waitFor();
    await expectAccessible(page, 'tasks');
    await page.keyboard.press('?');
    await expectAccessibleDialog(page, 'help');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('stops a task with a reason, then closes it; both ask with its name', async () => {
    await page.getByRole('link', { name: 'june' }).click();
    await menu('Stop');
    await page.getByText('Stop “june”?').waitFor();
    await expectAccessibleDialog(page, 'stop');
    await page
      .getByRole('dialog')
      .getByLabel(/^Reason/)
      .fill(hostileName);
    await inDialog('Stop').click();
    await page.getByText(/Reason: <img/).waitFor();
    await button('Close').click();
    await page.getByText('Close “june”?').waitFor();
    await expectAccessibleDialog(page, 'close');
    await inDialog('Close').click();
    await page.locator('main [data-status="6"]').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('copies a task as a draft, which can be edited', async () => {
    await menu('Copy as a new draft');
    await page.getByLabel('Task name').fill('june again');
    await button('Save as draft').click();
    await title('june again').waitFor();
    await menu('Edit');
    await title('Edit “june again”').waitFor();
    await expectAccessible(page, 'edit a task');
    await page.getByLabel('Max. attempts per contact').fill('11');
    await button('Save changes').click();
    await page.getByText('Enter a whole number from 1 to 10.').waitFor();
    await page.getByLabel('Max. attempts per contact').fill('2');
    await button('Save changes').click();
    await page.getByRole('heading', { level: 1, name: 'june again', exact: true }).waitFor();
    await page.getByText(/At most 2 times each/).waitFor();
  });

  it('keeps a list of numbers that are never called', async () => {
    await page.getByRole('link', { name: 'Do not call' }).click();
    await button('Add a number').first().click();
    await page.getByLabel('Phone number').fill('nonsense');
    visitor.expected = /400/;
    await inDialog('Add').click();
    await page.getByText(/Not a valid phone number: 3 to 15 digits/).waitFor();
    visitor.expected = undefined;
    await expectAccessibleDialog(page, 'add a number');
    await page.getByLabel('Phone number').fill('+49 30 123456');
    await inDialog('Add').click();
    await page.getByText('+4930123456', { exact: true }).waitFor();
    await expectAccessible(page, 'do not call');
  });

  it('imports a file without a phone title once told which column holds the numbers', async () => {
    await button('Import a file').click();
    // Too short to be found by its content.
    const buffer = Buffer.from('Leave alone,Why\r\n95588,a bank\r\n');
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'complaints.csv', mimeType: 'text/csv', buffer });
    await page.getByText('Select the column with the phone numbers.').waitFor();
    await page.getByLabel('Becomes: Leave alone').selectOption('phoneNumber');
    await button('Import 1 row').click();
    await button('Show the contacts').click();
    await page.getByText('95588', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByText('complaints.csv').waitFor();
    await expectAccessible(page, 'imports of do not call');
  });

  it('imports the next file into the same data source, and says when a file is gone', async () => {
    const mended = path.join(folder, 'mended.csv');
    await writeFile(mended, 'Mobile\r\n13900139001\r\n');
    await page.goto(`${api.url}/import`);
    await page.getByLabel('Choose files').setInputFiles(mended);
    await button('Import 1 row').click();
    await button('Import another file').click();
    await title('Import into “mended”').waitFor();
    await page.getByLabel('Choose files').setInputFiles(mended);
    await page.getByText('1 row cannot be imported. Number already in the list: 1').waitFor();
    expect(await button('Import 0 rows').isDisabled()).toBe(true);
    await page.getByLabel('When a number exists').selectOption('update');
    await button('Import 1 row').waitFor();
    await rm(mended);
    await button('Import 1 row').click();
    await page.getByText(/changed or moved after it was chosen/).waitFor();
  });

  it('imports several files one after another, and reports on all of them', async () => {
    await page.goto(`${api.url}/import`);
    const csv = (name: string, ...lines: string[]) => ({
      ...{ name, mimeType: 'text/csv' },
      buffer: Buffer.from(lines.join('\n')),
    });
    await page
      .getByLabel('Choose files')
      .setInputFiles([
        csv('a.csv', 'Reach at,Who', '13700137001,Ann', '13700137002,Bob', '13700137001,Ann again'),
        csv('broken.csv', ''),
        csv('b.csv', 'Reach at,Who', '13700137002,Bob', '13700137003,Cid', '137001370/13700137009,Dan'),
        csv('bare.csv', '13700137004,Eve', '+8613700137005,Fay'),
      ]);
    // Nothing names the numbers: they are found by their content.
    await button('Import 2 rows').waitFor();
    expect(await page.getByLabel('Title row').inputValue()).toBe('1');
    await expectAccessible(page, 'the first of several files');
    visitor.expected = /400/;
    await button('Import 2 rows').click();
    await page.getByText('The file is empty.').waitFor();
    await button('Leave this file out').click();
    visitor.expected = undefined;
    // The third file has the titles of the first, so that it is not asked about.
    await page.getByText('1 new, 0 updated, 1 skipped, 1 rejected').waitFor();
    await button('Import 2 rows').waitFor();
    expect(await page.getByLabel('Title row').inputValue()).toBe('0');
    await page.getByText('1 number begins with + or 00, 1 without. Check that all are complete.').waitFor();
    await button('Import 2 rows').click();
    await page.getByText('Number repeated in the file: 1').waitFor();
    expect(await finishedFigures()).toEqual(['5', '0', '2', '1']);
    await page.getByRole('row', { name: 'a.csv 4 A4 13700137001 Same number as row 2' }).waitFor();
    await page.getByRole('row', { name: /^b\.csv 2 A2 13700137002 Number already in the list/ }).waitFor();
    await page.getByRole('row', { name: /^b\.csv 4 A4 .* Several numbers in one cell/ }).waitFor();
    await button('Rejected rows of b.csv').waitFor();
    await expectAccessible(page, 'the result of several files');
  });

  it('foretells what a messy file comes to, and tells the limits where a file is too large', async () => {
    const choose = async (name: string, lines: readonly string[]) => {
      const buffer = Buffer.from(lines.join('\r\n'));
      await page.getByLabel('Choose files').setInputFiles({ name, mimeType: 'text/csv', buffer });
    };
    await page.goto(`${api.url}/import`);
    const messy = [
      '六月名单,,',
      '',
      '客户姓名,手机号码,城市',
      '王小明,138 0013 8000,北京',
      ',,',
      '李静,１３８００１３８００１,',
    ];
    const wrong = [
      '张伟,13800138002/13800138003,',
      '刘洋,abc,',
      '陈晨,,广州',
      '王小明,13800138000,',
      '合计,,1',
    ];
    await choose('messy.csv', [...messy, ...wrong]);
    await page.getByText('5 rows cannot be imported.').waitFor();
    const foretold = 'Not a valid phone number: 2 · No phone number: 2 · Number repeated in the file: 1';
    await page.getByText(foretold).waitFor();
    await button('Import 2 rows').click();
    expect(await finishedFigures()).toEqual(['2', '0', '1', '4']);
    await page.getByText(foretold).waitFor();
    await page.goto(`${api.url}/import`);
    await choose('endless.csv', [
      'Tel',
      ...Array.from({ length: 10_001 }, (_, i) => String(13_500_000_000 + i)),
    ]);
    await button('Import “endless.csv”').click();
    await page.getByText('at most 10,000 rows and 10 MB. Split the file and import the parts.').waitFor();
  });

  it('follows the import of a long file, and updates contacts where it is asked to', async () => {
    const lines = Array.from({ length: 1500 }, (_, i) => `${13600000000 + i},x`);
    const buffer = Buffer.from(['Tel,Name', ...lines].join('\n'));
    const give = async () => {
      await page.getByLabel('Choose files').setInputFiles({ name: 'long.csv', mimeType: 'text/csv', buffer });
    };
    await page.goto(`${api.url}/import`);
    await give();
    await button('Import 1,500 rows').click();
    await button('Import another file').click();
    await title('Import into “long”').waitFor();
    await give();
    await page.getByText('1,500 rows cannot be imported.').waitFor();
    await page.getByLabel('When a number exists').selectOption('update');
    await button('Import 1,500 rows').click();
    await button('Show the contacts').waitFor();
    expect(await finishedFigures()).toEqual(['0', '1,500', '0', '0']);
  });

  it('shows data sources, their contacts and their imports; edits and deletes a contact', async () => {
    await page.getByRole('link', { name: 'Contact lists' }).click();
    await page.getByRole('link', { name: 'june' }).waitFor();
    await expectAccessible(page, 'data sources');
    await button('New contact list').click();
    await expectAccessibleDialog(page, 'new data source');
    await inDialog('Cancel').click();
    await page.getByRole('link', { name: 'june' }).click();
    await button('Fields of 13800138000').click();
    await page.locator('tr.opened').getByText('=1+1', { exact: true }).waitFor();
    await expectAccessible(page, 'a data source');
    await button('Edit 13800138002').click();
    await expectAccessibleDialog(page, 'edit a contact');
    await page.getByLabel('Name', { exact: true }).fill('Ana María');
    await button('Add a field').click();
    await page.getByLabel('Value', { exact: true }).last().fill('VIP');
    await inDialog('Save').click();
    await page.getByText('“VIP” has no field name. Enter one, or remove the value.').waitFor();
    await page.getByLabel('Field', { exact: true }).last().fill('status');
    await inDialog('Save').click();
    await page.getByText('“status” is already in use. Choose another field name.').waitFor();
    await button('Remove status').click();
    await inDialog('Save').click();
    await page.getByText('Ana María').waitFor();
    await button('Delete 13800138002').click();
    await page.getByText('Delete 13800138002?').waitFor();
    await expectAccessibleDialog(page, 'delete a contact');
    await inDialog('Delete').click();
    await page.getByText('Ana María').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByText('june.csv').waitFor();
    await expectAccessible(page, 'imports');
  });

  it('compares tasks', async () => {
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByLabel('Add a task').click();
    await page.getByRole('option', { name: /^june\s*Closed/ }).click();
    await page.getByText('Calls for each person reached').waitFor();
    await page.getByLabel('Add a task').click();
    await page.getByRole('option', { name: /^june again/ }).click();
    await button('Remove june again').waitFor();
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).color`)).toBe(
      'rgb(27, 27, 38)',
    );
    await page.emulateMedia({ media: null });
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
    await expectAccessible(page, 'compare');
  });

  it('made no error and asked no other host', () => {
    expect(visitor.troubles).toEqual([]);
  });
});
