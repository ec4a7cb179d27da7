import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../../local/service.ts';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { createDataSource } from '../../../shared/contacts/rules.ts';
import { serviceSettings } from '../../../shared/platform/settings/index.ts';
import { keys } from '../../../shared/platform/table/index.ts';
import type { Task } from '../../../shared/tasks/rules.ts';
import { aDraft, aService, leaseFrom, move, newId, reportAll } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { seedContacts } from '../../support/engines/seed-contacts.ts';
import { browserPath, useVisitor } from '../../support/run/browser.ts';
import { accessToken } from '../../support/service/api.ts';

const taskCount = 20;
const stepMs = 2500;
/** What has come is shown by then. */
const drawnMs = 100;
const frameMs = 17;
const minuteSteps = 60_000 / stepMs;

/** Local mode reads these by the clock, however long a test takes. */
const partitionsOfSchedules = [
  ...['end', 'deferred', 'erasure', 'import', 'removal'].map((kind) => keys.dueLine(kind)),
  keys.webhooks,
];

/** What the page asks the API for. */
class Asked {
  readonly paths: string[] = [];
  /** Also scripts: a screen may be fetched first. */
  #underWay = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      if (request.url().includes('/api/')) this.paths.push(new URL(request.url()).pathname);
      this.#underWay++;
    });
    const end = () => {
      this.#underWay--;
    };
    page.on('requestfinished', end);
    page.on('requestfailed', end);
  }

  async answered(): Promise<void> {
    // The page answers behind the requests that it has made: from here on they are counted.
    await this.#page.evaluate('0');
    do await this.#page.waitForTimeout(20);
    while (this.#underWay > 0);
  }

  /** The clock of the page goes on by as little as is needed to draw what has come. */
  async drawn(isThere: () => Promise<boolean>): Promise<void> {
    const draw = async () => {
      await this.answered();
      await this.#page.clock.runFor(frameMs);
      return isThere();
    };
    await expect.poll(draw, { interval: 0 }).toBe(true);
  }

  /** The clock of the page goes on; whatever is asked for meanwhile is answered. */
  async pass(steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      await this.#page.clock.runFor(stepMs - drawnMs);
      // An answer may lead to a second request: a timeline is asked for when calls have ended.
      for (let half = 0; half < 2; half++) {
        await this.answered();
        await this.#page.clock.runFor(drawnMs / 2);
      }
    }
    await this.answered();
  }
}

describe.skipIf(browserPath === undefined)('what an open screen reads', () => {
  const visitor = useVisitor();
  let table: OpenTable;
  let service: ReturnType<typeof aService>;
  let url: string;
  let close: () => Promise<void>;
  let measure: ReturnType<typeof meter>['measure'];
  const tasks: Task[] = [];
  let draft: Task;
  const idOf = (at: number) => tasks[at]?.id as string;

  beforeAll(async () => {
    table = await engines[0]!.open();
    service = aService(table.database);
    const now = Date.now();
    const dataSources = openStores(table.database).dataSources;
    for (let i = 0; i < taskCount; i++) {
      const id = newId();
      await dataSources.add(createDataSource({ dataSourceName: `list ${i}` }, id, now));
      await seedContacts(table.database, id, i === 0 ? 120 : 20);
      const task = await move(service, await aDraft(service, id, { callInterval: 600 }), 'publish', now);
      await leaseFrom(service, task, now, { limit: i === 0 ? 100 : 5, leaseSeconds: 3600 });
      tasks.push(task);
    }
    draft = await aDraft(service, tasks[0]?.dataSourceId as string);
    const settings = { port: 0, host: '127.0.0.1', dataDir: ':memory:', accessToken, ...serviceSettings({}) };
    ({ url, close } = await serve(settings, table.database));
    ({ measure } = meter(table.client, partitionsOfSchedules));
  });
  afterEach(() => visitor.leave());
  afterAll(async () => {
    await close();
    await table.close();
  });

  let screens = 0;
  /** With a clock of its own, which stands still: however long the page takes, no time passes for it. */
  const opened = async (path: string) => {
    let asked: Asked | undefined;
    const page = await visitor.open(`${url}${path}#token=${accessToken}`, {
      clock: true,
      watch: async (fresh) => {
        asked = new Asked(fresh);
        // Ever later: the clock of a page that is opened again does not go back.
        await fresh.clock.pauseAt(Date.now() + ++screens * 3_600_000);
      },
    });
    const watching = asked as unknown as Asked;
    const countOf = (selector: string) => page.locator(selector).count();
    await watching.drawn(async () => (await countOf('main h1')) > 0 && (await countOf('.loading')) === 0);
    return { page, asked: watching, first: [...watching.paths] };
  };

  const pathOf = (pattern: string) => {
    const five = tasks.slice(0, 5).map(({ id }) => id);
    return pattern
      .replace('TASKS', five.join())
      .replace('TASK', idOf(0))
      .replace('OTHER', idOf(1))
      .replace('DRAFT', draft.id)
      .replace('SOURCE', tasks[0]?.dataSourceId as string);
  };

  it.each([
    ['today', '/', 2, 40 * taskCount],
    ['tasks', '/tasks', 1, 40 * taskCount],
    // With the calls over time of a task that seems to call: that depends on how long ago its calls were leased.
    ['a task', '/tasks/OTHER', 3, 45],
    ['a task with 100 calls in progress', '/tasks/TASK', 3, 65],
    ['contacts of a task', '/tasks/TASK/contacts', 2, 165],
    ['calls of a task', '/tasks/OTHER/calls', 2, 50],
    ['compare', '/compare?ids=TASKS', 2, 5 * 40],
    ['new task', '/tasks/new?source=SOURCE', 3, 40],
    ['data sources', '/sources', 1, 540],
    ['a data source', '/sources/SOURCE', 3, 90],
    ['its imports', '/sources/SOURCE?tab=imports', 2, 60],
    ['import', '/sources/SOURCE/import', 2, 10],
    ['a draft', '/tasks/DRAFT/edit', 3, 80],
    ['do not call', '/do-not-call', 2, 60],
  ] as const)(
    '%s: at most three requests at first, then a bounded number of read units a minute',
    async (...row) => {
      const [, pattern, requests, mostUnits] = row;
      const { asked, first } = await opened(pathOf(pattern));
      expect(first.length, first.join()).toBeLessThanOrEqual(requests);
      // What a screen asks for once, a moment after its figures, is not counted.
      await asked.pass(4);
      const { rcu } = await measure(() => asked.pass(minuteSteps));
      expect(rcu, `${rcu} read units`).toBeLessThanOrEqual(mostUnits);
    },
  );

  /** Requests of a minute, of which docs/console.md speaks. */
  const everyFiveSeconds = 12;
  it.each([
    ['/', { 'task/overviews': everyFiveSeconds, 'task/board': 2, 'service/day': 2, 'webhook/list': 1 }],
    ['/tasks', { 'task/overviews': everyFiveSeconds, 'task/board': 2 }],
    ['/tasks/OTHER', { 'task/ID/overview': everyFiveSeconds }],
    ['/tasks/TASK/contacts', { 'task/ID/overview': everyFiveSeconds, 'task/ID/contacts': everyFiveSeconds }],
    // Calls are listed again when calls have ended, otherwise once a minute.
    ['/tasks/OTHER/calls', { 'task/ID/overview': everyFiveSeconds, 'task/ID/calls': 1 }],
    ['/compare?ids=TASKS', { 'task/overviews': everyFiveSeconds }],
    ['/tasks/new?source=SOURCE', {}],
    ['/tasks/DRAFT/edit', { 'task/ID/overview': everyFiveSeconds }],
    ['/sources', { 'dataSource/list': everyFiveSeconds, 'task/board': 2 }],
    [
      '/sources/SOURCE',
      {
        ...{ 'dataSource/detail/ID': everyFiveSeconds, 'dataSource/ID/contacts': everyFiveSeconds },
        'dataSource/ID/contact/imports': 2,
      },
    ],
    ['/sources/SOURCE/import', { 'dataSource/ID/contact/imports': 2 }],
    ['/webhooks', { 'webhook/list': everyFiveSeconds }],
    // An empty list looks as often whether a file is imported into it.
    [
      '/do-not-call',
      {
        'dataSource/do-not-call/contacts': everyFiveSeconds,
        'dataSource/do-not-call/contact/imports': everyFiveSeconds,
      },
    ],
  ] as const)('%s asks as often as it says', async (pattern, expected) => {
    const { asked } = await opened(pathOf(pattern));
    await asked.pass(4);
    asked.paths.length = 0;
    await asked.pass(minuteSteps);
    const counts: Record<string, number> = {};
    // Whether a task calls, so that its pace is asked for, depends on how long ago its calls were leased.
    for (const path of asked.paths.filter((each) => !each.endsWith('/timeline'))) {
      const name = path.slice('/api/'.length).replace(/[0-9a-z]{16}/, 'ID');
      counts[name] = (counts[name] ?? 0) + 1;
    }
    expect(counts).toEqual(expected);
  });

  it('a task whose calls end all the time costs one timeline more each time', async () => {
    const task = tasks[2] as Task;
    const { asked } = await opened(`/tasks/${task.id}`);
    await asked.pass(2);
    let units = 0;
    for (let i = 0; i < minuteSteps / 2; i++) {
      const now = Date.now();
      await reportAll(service, await leaseFrom(service, task, now, { limit: 1 }), 'success', now, 30);
      units += (await measure(() => asked.pass(2))).rcu;
    }
    expect(units, `${units} read units`).toBeLessThanOrEqual(55);
  });

  it('today is refreshed by one request, also with the calls of the day', async () => {
    const { asked } = await opened('/');
    await asked.pass(2);
    const calls = await leaseFrom(service, tasks[3], Date.now(), { limit: 3 });
    await reportAll(service, calls, 'success', Date.now(), 30);
    asked.paths.length = 0;
    await asked.pass(2);
    expect(asked.paths).toEqual(['/api/task/overviews']);
  });

  it('figures are at most five seconds old, also those of a chart; a hidden tab asks nothing', async () => {
    const { page, asked } = await opened(`/tasks/${idOf(1)}`);
    await page.getByRole('button', { name: 'As a table' }).click();
    const calls = await leaseFrom(service, tasks[1], Date.now(), { limit: 2 });
    await reportAll(service, calls, 'success', Date.now(), 30);
    await asked.pass(2);
    await asked.drawn(async () => (await page.getByText('coverage 10%').count()) === 1);
    const cells = page.getByRole('region', { name: 'Calls over time' }).getByRole('cell');
    await asked.drawn(async () => (await cells.allInnerTexts()).at(1) === '2');
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));`);
    asked.paths.length = 0;
    await asked.pass(minuteSteps);
    expect(asked.paths).toEqual([]);
  });

  it('made no error and asked no other host', () => {
    expect(visitor.troubles).toEqual([]);
  });
});
