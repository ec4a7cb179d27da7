import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { ClassicLevel } from 'classic-level';
import { isDiskFull, logFullDisk, storageFull } from '../disk.ts';
import type { Attributes } from './attribute-value.ts';
import { type Change, type Level, MemoryLevel, type RangeOptions } from './level.ts';

/** An item before and after a write; `undefined` if it did not or does not exist. */
export type ItemChange = { before: Attributes | undefined; after: Attributes | undefined };
/** Gets what was written, in the order of the writes. Must not throw. */
export type OnWritten = (changes: readonly ItemChange[]) => void;
/** A change in the stream of the table; `time` in epoch milliseconds. */
export type StreamRecord = ItemChange & { key: string; time: number };
/** Which changes the stream keeps, until they are removed from it. */
export type IsStreamed = (change: ItemChange) => boolean;

export type StorageOptions = {
  path: string | ':memory:';
  onWritten?: OnWritten | undefined;
  isStreamed?: IsStreamed | undefined;
  /** Each batch is forced to the disk, so that it survives the end of the machine. */
  isForced?: boolean | undefined;
};

const streamPrefix = 'stream/';
/** More bytes than LevelDB writes when it opens. */
const probeBytes = 1024 * 1024;

type Group = {
  changes: Change[];
  items: ItemChange[];
  values: Map<string, unknown>;
  written: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
};

const levelAt = (path: string): Level =>
  path === ':memory:'
    ? new MemoryLevel()
    : new ClassicLevel<string, unknown>(path, { valueEncoding: 'json' });

const newGroup = (): Group => {
  let resolve = () => {};
  let reject: Group['reject'] = () => {};
  const written = new Promise<void>((onWritten, onFailure) => {
    resolve = onWritten;
    reject = onFailure;
  });
  // The requests that wait for the group get the error. If none waits, it must not end the process.
  written.catch(() => {});
  return { changes: [], items: [], values: new Map(), written, resolve, reject };
};

/**
 * A LevelDB, with the changes that are not written to it yet in memory. Reads and staged writes are
 * synchronous, so the code between two awaits is one serial step: there are no locks, hence no
 * deadlocks. Changes that are staged together reach LevelDB in one atomic batch, and batches are
 * written one after the other. A request may be answered only after `settled()`. Before that, its
 * changes are lost if the process ends.
 */
export class Storage {
  readonly #path: string;
  readonly #level: Level;
  readonly #onWritten: OnWritten | undefined;
  readonly #isStreamed: IsStreamed;
  readonly #isForced: boolean;
  #streamed = 0;
  #open: Group | undefined;
  #inFlight: Group | undefined;
  #reopening: Promise<void> | undefined;
  #failed = false;

  private constructor(level: Level, options: StorageOptions) {
    const { path, onWritten, isStreamed = () => false, isForced = false } = options;
    this.#path = path;
    this.#level = level;
    this.#onWritten = onWritten;
    this.#isStreamed = isStreamed;
    this.#isForced = isForced;
  }

  /** @throws Error with one sentence for the operator */
  static async open(options: StorageOptions): Promise<Storage> {
    const { path } = options;
    if (path !== ':memory:') assertWhole(path);
    const level = levelAt(path);
    try {
      await level.open();
    } catch (error) {
      throw openFailure(path, error);
    }
    const storage = new Storage(level, options);
    const last = await storage.#streamValues({ reverse: true }, 1);
    storage.#streamed = last.length === 0 ? 0 : Number(last[0]!.key.slice(streamPrefix.length)) + 1;
    return storage;
  }

  get(key: string): unknown {
    for (const group of [this.#open, this.#inFlight]) {
      if (group?.values.has(key)) return group.values.get(key);
    }
    return this.#level.getSync(key);
  }

  stage(changes: readonly Change[], items: readonly ItemChange[] = []): void {
    if (changes.length === 0) return;
    this.#open ??= newGroup();
    if (this.#onWritten !== undefined) this.#open.items.push(...items);
    for (const change of [...changes, ...items.filter(this.#isStreamed).map(this.#streamOf)]) {
      this.#open.changes.push(change);
      this.#open.values.set(change.key, change.type === 'put' ? change.value : undefined);
    }
    if (!this.#inFlight) void this.#write();
  }

  /** Written in the same batch as the change, so that neither is lost without the other. */
  #streamOf = ({ before, after }: ItemChange): Change => {
    const key = `${streamPrefix}${String(this.#streamed++).padStart(15, '0')}`;
    const value: StreamRecord = { key, before, after, time: Date.now() };
    return { type: 'put', key, value };
  };

  /** The oldest changes of the stream that were not removed. */
  async readStream(limit: number): Promise<StreamRecord[]> {
    await this.usable();
    return this.#streamValues({}, limit);
  }

  async removeStreamed(records: readonly StreamRecord[]): Promise<void> {
    this.stage(records.map(({ key }) => ({ type: 'del', key })));
    await this.settled();
  }

  async #streamValues(range: RangeOptions, limit: number): Promise<StreamRecord[]> {
    const iterator = this.#level.values({ ...range, gte: streamPrefix, lt: `${streamPrefix}~` });
    try {
      return (await iterator.nextv(limit)) as StreamRecord[];
    } finally {
      await iterator.close();
    }
  }

  /**
   * Waits until the operating system has everything that was staged so far, so that it survives the
   * end of this process. Where writes are forced, the disk has it.
   */
  async settled(): Promise<void> {
    await (this.#open ?? this.#inFlight)?.written;
  }

  /** The settled values in key order, at the time of the call. */
  async *values(range: RangeOptions): AsyncGenerator<unknown> {
    const iterator = this.#level.values(range);
    try {
      for (let size = 64; ; size = 1024) {
        const values = await iterator.nextv(size);
        if (values.length === 0) return;
        yield* values;
      }
    } finally {
      await iterator.close();
    }
  }

  async close(): Promise<void> {
    await this.settled();
    await this.#level.close();
  }

  async #write(): Promise<void> {
    while (this.#open) {
      const group = this.#open;
      this.#inFlight = group;
      this.#open = undefined;
      try {
        if (this.#failed) {
          this.#reopening = this.#reopen();
          await this.#reopening;
        }
        await this.#level.batch(group.changes, { sync: this.#isForced });
        this.#inFlight = undefined;
        if (group.items.length > 0) this.#onWritten?.(group.items);
        group.resolve();
      } catch (error) {
        const isFull = isDiskFull(error);
        // Logged once, not for each write that is refused.
        if (isFull && !this.#failed) logFullDisk(this.#path);
        this.#failed = true;
        this.#abandon(isFull ? storageFull() : error);
      }
    }
  }

  /** Waits while LevelDB is being reopened, because it cannot be read meanwhile. */
  async usable(): Promise<void> {
    await this.#reopening?.catch(() => {});
  }

  /**
   * After a failed write, for example on a full disk, LevelDB refuses all writes until it is
   * reopened. It is reopened only when there is room, because a LevelDB that fails to open cannot
   * be read either.
   */
  async #reopen(): Promise<void> {
    const probe = `${this.#path}/probe`;
    try {
      await writeFile(probe, new Uint8Array(probeBytes));
    } finally {
      await rm(probe, { force: true });
    }
    await this.#level.close();
    await this.#level.open();
    this.#failed = false;
  }

  /** Later groups fail too, because they depend on the values that could not be written. */
  #abandon(error: unknown): void {
    const groups = [this.#inFlight, this.#open];
    this.#inFlight = undefined;
    this.#open = undefined;
    for (const group of groups) group?.reject(error);
  }
}

const levelFiles = /^MANIFEST-\d+$|^\d+\.(ldb|log|sst)$/;

/**
 * LevelDB takes a folder without its file CURRENT for an empty folder, and deletes files that it
 * does not know.
 */
const assertWhole = (path: string): void => {
  const names = existsSync(path) ? readdirSync(path) : [];
  if (names.includes('CURRENT') || !names.some((name) => levelFiles.test(name))) return;
  const manifest = names
    .filter((name) => name.startsWith('MANIFEST-'))
    .sort()
    .at(-1);
  const remedy =
    manifest === undefined
      ? 'restore the folder from a backup'
      : `restore it: echo ${manifest} > ${path}/CURRENT`;
  throw new Error(`The data folder ${path} holds data, but its file CURRENT is missing; ${remedy}.`);
};

const openFailure = (path: string, error: unknown): Error => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'LEVEL_LOCKED') {
    return new Error(`The data folder ${path} is in use by another process.`, { cause: error });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`The data folder ${path} cannot be opened: ${reason}.`, { cause: error });
};
