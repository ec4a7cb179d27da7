import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { contactsCsv } from '../../support/files/contact-files.ts';
import { csvFile } from '../../support/files/file-rows.ts';
import { anImportOf, withSmallParts } from '../../support/files/large-files.ts';
import { browserPath, expectAccessible, useVisitor } from '../../support/run/browser.ts';
import { accessToken, succeeded, useApi } from '../../support/service/api.ts';

describe.skipIf(browserPath === undefined)('a large file', () => {
  const api = useApi({ importMaxRows: 30_000 });
  const visitor = useVisitor();
  afterEach(() => visitor.leave());

  const opened = async (path: string) => {
    const page = await visitor.open(`${api.url}${path}#token=${accessToken}`);
    await page.locator('main h1').waitFor();
    return page;
  };

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
    await page.getByText('Not a valid phone number: 1,100').waitFor();
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
