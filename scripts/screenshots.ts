import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { startService } from '../local/service.ts';
import { inMemory, settingsFrom } from '../local/settings.ts';
import { log } from '../shared/observability/log.ts';

/** The README's pictures, from a run with made-up contacts. Needs Chromium or Chrome. */
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const accessToken = 'pictures';
const watchedMs = 60_000;
const viewport = { width: 1280, height: 800 };

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
if (executablePath === undefined) throw new Error('no Chromium or Chrome on this machine');

const picture = async (page: Page, name: string): Promise<void> => {
  // What is being fetched has time to come.
  await page.waitForTimeout(2000);
  await page.screenshot({ path: `${folder}${name}.png` });
  process.stdout.write(`docs/pictures/${name}.png\n`);
};

log.setLogLevel('SILENT');
await mkdir(folder, { recursive: true });
const service = await startService({
  ...settingsFrom({ PORT: '0', DATA_DIR: inMemory, LOCAL_ACCESS_TOKEN: accessToken }),
});
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const open = async (language: string, colorScheme: 'light' | 'dark') => {
    const context = await browser.newContext({
      viewport,
      locale: language,
      colorScheme,
      timezoneId: 'Asia/Shanghai',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${service.url}/#token=${accessToken}`, { timeout: 120_000 });
    return page;
  };
  const page = await open('en-GB', 'light');
  await page.getByRole('button', { name: 'Try it with made-up contacts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Spring survey' }).waitFor();
  const address = page.url();
  await page.waitForTimeout(watchedMs);
  await picture(page, 'task');
  await page.goto(`${service.url}/`);
  await picture(page, 'tasks');
  await page.goto(`${service.url}/tasks/new`);
  await picture(page, 'new-task');
  const chinese = await open('zh-CN', 'dark');
  await chinese.goto(address);
  await picture(chinese, 'task-zh-dark');
} finally {
  await browser.close();
  await service.close();
}
