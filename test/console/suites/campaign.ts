import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleDialog,
  inBrowser,
  useConsole,
} from '../../support/run/browser.ts';

const hostileName = '<img src=x onerror=alert(1)> \u202Egnp.exe';
const file = [
  'Mobile,Name,note',
  `13800138000,"${hostileName}",=1+1`,
  `13800138001,${'宽'.repeat(100)},x`,
  '13800138002,Ana,',
  'not a number,Bad,',
  '',
].join('\r\n');

inBrowser('a campaign in a browser', () => {
  const { api, opened, dialing } = useConsole();

  it('goes from file to result: six clicks to a running task, calls live, their export and contacts', async () => {
    const page = await opened();
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const title = (name: string) => page.getByRole('heading', { level: 1, name });
    /** How often the reader pressed something on the way to a running campaign. */
    let clicks = 0;
    const click = (name: string) => {
      clicks++;
      return button(name).click();
    };
    const downloaded = async (press: Promise<void>) =>
      (await Promise.all([page.waitForEvent('download'), press]))[0];
    await page.getByText('No tasks yet').waitFor();
    expect(page.url(), 'the token is taken out of the address').toBe(`${api.url}/`);

    await click('Import a contact file');
    await title('Import a contact file').waitFor();
    clicks++;
    const chooser = page.waitForEvent('filechooser');
    await page.getByLabel('Choose files').click();
    await (await chooser).setFiles({ name: 'june.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await button('Import 3 rows').waitFor();
    // The field that had the focus is gone.
    await page.locator('h2:focus', { hasText: '.csv' }).waitFor();
    expect(await page.getByLabel('Becomes: Mobile').inputValue()).toBe('phoneNumber');
    await page.getByText('1 row cannot be imported.').waitFor();
    await page.getByRole('complementary').getByText('Not a valid phone number').waitFor();
    await page.getByText('No country is set: numbers are compared as they are written.').waitFor();
    await page.getByLabel('Becomes: note').selectOption('');
    await page.getByLabel('Becomes: note').selectOption('own');
    await expectAccessible(page, 'columns of a file');
    await click('Import 3 rows');
    await page.getByRole('row', { name: /^5 A5 not a number Not a valid phone number/ }).waitFor();
    await page.locator('h2:focus', { hasText: 'Import finished' }).waitFor();
    const figures = page.getByLabel('Import finished').getByRole('definition');
    expect(await figures.allInnerTexts()).toEqual(['3', '0', '0', '1']);
    const rejected = await downloaded(button('Download rejected rows').click());
    expect(rejected.suggestedFilename()).toMatch(/\.xlsx$/);

    await click('Call these people');
    await title('New task').waitFor();
    expect(await page.getByLabel('Task name').inputValue()).toBe('june');
    const summary = page.getByRole('complementary', { name: 'Summary' });
    await summary.getByText('people of “june”').waitFor();
    expect(await summary.locator('.hero').innerText()).toBe('3');
    await summary.getByText(/Mon–Fri 09:00–20:00 \(Asia\/Shanghai\)/).waitFor();
    // Not needed for a campaign: at any hour, so that the calls below can be made now.
    await page.getByLabel('From', { exact: true }).fill('0');
    await page.getByLabel('To', { exact: true }).fill('24:00');
    await page.getByLabel('Weekdays').selectOption({ label: 'Every day' });
    await summary.getByText(/Every day, all day/).waitFor();
    await expectAccessible(page, 'new task');
    await click('Publish');
    await page.getByText('3 in the list, 3 will be called.').first().waitFor();
    await expectAccessibleDialog(page, 'publish');
    await click('Call 3 people');
    await title('june').waitFor();
    await page.getByText('No dialer is connected. Check that it is running.').waitFor();
    expect(clicks).toBe(6);

    expect(await page.getByRole('region', { name: 'Calls over time' }).count()).toBe(0);
    const [first, ...others] = await dialing.lease({ limit: 3 });
    await dialing.report(first!.callId, 'success', 30);
    for (const { callId } of others)
      await api.post('/api/dialer/result', { callId, outcome: 'failed', reason: 'busy', duration: 30 });
    await page.getByRole('link', { name: /^Reached\s*1\s*33\.3%$/ }).waitFor();
    await page.getByRole('row', { name: 'Busy 2' }).waitFor();
    await button('As a table').click();
    const cells = page.getByRole('region', { name: 'Calls over time' }).getByRole('cell');
    const sums = async () => {
      const numbers = (await cells.allInnerTexts()).map(Number);
      // Time, reached, no answer, failed, connect rate: one row for each minute with calls.
      return [1, 2, 3].map((column) => numbers.reduce((sum, n, i) => sum + (i % 5 === column ? n : 0), 0));
    };
    await expect.poll(sums).toEqual([1, 0, 2]);
    await expectAccessible(page, 'task');

    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    const asked = page.waitForRequest(/\/export\?/);
    const saved = await downloaded(
      page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
    );
    expect((await readFile(await saved.path())).subarray(0, 2).toString()).toBe('PK');
    expect(saved.suggestedFilename()).toMatch(/^june.*\.xlsx$/);
    const query = Object.fromEntries(new URL((await asked).url()).searchParams);
    expect(query).toMatchObject({ labels: 'en', timeZone: 'Asia/Shanghai', calls: 'true' });
    // A CSV file has no second sheet.
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await page.getByRole('dialog').getByLabel('Format').selectOption('csv');
    const asCsv = page.waitForRequest(/\/export\?/);
    await downloaded(page.getByRole('dialog').getByRole('button', { name: 'Download' }).click());
    expect([...new URL((await asCsv).url()).searchParams.keys()]).not.toContain('calls');

    await page.getByRole('link', { name: /^Contacts/ }).click();
    await page.getByText('onerror=alert(1)').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByLabel('Outcome').selectOption({ label: 'To be called again (2)' });
    await page.getByText('2 contacts').waitFor();
    await button('Calls to 13800138001').click();
    const call = page.locator('tr.opened').getByRole('row', { name: /Failed Busy 0:30$/ });
    await call.waitFor();
    await expectAccessible(page, 'contacts of a task');
    await page.getByLabel('Select 13800138002').check();
    await button('Call selected again').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Call again' }).click();
    await page.getByText('1 contact queued again').waitFor();
  });
});
