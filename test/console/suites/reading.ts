import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serve } from '../../../local/service.ts';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { createDataSource } from '../../../shared/contacts/rules/data-source.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { aDraft, aService, leaseFrom, move, newId, reportAll } from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { seedContacts } from '../../support/engines/seed-contacts.ts';
import { inBrowser, useVisitor } from '../../support/run/browser.ts';
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

/**
 * In the page: an answer is held until the test lets it in, so that the clock of the page never
 * goes on by as much as an answer takes. `answered` waits for the whole answers to all requests,
 * and lets them in.
 */
const holdAnswers = `{
  const { fetch } = globalThis;
  const held = [];
  let underWay = 0;
  let arrived = () => {};
  globalThis.fetch = async (...asked) => {
    underWay++;
    try {
      const answer = await fetch(...asked);
      const whole = new Response(await answer.text(), answer);
      await new Promise((letIn) => {
        held.push(letIn);
        arrived();
      });
      return whole;
    } finally {
      underWay--;
      arrived();
    }
  };
  globalThis.answered = async () => {
    while (underWay > held.length) await new Promise((resolve) => (arrived = resolve));
    for (const letIn of held.splice(0)) letIn();
  };
}`;

/** What the page asks the API for. */
class Asked {
  readonly paths: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      if (request.url().includes('/api/')) this.paths.push(new URL(request.url()).pathname);
    });
  }

  /** The clock of the page goes on by as little as is needed to draw what has come. */
  async drawn(isThere: () => Promise<boolean>): Promise<void> {
    const draw = async () => {
      await this.#page.evaluate('answered()');
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
        await this.#page.evaluate('answered()');
        await this.#page.clock.runFor(drawnMs / 2);
      }
    }
    await this.#page.evaluate('answered()');
  }
}

inBrowser('what an open screen reads', () => {
  const visitor = useVisitor();
  let table: OpenTable;
  let service: ReturnType<typeof aService>;
  let url: string;
  let close: () => Promise<void>;
  let measure: ReturnType<typeof meter>['measure'];
  const tasks: Task[] = [];
  let draft: Task;
  /**
   * The clock of the service stands still: how long ago calls were leased does not depend on the
   * test.
   */
  const now = Date.now();
  const idOf = (at: number) => tasks[at]?.id as string;

  beforeAll(async () => {
    table = await engines[0]!.open();
    service = aService(table.database);
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
    ({ url, close } = await serve(settings, table.database, () => now));
    ({ measure } = meter(table.client, partitionsOfSchedules));
  });
  afterAll(async () => {
    await close();
    await table.close();
  });

  let screens = 0;
  /**
   * With a clock of its own, which stands still: however long the page takes, no time passes for
   * it.
   */
  let asked: Asked | undefined;
  const opened = async (path: string) => {
    const page = await visitor.open(`${url}${path}#token=${accessToken}`, {
      clock: true,
      watch: async (fresh) => {
        if (asked === undefined) await fresh.addInitScript(holdAnswers);
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

  /** Requests of a minute, of which docs/console.md speaks. */
  const often = 12;
  /**
   * A board brings the overviews too, and puts their next request off: when in a minute depends on
   * the speed of the page.
   */
  const besideBoard = expect.toBeOneOf([often - 2, often - 1, often]);
  /** With the requests at first, the most read units of a minute, and its requests. */
  it.each([
    ['/', 1, 40 * taskCount, { 'task/overviews': besideBoard, 'task/board': 2, 'webhook/list': 1 }],
    ['/tasks', 1, 40 * taskCount, { 'task/overviews': besideBoard, 'task/board': 2 }],
    ['/tasks/OTHER', 3, 45, { 'task/ID/overview': often, 'task/ID/outlook': 2 }],
    // With 100 calls in progress.
    ['/tasks/TASK', 3, 65, { 'task/ID/overview': often, 'task/ID/outlook': 2 }],
    ['/tasks/TASK/contacts', 2, 165, { 'task/ID/overview': often, 'task/ID/contacts': often }],
    // Calls are listed again when calls have ended, otherwise once a minute.
    ['/tasks/OTHER/calls', 2, 50, { 'task/ID/overview': often, 'task/ID/calls': 1 }],
    ['/compare?ids=TASKS', 2, 5 * 40, { 'task/overviews': often }],
    ['/tasks/new?source=SOURCE', 3, 40, {}],
    ['/tasks/DRAFT/edit', 3, 80, { 'task/ID/overview': often }],
    ['/sources', 1, 540, { 'dataSource/list': often, 'task/board': 2 }],
    [
      ...(['/sources/SOURCE', 3, 90] as const),
      {
        ...{ 'dataSource/detail/ID': often, 'dataSource/ID/contacts': often },
        'dataSource/ID/contact/imports': 2,
      },
    ],
    [
      ...(['/sources/SOURCE?tab=imports', 2, 60] as const),
      { 'dataSource/detail/ID': often, 'dataSource/ID/contact/imports': often },
    ],
    ['/sources/SOURCE/import', 2, 10, { 'dataSource/ID/contact/imports': 2 }],
    // An empty list looks as often whether a file is imported into it.
    [
      ...(['/do-not-call', 2, 60] as const),
      { 'dataSource/do-not-call/contacts': often, 'dataSource/do-not-call/contact/imports': often },
    ],
    ['/webhooks', 1, 60, { 'webhook/list': often }],
  ] as const)('%s asks and reads as often as it says', async (pattern, requests, mostUnits, expected) => {
    const { asked, first } = await opened(pathOf(pattern));
    expect(first.length, first.join()).toBeLessThanOrEqual(requests);
    // What a screen asks for once, a moment after its figures, is not counted.
    await asked.pass(4);
    asked.paths.length = 0;
    const { rcu } = await measure(() => asked.pass(minuteSteps));
    expect(rcu, `${rcu} read units`).toBeLessThanOrEqual(mostUnits);
    const counts: Record<string, number> = {};
    for (const path of asked.paths) {
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
      await reportAll(service, await leaseFrom(service, task, now, { limit: 1 }), 'success', now, 30);
      units += (await measure(() => asked.pass(2))).rcu;
    }
    expect(units, `${units} read units`).toBeLessThanOrEqual(60);
  });

  it('today is refreshed by one request, also with the calls of the day', async () => {
    const { asked } = await opened('/');
    await asked.pass(2);
    const calls = await leaseFrom(service, tasks[3], now, { limit: 3 });
    await reportAll(service, calls, 'success', now, 30);
    asked.paths.length = 0;
    await asked.pass(2);
    expect(asked.paths).toEqual(['/api/task/overviews']);
  });

  it('figures are at most five seconds old, also those of a chart; a hidden tab asks nothing', async () => {
    const call = async (limit: number) =>
      reportAll(service, await leaseFrom(service, tasks[1], now, { limit }), 'success', now, 30);
    await call(1);
    const { page, asked } = await opened(`/tasks/${idOf(1)}`);
    await page.getByRole('button', { name: 'As a table' }).click();
    await call(1);
    await asked.pass(2);
    await asked.drawn(
      async () => (await page.getByRole('link', { name: /^Reached\s*2\s*10%$/ }).count()) === 1,
    );
    const cells = page.getByRole('region', { name: 'Calls over time' }).getByRole('cell');
    await asked.drawn(async () => (await cells.allInnerTexts()).at(1) === '2');
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));`);
    asked.paths.length = 0;
    await asked.pass(minuteSteps);
    expect(asked.paths).toEqual([]);
  });
});
