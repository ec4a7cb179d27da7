import timers from 'node:timers/promises';
import { expect } from 'vitest';
import type { Answer } from '../service/answers.ts';
import { succeeded } from '../service/api.ts';
import { send } from '../service/post-scenarios.ts';
import { audit, Shelf } from './audit.ts';
import type { Dialect, Handler } from './fault-line.ts';
import { FaultProcess } from './fault-process.ts';
import { World } from './world.ts';

/**
 * Who takes part. `ahead`: contacts that wait to be called at most, as imports go on as the dialers
 * do.
 */
type Size = { dialers: number; rowsOfFile: number; ahead: number };
export const wholeLoad: Size = { dialers: 16, rowsOfFile: 24, ahead: 64 };

const importers = 2;
const leaseSeconds = 60;
const shareThrottled = 0.3;
/** A client's pause before it tries again, at most. */
const pauseMs = 100;
/** A dialer's pause where nobody is to be called, at most. */
const idleMs = 1000;
/** Its multiples spread evenly: of any stretch of tries the share is refused, and no more. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;
const firstPhone = 13_000_000_000;

/** Refuses a share of all tries, the SDK's own retries among them. */
class ThrottlingLine {
  share = shareThrottled;
  calls = 0;
  tries = 0;
  /** Of one call. */
  mostTries = 0;

  wrap<H extends Handler>(handler: H, dialect: Dialect): H {
    const handle = async (request: { headers: Record<string, string> }, options: unknown) => {
      const attempt = Number(/attempt=(\d+)/.exec(request.headers['amz-sdk-request'] ?? '')?.[1] ?? 1);
      if (attempt === 1) this.calls++;
      this.tries++;
      this.mostTries = Math.max(this.mostTries, attempt);
      if ((this.tries * goldenRatio) % 1 < this.share) return { response: dialect.throttled };
      return handler.handle(request as never, options as never);
    };
    return Object.assign(Object.create(handler), { handle }) as H;
  }
}

type Call = { callId: string; contactId: string };
/** What clients were told. */
type Seen = { requests: number; repeated: number; results: number; phones: number };

/** Dialers and two imports on two running tasks, while a share of all calls to AWS is throttled. */
export class ThrottledLoad {
  readonly #world: World;
  readonly #size: Size;
  readonly #service: FaultProcess;
  readonly line: ThrottlingLine;
  readonly seen: Seen = { requests: 0, repeated: 0, results: 0, phones: 0 };
  readonly #inCall = new Set<string>();
  #offset = 0;
  #keys = 0;

  private constructor(world: World, size: Size) {
    this.#world = world;
    this.#size = size;
    this.line = new ThrottlingLine();
    world.clock.now = () => Date.now() + this.#offset;
    this.#service = new FaultProcess(world, this.line);
  }

  static async start(size: Size): Promise<ThrottledLoad> {
    return new ThrottledLoad(await World.open(), size);
  }

  close(): Promise<void> {
    return this.#world.close();
  }

  /**
   * As clients do it: again under the same key, after a pause, for as long as the service cannot.
   */
  async #post(path: string, body: unknown, file?: string): Promise<Answer> {
    const key = `key-${++this.#keys}`;
    for (;;) {
      this.seen.requests++;
      const answer = await send(this.#service, { path, body, ...(file === undefined ? {} : { file }) }, key);
      if (answer.status < 500 && answer.status !== 429 && !/still running/.test(answer.body.message))
        return answer;
      this.seen.repeated++;
      await timers.setTimeout(pauseMs * Math.random());
    }
  }

  async #aTask(name: string): Promise<string> {
    const source = succeeded(await this.#post('/api/dataSource/add', { dataSourceName: name }));
    const rules = { dataSourceId: source.id, maxDialCount: 2, callInterval: 0 };
    const { id } = succeeded(await this.#post('/api/task/add', { taskName: name, ...rules }));
    succeeded(await this.#post('/api/task/publish', { id }));
    return source.id;
  }

  /** Until then; the imports that were begun by that time are ended. */
  async run(isOver: () => boolean): Promise<void> {
    const sources: string[] = [];
    for (let i = 0; i < importers; i++) sources.push(await this.#aTask(`throttled ${i}`));
    const importing = sources.map((id) => this.#importUntil(id, isOver));
    const dialing = Array.from({ length: this.#size.dialers }, () => this.#dial(() => !isOver()));
    await Promise.all([...importing, ...dialing]);
  }

  async #importUntil(dataSourceId: string, isOver: () => boolean): Promise<void> {
    const { rowsOfFile, ahead } = this.#size;
    do {
      const rows = Array.from({ length: rowsOfFile }, () => String(firstPhone + this.seen.phones++));
      const file = ['phoneNumber', ...rows].join('\n');
      const path = `/api/dataSource/${dataSourceId}/contact/batchImport`;
      const { successCount } = succeeded(await this.#post(path, undefined, file)) as never as {
        successCount: number;
      };
      expect(successCount, 'rows of a file that nobody else has').toBe(rowsOfFile);
      while (!isOver() && this.seen.phones > this.seen.results + ahead) {
        await timers.setTimeout(pauseMs);
      }
    } while (!isOver());
  }

  async #dial(isOn: () => boolean): Promise<void> {
    while (isOn()) {
      const leased = succeeded(await this.#post('/api/dialer/lease', { limit: 4, leaseSeconds }));
      const { calls } = leased as never as { calls: Call[] };
      for (const { contactId } of calls) {
        expect(this.#inCall.has(contactId), `${contactId} in two calls at once`).toBe(false);
        this.#inCall.add(contactId);
      }
      for (const call of calls) await this.#report(call);
      if (calls.length === 0) await timers.setTimeout(idleMs * Math.random());
    }
  }

  async #report({ callId, contactId }: Call): Promise<void> {
    this.#inCall.delete(contactId);
    const outcome = (['success', 'failed', 'noAnswer'] as const)[this.seen.results % 3];
    succeeded(await this.#post('/api/dialer/result', { callId, outcome, duration: 1 }));
    this.seen.results++;
  }

  /** The throttling is over: everybody is called to the end, and everything adds up. */
  async settle(): Promise<void> {
    this.line.share = 0;
    this.#offset += 2 * leaseSeconds * 1000;
    await this.#service.events.doDueFileWork();
    let isIdle = false;
    while (!isIdle) {
      const before = this.seen.results;
      let looks = 2;
      await this.#dial(() => looks-- > 0);
      isIdle = this.seen.results === before;
    }
    await audit(this.#world);
    this.#expectNothingLost();
  }

  #expectNothingLost(): void {
    const shelf = new Shelf(this.#world.items);
    const contacts = shelf.records('dataSource').flatMap(({ id }) => shelf.contacts(String(id)));
    const phones = contacts.map(({ phone }) => Number(phone)).sort((a, b) => a - b);
    expect(phones, 'every row is a contact').toEqual(
      Array.from({ length: this.seen.phones }, (_, i) => firstPhone + i),
    );
    const tasks = shelf.records('task');
    expect(
      tasks.map(({ status }) => status),
      'both tasks are completed',
    ).toEqual([4, 4]);
    const called = tasks.flatMap(({ id }) => shelf.taskContacts(String(id)));
    const results = called.reduce((sum, { callCount }) => sum + callCount, 0);
    expect(results, 'each result that was accepted counts once').toBe(this.seen.results);
  }
}
