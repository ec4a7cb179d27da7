import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { DialingApi } from '../dialing/dialing-api.ts';
import { accessToken, succeeded, useApi } from '../service/api.ts';

/** `BROWSER=/path/to/chrome` names one, `BROWSER=required` fails the run where there is none. */
const wish = process.env.BROWSER ?? '';
const candidates = [
  wish,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
export const browserPath = candidates.find((path) => path.startsWith('/') && existsSync(path));

if (browserPath === undefined) {
  const words = 'Browser tests left out: no Chromium or Chrome on this machine';
  if (wish === 'required') throw new Error(words);
  console.log(words);
}

const blank = 'about:blank';
/** A busy machine is slow, and a hang still ends. */
const patienceMs = 120_000;

type Opened = {
  language?: string;
  width?: number;
  theme?: 'light' | 'dark';
  /** The page's clock goes on only when the test says so. */
  clock?: boolean;
  /** The page's clock stands there. */
  at?: number;
  /** Sees the page before it goes anywhere. */
  watch?: (page: Page) => Promise<void> | void;
};

let browser: Promise<Browser> | undefined;

/** The one for all tests of a file. */
const startedBrowser = (): Promise<Browser> => {
  browser ??= chromium.launch({
    executablePath: browserPath as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  return browser;
};

export const closeBrowser = async (): Promise<void> => {
  await (await browser)?.close();
  browser = undefined;
};

/**
 * Every page is watched for what must not happen. A page that was left is opened again where its
 * language and width are asked for: a new one costs as much as five such.
 */
export class Visitor {
  readonly #pages = new Map<string, { page: Page; clock: boolean }>();
  /** Errors of the page and requests that failed unasked. */
  readonly troubles: string[] = [];
  /** Answers that a test brings about. */
  expected: RegExp | undefined;
  /** Those of the test before: the browser may tell of them when the next one has begun. */
  #expectedBefore: RegExp | undefined;

  /** Leaves every page as if it were new: one that nobody looks at asks on. */
  async leave(): Promise<void> {
    for (const { page, clock } of this.#pages.values()) {
      if (page.url() === blank) continue;
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      if (clock) await page.clock.resume();
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.goto(blank);
    }
    this.#expectedBefore = this.expected;
    this.expected = undefined;
  }

  async close(): Promise<void> {
    for (const { page } of this.#pages.values()) await page.context().close();
  }

  async open(address: string, { watch, at, ...more }: Opened = {}): Promise<Page> {
    const how = at === undefined ? more : { ...more, clock: true };
    const kind = JSON.stringify(how);
    const { page } = this.#pages.get(kind) ?? { page: await this.#newPage(how) };
    this.#pages.set(kind, { page, clock: how.clock === true });
    if (at !== undefined) await page.clock.setFixedTime(at);
    await watch?.(page);
    await page.goto(address);
    return page;
  }

  async #newPage({
    language = 'en-GB',
    width = 1400,
    theme = 'light',
    clock = false,
  }: Omit<Opened, 'at' | 'watch'>): Promise<Page> {
    const context = await (await startedBrowser()).newContext({
      viewport: { width, height: 900 },
      locale: language,
      colorScheme: theme,
      timezoneId: 'Asia/Shanghai',
      reducedMotion: 'reduce',
      // The page's policy keeps scripts out that are not its own; those of the test are let in.
      bypassCSP: false,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    if (clock) await page.clock.install();
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.#note(`error: ${error.message}`));
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== '127.0.0.1') this.#note(`another host: ${request.url()}`);
    });
    return page;
  }

  #note(text: string): void {
    if ([this.expected, this.#expectedBefore].some((each) => each?.test(text)) || text.includes('blob:'))
      return;
    this.troubles.push(text);
  }
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Those that the theme has a say in; to all others light and dark are one page. */
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

type Finding = { id: string; nodes: { html: string; failureSummary?: string }[] };

type Looked = { themes?: readonly ('light' | 'dark')[]; within?: string };

/** No finding of axe-core against WCAG 2.2 AA, in light and in dark. */
export const expectAccessible = async (
  page: Page,
  screen: string,
  { themes = ['light', 'dark'], within = 'html' }: Looked = {},
): Promise<void> => {
  // Evaluated by the debugger: the page's Content-Security-Policy stays as it is.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(await readFile(axeFile, 'utf8'));
  const before = await page.evaluate('document.documentElement.dataset.theme');
  for (const [at, theme] of themes.entries()) {
    const runOnly = JSON.stringify(at === 0 ? rules : colourRules);
    const found = (await page.evaluate(
      `document.documentElement.dataset.theme = '${theme}';
       axe.run('${within}', { runOnly: ${runOnly}, resultTypes: ['violations'] }).then((r) => r.violations)`,
    )) as Finding[];
    const words = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(words, `${screen}, ${theme}`).toEqual([]);
  }
  await page.evaluate(`document.documentElement.dataset.theme = '${before}'`);
};

/** As `expectAccessible`, of the dialog that is open. */
export const expectAccessibleDialog = async (page: Page, screen: string): Promise<void> => {
  await page.locator('dialog[open]').waitFor();
  await expectAccessible(page, screen, { within: 'dialog[open]' });
};

/** Opens the settings of a task that are folded. */
export const unfold = async (within: Page | Locator): Promise<void> => {
  await within.locator('.controls-folded').first().waitFor();
  for (const summary of await within.locator('.controls-folded > summary').all()) await summary.click();
};

/** A suite that runs where there is a browser. */
export const inBrowser = describe.skipIf(browserPath === undefined);

/** Leaves its pages after each test. None of them may show an error or ask another host. */
export const useVisitor = (): Visitor => {
  const visitor = new Visitor();
  afterEach(() => visitor.leave());
  afterAll(async () => {
    await visitor.close();
    expect(visitor.troubles).toEqual([]);
  });
  return visitor;
};

/** A service for the tests of a suite, and its console in a browser. */
export const useConsole = (settings: Parameters<typeof useApi>[0] = {}) => {
  const api = useApi(settings);
  const visitor = useVisitor();
  const opened = async (path = '/', how: Opened = {}): Promise<Page> => {
    const page = await visitor.open(`${api.url}${path}#token=${accessToken}`, how);
    await page.locator('main h1').waitFor();
    return page;
  };
  const overviewOf = async (id: unknown) => succeeded(await api.get(`/api/task/${id}/overview`));
  return { api, visitor, opened, overviewOf, dialing: new DialingApi(api) };
};
