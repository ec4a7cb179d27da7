import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import db from 'dynalite/db/index.js';
import type { Attributes } from './attribute-value.ts';
import { MemoryLevel } from './memory-level.ts';

export type Change = { type: 'put'; key: string; value: object } | { type: 'del'; key: string };
export type RangeOptions = { gt?: string; gte?: string; lt?: string; reverse?: boolean };
/** What dynalite's LevelDB offers of `abstract-level`. */
export type Level = {
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: string): unknown;
  batch(changes: Change[]): Promise<void>;
  values(options: RangeOptions): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> };
};

/** What an item was before a write and what it is since; `undefined`: there was or is none. */
export type ItemChange = { before: Attributes | undefined; after: Attributes | undefined };
/** Told what was written, in the order of the writes. It must not throw. */
export type OnWritten = (changes: readonly ItemChange[]) => void;

/** More than LevelDB writes when it opens. */
const probeBytes = 1024 * 1024;

type Group = {
  changes: Change[];
  items: ItemChange[];
  values: Map<string, unknown>;
  written: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
};

const levelAt = (path: string): Level => (path === ':memory:' ? new MemoryLevel() : db.create({ path }).db);

const newGroup = (): Group => {
  let resolve = () => {};
  let reject: Group['reject'] = () => {};
  const written = new Promise<void>((onWritten, onFailure) => {
    resolve = onWritten;
    reject = onFailure;
  });
  // Whoever waits for the group sees the failure; without a waiter it must not end the process.
  written.catch(() => {});
  return { changes: [], items: [], values: new Map(), written, resolve, reject };
};

/**
 * LevelDB behind a memory of what is on its way to it. Reads and staged writes are synchronous, so that
 * whatever happens between two awaits is one serial step: no locks, hence no deadlocks. Changes staged
 * together reach LevelDB in one atomic batch, and batches go one after the other. Nothing may be
 * answered before `settled()`: until then a kill can still undo it.
 */
export class Storage {
  readonly #path: string;
  #level: Level;
  readonly #onWritten: OnWritten | undefined;
  #open: Group | undefined;
  #inFlight: Group | undefined;
  #mending: Promise<void> | undefined;
  #failed = false;

  private constructor(path: string, level: Level, onWritten: OnWritten | undefined) {
    this.#path = path;
    this.#level = level;
    this.#onWritten = onWritten;
  }

  /** @throws Error with one sentence fit for an operator */
  static async open(path: string | ':memory:', onWritten?: OnWritten): Promise<Storage> {
    if (path !== ':memory:') assertWhole(path);
    const level = levelAt(path);
    try {
      await level.open();
    } catch (error) {
      throw openFailure(path, error);
    }
    return new Storage(path, level, onWritten);
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
    for (const change of changes) {
      this.#open.changes.push(change);
      this.#open.values.set(change.key, change.type === 'put' ? change.value : undefined);
    }
    if (!this.#inFlight) void this.#write();
  }

  /** Everything staged so far is in the operating system's hands: it survives the end of this process. */
  async settled(): Promise<void> {
    await (this.#open ?? this.#inFlight)?.written;
  }

  /** Values in key order, as of the moment of the call; only what is settled. */
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
          this.#mending = this.#mend();
          await this.#mending;
        }
        await this.#level.batch(group.changes);
        this.#inFlight = undefined;
        if (group.items.length > 0) this.#onWritten?.(group.items);
        group.resolve();
      } catch (error) {
        this.#failed = true;
        this.#abandon(error);
      }
    }
  }

  /** Reads must not meet LevelDB while it is closed for a moment. */
  async usable(): Promise<void> {
    await this.#mending?.catch(() => {});
  }

  /**
   * After a write that failed, as on a full disk, LevelDB refuses all others until it is opened again. Not
   * before there is room: one that cannot be opened could not be read either.
   */
  async #mend(): Promise<void> {
    const probe = `${this.#path}/probe`;
    try {
      await writeFile(probe, new Uint8Array(probeBytes));
    } finally {
      await rm(probe, { force: true });
    }
    await this.#level.close();
    // Closed once, dynalite's own takes no write any more.
    this.#level = levelAt(this.#path);
    await this.#level.open();
    this.#failed = false;
  }

  /** Later groups were computed from the values that failed to be written: they fail too. */
  #abandon(error: unknown): void {
    const groups = [this.#inFlight, this.#open];
    this.#inFlight = undefined;
    this.#open = undefined;
    for (const group of groups) group?.reject(error);
  }
}

const levelFiles = /^MANIFEST-\d+$|^\d+\.(ldb|log|sst)$/;

/** LevelDB takes a folder without its CURRENT for an empty one, and deletes what it does not know. */
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
