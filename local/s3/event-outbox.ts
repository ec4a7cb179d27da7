import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, log, maskPhones } from '../../shared/observability/log.ts';
import { type Disk, syncFolder } from './blob-file.ts';
import type { ObjectCreated } from './object-created.ts';

export type EventHandler = (event: ObjectCreated) => Promise<void> | void;

/** Before the second and the third try; after that the event waits for the next start. */
const retryDelaysMs = [200, 1000];
const concurrency = 4;

/** Events on disk until their handler has succeeded: each is delivered at least once, in no order. */
export class EventOutbox {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #handler: EventHandler;
  readonly #waiting: ObjectCreated[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(disk: Disk, folder: string, handler: EventHandler) {
    this.#disk = disk;
    this.#folder = folder;
    this.#handler = handler;
  }

  #file = ({ id }: ObjectCreated) => path.join(this.#folder, `${id}.json`);

  /** Once this returns the event outlives a crash. */
  async record(event: ObjectCreated): Promise<void> {
    const temporary = path.join(this.#disk.staging, event.id);
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(JSON.stringify(event));
      if (this.#disk.durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.#file(event));
    if (this.#disk.durable) await syncFolder(this.#folder);
  }

  async forget(event: ObjectCreated): Promise<void> {
    await rm(this.#file(event), { force: true });
  }

  /** Those recorded and not handled, oldest first. */
  async pending(): Promise<ObjectCreated[]> {
    const events: ObjectCreated[] = [];
    for (const name of await readdir(this.#folder)) {
      events.push(JSON.parse(await readFile(path.join(this.#folder, name), 'utf8')) as ObjectCreated);
    }
    return events.sort((a, b) => (a.detail.object.sequencer < b.detail.object.sequencer ? -1 : 1));
  }

  /** Returns at once; the handler runs in the background. */
  deliver(event: ObjectCreated): void {
    this.#waiting.push(event);
    this.#next();
  }

  #next(): void {
    while (this.#running.size < concurrency && !this.#closing.signal.aborted) {
      const event = this.#waiting.shift();
      if (event === undefined) return;
      const running: Promise<void> = this.#handle(event).finally(() => {
        this.#running.delete(running);
        this.#next();
      });
      this.#running.add(running);
    }
  }

  async #handle(event: ObjectCreated): Promise<void> {
    const { key } = event.detail.object;
    for (const delay of [...retryDelaysMs, undefined]) {
      try {
        // Not within the request that created the object, which is about to be answered.
        await sleep(0);
        await this.#handler(event);
        return await this.forget(event);
      } catch (error) {
        log.error('an object that arrived was not handled', {
          key: maskPhones(key),
          error: describeError(error),
        });
      }
      if (delay === undefined) return;
      await sleep(delay, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (this.#closing.signal.aborted) return;
    }
  }

  /** Waits for the handlers that run; what they have not done is delivered at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#running);
  }
}
