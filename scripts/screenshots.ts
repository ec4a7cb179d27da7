import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startService } from '../local/service.ts';
import { inMemory, settingsFrom } from '../local/settings.ts';
import { log } from '../shared/platform/observability/log.ts';
import { movingPicture } from './moving-picture.ts';
import { pictureMorning } from './pictured-morning.ts';

/**
 * Takes the README's pictures of a morning of made-up calls. Needs Chromium or Chrome.
 * `-- --moving` takes only the two that move.
 */
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const accessToken = 'pictures';
const viewport = { width: 1280, height: 800 };
const hours = 7;
const colorSchemes = ['light', 'dark'] as const;
/** Of the moving pictures: one of so many steps of the morning is shown, for so long. */
const stepsAPicture = 2;
const pictureMs = 300;
const lastPictureMs = 4000;

// Imported dynamically, because the bundle of a program cannot take this package in.
const { chromium } = await import('playwright-core');
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
if (executablePath === undefined) throw new Error('no Chromium or Chrome on this machine');

const say = (name: string) => process.stdout.write(`docs/pictures/${name}\n`);

const drawn = async (page: Page): Promise<void> => {
  await page.locator('.loading').waitFor({ state: 'detached' });
  // Time for the last fetches and drawings.
  await page.waitForTimeout(2000);
};

const picture = async (page: Page, name: string): Promise<void> => {
  await drawn(page);
  await page.screenshot({ path: `${folder}${name}.png` });
  say(`${name}.png`);
};

log.setLogLevel('SILENT');
await mkdir(folder, { recursive: true });
/** A Monday morning in Shanghai: pages and service have this clock. */
const clock = { now: Date.parse('2026-05-18T09:00:00+08:00') };
const service = await startService(
  settingsFrom({ PORT: '0', DATA_DIR: inMemory, LOCAL_ACCESS_TOKEN: accessToken }),
  () => clock.now,
);
await service.prepareConsole();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

const open = async (path: string, language: string, colorScheme: 'light' | 'dark') => {
  const context = await browser.newContext({
    viewport,
    locale: language,
    colorScheme,
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.clock.setFixedTime(clock.now);
  await page.goto(`${service.url}${path}#token=${accessToken}`, { waitUntil: 'commit' });
  await page.locator('main h1').waitFor();
  return page;
};

const watched: { page: Page; name: string; pngs: Buffer[] }[] = [];

const watch = async (taskId: string): Promise<void> => {
  for (const scheme of colorSchemes) {
    const page = await open(`/tasks/${taskId}`, 'en-GB', scheme);
    watched.push({ page, name: `campaign-${scheme}.gif`, pngs: [] });
  }
};

/** As if the browser's window had just been brought to the front: the page asks for what is new. */
const shoot = async ({ page, pngs }: (typeof watched)[number]): Promise<void> => {
  await page.clock.setFixedTime(clock.now);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  await drawn(page);
  pngs.push(await page.screenshot());
};

const onStep = async (taskId: string, step: number): Promise<void> => {
  if (watched.length === 0) await watch(taskId);
  if (step % stepsAPicture === 0) await Promise.all(watched.map(shoot));
};

const writeMoving = async (): Promise<void> => {
  for (const { page, name, pngs } of watched) {
    const delays = pngs.map((_, at) => (at === pngs.length - 1 ? lastPictureMs : pictureMs));
    await writeFile(`${folder}${name}`, movingPicture(pngs, delays));
    say(name);
    await page.context().close();
  }
};

try {
  const { taskId, callOn } = await pictureMorning(service.url, accessToken, { clock, hours, onStep });
  await writeMoving();
  if (!process.argv.includes('--moving')) {
    const page = await open(`/tasks/${taskId}`, 'en-GB', 'light');
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
  }
} finally {
  await browser.close();
  await service.close();
}
