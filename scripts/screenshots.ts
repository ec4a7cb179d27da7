import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startService } from '../local/service.ts';
import { inMemory, settingsFrom } from '../local/settings.ts';
import { log } from '../shared/platform/observability/log.ts';
import { pictureMorning } from './pictured-morning.ts';

/** Takes the README's pictures of a morning of made-up calls. Needs Chromium or Chrome. */
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const accessToken = 'pictures';
const viewport = { width: 1280, height: 800 };
const hours = 7;

// Imported dynamically, because the bundle of a program cannot include this package.
const { chromium } = await import('playwright-core');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
if (executablePath === undefined) throw new Error('no Chromium or Chrome on this machine');

const picture = async (page: Page, name: string): Promise<void> => {
  await page.locator('.loading').waitFor({ state: 'detached' });
  // Time for the last requests and drawings.
  await page.waitForTimeout(2000);
  await page.screenshot({ path: `${folder}${name}.png` });
  process.stdout.write(`docs/pictures/${name}.png\n`);
};

log.setLogLevel('SILENT');
await mkdir(folder, { recursive: true });
const clock = { now: Date.now() - hours * 3_600_000 };
const service = await startService(
  settingsFrom({ PORT: '0', DATA_DIR: inMemory, LOCAL_ACCESS_TOKEN: accessToken }),
  () => clock.now,
);
await service.prepareConsole();
const { taskId, callOn } = await pictureMorning(service.url, accessToken, clock, hours);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const open = async (path: string, language: string, colorScheme: 'light' | 'dark') => {
    const context = await browser.newContext({
      viewport,
      locale: language,
      colorScheme,
      timezoneId: 'Asia/Shanghai',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`${service.url}${path}#token=${accessToken}`, { waitUntil: 'commit' });
    await page.locator('main h1').waitFor();
    return page;
  };
  const page = await open(`/tasks/${taskId}`, 'en-GB', 'light');
  clock.now = Date.now();
  await callOn();
  // The page reads the calls of the last minutes a second after its first figures.
  await page.waitForTimeout(6000);
  await picture(page, 'task');
  await page.goto(`${service.url}/tasks/${taskId}/calls?outcome=success`);
  await page.locator('a[data-call]').first().click();
  await picture(page, 'calls');
  await page.goto(service.url);
  await picture(page, 'today');
  await page.goto(`${service.url}/tasks`);
  await picture(page, 'tasks');
  await page.goto(`${service.url}/tasks/new?copy=${taskId}`);
  await picture(page, 'new-task');
  await picture(await open(`/tasks/${taskId}`, 'zh-CN', 'dark'), 'task-zh-dark');
} finally {
  await browser.close();
  await service.close();
}
