import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { contactsCsv } from '../../support/files/contact-files.ts';
import { csvFile } from '../../support/files/file-rows.ts';
import { anImportOf, withSmallParts } from '../../support/files/large-files.ts';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  useConsole,
} from '../../support/run/browser.ts';
import { succeeded } from '../../support/service/api.ts';

inBrowser('an import', () => {
  const { api, visitor, opened } = useConsole({ importMaxRows: 30_000 });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const csv = (name: string, ...lines: string[]) => ({
    ...{ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) },
  });
  const choose = (page: Page, ...files: ReturnType<typeof csv>[]) =>
    page.getByLabel('Choose files').setInputFiles(files);
  const finishedFigures = async (page: Page) => {
    await page.getByLabel('Import finished').waitFor();
    return page.getByLabel('Import finished').getByRole('definition').allInnerTexts();
  };

  it('takes a column without a title once told that it holds the numbers, also for do-not-call', async () => {
    const page = await opened('/do-not-call');
    await button(page, 'Add a number').first().click();
    await page.getByLabel('Phone number').fill('nonsense');
    visitor.expected = /400/;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText(/Not a valid phone number: 3 to 15 digits/).waitFor();
    await expectAccessibleDialog(page, 'add a number');
    await page.getByLabel('Phone number').fill('+49 30 123456');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('+4930123456', { exact: true }).waitFor();
    await button(page, 'Import a file').click();
    // Too short to be found by its content.
    await choose(page, csv('complaints.csv', 'Leave alone,Why', '95588,a bank'));
    await page.getByText('Select the column with the phone numbers.').waitFor();
    await page.getByLabel('Becomes: Leave alone').selectOption('phoneNumber');
    await button(page, 'Import 1 row').click();
    await button(page, 'Show the contacts').click();
    await page.getByText('95588', { exact: true }).waitFor();
    await expectAccessible(page, 'do not call');
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByText('complaints.csv').waitFor();
    await expectAccessible(page, 'imports of do not call');
  });

  it('of the next file goes into the same list, updates it where asked to, and says when a file is gone', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'console-test-'));
    const file = path.join(folder, 'long.csv');
    await writeFile(
      file,
      ['Tel,Name', ...Array.from({ length: 1500 }, (_, i) => `${13600000000 + i},x`)].join('\n'),
    );
    const page = await opened('/import');
    const give = () => page.getByLabel('Choose files').setInputFiles(file);
    await give();
    await button(page, 'Import 1,500 rows').click();
    await button(page, 'Import another file').click();
    await page.getByRole('heading', { level: 1, name: 'Import into “long”' }).waitFor();
    await give();
    const summary = page.getByRole('complementary', { name: 'Will be imported' });
    await summary.getByText('1,500 rows cannot be imported.').waitFor();
    expect(await summary.getByRole('term').allInnerTexts()).toEqual(['Number already in the list']);
    expect(await button(page, 'Import 0 rows').isDisabled()).toBe(true);
    await page.getByLabel('When a number exists').selectOption('update');
    await button(page, 'Import 1,500 rows').click();
    await button(page, 'Import another file').waitFor();
    expect(await finishedFigures(page)).toEqual(['0', '1,500', '0', '0']);
    await button(page, 'Import another file').click();
    await give();
    await button(page, 'Import 0 rows').waitFor();
    await page.getByLabel('When a number exists').selectOption('update');
    await button(page, 'Import 1,500 rows').waitFor();
    await rm(folder, { recursive: true });
    await button(page, 'Import 1,500 rows').click();
    await page.getByText(/changed or moved after it was chosen/).waitFor();
  });

  it('imports several files one after another, and reports on all of them', async () => {
    const page = await opened('/import');
    await choose(
      page,
      csv('a.csv', 'Reach at,Who', '13700137001,Ann', '13700137002,Bob', '13700137001,Ann again'),
      csv('broken.csv', ''),
      csv('b.csv', 'Reach at,Who', '13700137002,Bob', '13700137003,Cid', '137001370/13700137009,Dan'),
      csv('bare.csv', '13700137004,Eve', '+8613700137005,Fay'),
    );
    // Nothing names the numbers: they are found by their content.
    await button(page, 'Import 2 rows').waitFor();
    expect(await page.getByLabel('Title row').inputValue()).toBe('1');
    await expectAccessible(page, 'the first of several files');
    visitor.expected = /400/;
    await button(page, 'Import 2 rows').click();
    await page.getByText('The file is empty.').waitFor();
    await button(page, 'Do not import this file').click();
    // The third file has the titles of the first, so that it is not asked about.
    await page.getByText('1 new, 0 updated, 1 skipped, 1 rejected').waitFor();
    await button(page, 'Import 2 rows').waitFor();
    expect(await page.getByLabel('Title row').inputValue()).toBe('0');
    await page.getByText('1 number begins with + or 00, 1 without. Check that all are complete.').waitFor();
    await button(page, 'Import 2 rows').click();
    await page.locator('.sums').getByText('Number repeated in the file').waitFor();
    expect(await finishedFigures(page)).toEqual(['5', '0', '2', '1']);
    await page.getByRole('row', { name: 'a.csv 4 A4 13700137001 Same number as row 2' }).waitFor();
    await page.getByRole('row', { name: /^b\.csv 2 A2 13700137002 Number already in the list/ }).waitFor();
    await page.getByRole('row', { name: /^b\.csv 4 A4 .* Several numbers in one cell/ }).waitFor();
    await button(page, 'Rejected rows of b.csv').waitFor();
    await expectAccessible(page, 'the result of several files');
  });

  it('foretells what a messy file comes to, and tells the limits where a file is too large', async () => {
    const page = await opened('/import');
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
    await choose(page, csv('messy.csv', ...messy, ...wrong));
    await page.getByText('5 rows cannot be imported.').waitFor();
    const foretold = [
      'Not a valid phone number',
      '2',
      'No phone number',
      '2',
      'Number repeated in the file',
      '1',
    ];
    const reasons = page.locator('.sums :is(dt, dd)');
    await expect.poll(() => reasons.allInnerTexts()).toEqual(foretold);
    await button(page, 'Import 2 rows').click();
    expect(await finishedFigures(page)).toEqual(['2', '0', '1', '4']);
    await expect.poll(() => reasons.allInnerTexts()).toEqual(foretold);
    await page.goto(`${api.url}/import`);
    const endless = Array.from({ length: 30_001 }, (_, i) => String(13_500_000_000 + i));
    await choose(page, csv('endless.csv', 'Tel', ...endless));
    await button(page, 'Import “endless.csv”').click();
    await page.getByText('Split the file and import the parts.').waitFor();
  });

  it('names short numbers with their cells, and leaves them out unless they are wanted', async () => {
    const page = await opened('/import');
    await choose(page, csv('totals.csv', 'Tel,Name', '13700137000,Ann', '120,Total', '95588,Bank'));
    const summary = page.getByRole('complementary', { name: 'Will be imported' });
    await summary.getByText('2 numbers have fewer than 7 digits: 120 (A3) and 95588 (A4)').waitFor();
    await button(page, 'Import 1 row').waitFor();
    await expectAccessible(page, 'short numbers of a file');
    await summary.getByLabel('Import them too').check();
    await button(page, 'Import 3 rows').waitFor();
    await summary.getByLabel('Import them too').uncheck();
    await button(page, 'Import 1 row').click();
    await page.getByRole('row', { name: /^3 A3 120/ }).waitFor();
  });

  it('goes on with the data source that it made where the import broke off', async () => {
    const page = await opened('/import');
    const file = csv('broken off.csv', 'phone', '13800138000');
    await choose(page, file);
    visitor.expected = /Failed to load resource|ERR_/;
    const started = page.getByRole('button', { name: 'Import 1 row' });
    await started.waitFor();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/dataSource/add', (route) => answered.then(() => route.continue()));
    await page.route('**/batchImport', (route) => route.abort());
    await started.click();
    await page.locator('[type=submit][aria-busy=true]:focus').waitFor();
    answer();
    await page.getByText(/^The service cannot be reached/).waitFor();
    await page.unrouteAll();
    expect(await page.getByLabel('Name of the new contact list').count()).toBe(0);
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await choose(page, file);
    await started.click();
    await page.getByRole('button', { name: 'Show the contacts' }).waitFor();
    const { rows } = succeeded(await api.get('/api/dataSource/list?dataSourceName=broken')) as unknown as {
      rows: { contactCount: number }[];
    };
    expect(rows.map(({ contactCount }) => contactCount)).toEqual([1]);
  });

  it('is previewed by its first rows, uploaded and followed, and its report counts every row', async () => {
    withSmallParts(2000);
    const { id } = await api.aDataSource();
    const rows = Array.from({ length: 11_000 }, (_, at) => [
      at % 10 === 5 ? 'none' : String(13_800_000_000 + at),
      `Customer ${at}`,
    ]);
    const buffer = gzipSync(await csvFile(['Reach at', 'Name'], rows));
    const page = await opened(`/sources/${id}/import`);
    await page.getByText('at most 30,000 rows and 30 MB').waitFor();
    const file = { name: 'june.csv.gz', mimeType: 'application/gzip', buffer };
    await page.getByLabel('Choose files').setInputFiles(file);
    await page.getByText('the columns are shown from its first rows').waitFor();
    await page.getByText('Customer 1', { exact: true }).waitFor();
    await expectAccessible(page, 'the head of a large file');
    await page.getByRole('button', { name: 'Import “june.csv.gz”' }).click();
    await page.locator('.sums').getByText('1,100').waitFor();
    const figures = await page.getByLabel('Import finished').getByRole('definition').allInnerTexts();
    expect(figures).toEqual(['9,900', '0', '0', '1,100']);
    await page.getByText('The first 50 of 1,100').waitFor();
  });

  it('that is being imported shows how far it is on its list, in the lists and on Today, and can be cancelled', async () => {
    withSmallParts(300);
    const { id } = await api.aDataSource({ dataSourceName: 'July leads' });
    const { importId, importer } = await anImportOf(api.database, id, await contactsCsv(1000));
    let parts = 0;
    await importer.run(id, importId, { isTimeUp: () => ++parts > 2 });
    const page = await opened(`/sources/${id}`);
    const progress = '600 of 1,000 rows (60%)';
    await page.getByText('A file is being imported. Its contacts appear here.').waitFor();
    await page.getByText(progress).waitFor();
    expect(await page.getByText('No contacts yet').count()).toBe(0);
    await expectAccessible(page, 'a list with an import that runs');
    await page.getByRole('button', { name: 'Import a file' }).click();
    await page.getByText(progress).waitFor();
    await page.getByRole('link', { name: 'Contact lists' }).first().click();
    const list = page.getByRole('row', { name: /July leads/ });
    await list.getByText(progress).waitFor();
    await list.getByRole('button', { name: 'Cancel the import' }).waitFor();
    await expectAccessible(page, 'lists with an import that runs');
    await page.getByRole('link', { name: 'Today' }).click();
    const current = page.getByRole('region', { name: 'Imports in progress' });
    await current.getByText(progress).waitFor();
    await current.getByText('Import into “July leads”').waitFor();
    await expectAccessible(page, 'an import on Today');
    await current.getByRole('link', { name: 'x', exact: true }).click();
    await page.getByRole('row').getByText(progress).waitFor();
    await expectAccessible(page, 'an import that runs');
    await page.getByRole('button', { name: 'Cancel the import' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel the import of “x”?' });
    await question.getByText('No row is imported. The list stays as it is.').waitFor();
    expect((await importer.find(id, importId)).abandoned).toBeUndefined();
    await question.getByRole('button', { name: 'Cancel the import' }).click();
    await expect
      .poll(async () => (await importer.find(id, importId)).abandoned, { timeout: 60_000 })
      .toBe('the import was cancelled');
    await importer.run(id, importId);
    await page.getByText('Failed').waitFor();
    await page.getByRole('link', { name: 'Contacts 0' }).click();
    await page.getByText('No contacts yet').waitFor();
    expect(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(0);
  });
});
