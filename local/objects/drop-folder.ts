import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { importPrefix, isContactFile } from '../../shared/imports/import-objects.ts';
import { describeError, log } from '../../shared/platform/observability/log.ts';
import type { Instant } from '../../shared/platform/time/time.ts';
import { type Disk, inOneChunk, orIfMissing, writeWhole } from '../disk.ts';
import type { Arrivals } from './arrivals.ts';
import type { FolderObjects } from './folder-objects.ts';

/** A file with content of this digest was found. `sequencer` identifies its import. */
export type Drop = { digest: string; sequencer: string; isImported: boolean };

/** `drops.json` in the data folder: the known files of the drop folder. */
export class DropLedger {
  /** By key. */
  readonly drops: Map<string, Drop>;
  readonly #write: () => Promise<unknown>;
  #saving: Promise<unknown> = Promise.resolve();

  private constructor(text: string, write: (text: string) => Promise<unknown>) {
    this.drops = new Map(JSON.parse(text) as [string, Drop][]);
    this.#write = () => write(JSON.stringify([...this.drops]));
  }

  static async open(root: string, disk: Disk): Promise<DropLedger> {
    const file = path.join(root, 'drops.json');
    const text = await readFile(file, 'utf8').catch(orIfMissing('[]'));
    return new DropLedger(text, (changed) => writeWhole(disk, file, inOneChunk(changed)));
  }

  /** After it returns, changes of `drops` outlive a crash. The latest state is written last. */
  async save(): Promise<void> {
    this.#saving = this.#saving.catch(() => {}).then(this.#write);
    await this.#saving;
  }
}

/** A file that is being copied changes more often than this. */
const restMs = 2000;

/** `since`: from when on the file has had this size and these times. */
type Seen = { state: string; since: Instant; isTaken: boolean };

type Dependencies = {
  root: string;
  objects: FolderObjects;
  ledger: DropLedger;
  arrivals: Arrivals;
  now: () => Instant;
  scanMs: number;
};

export const digestOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(chunks, hash);
  return hash.digest('hex');
};

/**
 * Files that a user puts into `imports/<dataSourceId>/` of the data folder. A file is imported when
 * it no longer changes, and again when its content changes or after it was removed. The ledger
 * notes a file before its import begins, so that a crash leads to the same import, and a restart or
 * a copy of the data folder to no other.
 */
export class DropFolder {
  readonly #deps: Dependencies;
  readonly #seen = new Map<string, Seen>();
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    let isFailing = false;
    let step = () => this.#resume();
    while (!signal.aborted) {
      try {
        await step();
        step = () => this.#scan();
        isFailing = false;
      } catch (error) {
        // Logged once, not every second.
        if (!isFailing) log.error('dropped files cannot be read', { error: describeError(error) });
        isFailing = true;
      }
      await sleep(this.#deps.scanMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Imports files that the previous run of the service noted and did not import. */
  async #resume(): Promise<void> {
    for (const [key, drop] of [...this.#deps.ledger.drops]) {
      if (!drop.isImported) await this.#deliver(key, drop);
    }
  }

  async #scan(): Promise<void> {
    const now = this.#deps.now();
    const found = await this.#contactFiles();
    for (const key of this.#seen.keys()) if (!found.has(key)) this.#seen.delete(key);
    await this.#forget(([key, { isImported }]) => isImported && !found.has(key));
    for (const [key, state] of found) {
      const seen = this.#seen.get(key);
      if (seen?.state !== state) {
        this.#seen.set(key, { state, since: now, isTaken: false });
      } else if (!seen.isTaken && now - seen.since >= restMs) {
        seen.isTaken = true;
        await this.#take(key);
      }
    }
  }

  /** By key, each with its size and times. Files in deeper folders are uploads. */
  async #contactFiles(folder = importPrefix): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const directory = path.join(this.#deps.root, folder);
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(orIfMissing([]))) {
      const key = `${folder}${entry.name}`;
      if (entry.isDirectory() && folder === importPrefix) {
        for (const [inner, state] of await this.#contactFiles(`${key}/`)) found.set(inner, state);
      } else if (entry.isFile() && isContactFile(key) && !entry.name.startsWith('.')) {
        const file = await stat(path.join(directory, entry.name)).catch(orIfMissing(undefined));
        if (file !== undefined) found.set(key, `${file.size} ${file.mtimeMs} ${file.ctimeMs}`);
      }
    }
    return found;
  }

  async #take(key: string): Promise<void> {
    const { objects, ledger } = this.#deps;
    const digest = await digestOf((await objects.open(key)).body);
    if (ledger.drops.get(key)?.digest === digest) return;
    const drop = { digest, sequencer: randomUUID(), isImported: false };
    ledger.drops.set(key, drop);
    await ledger.save();
    await this.#deliver(key, drop);
  }

  async #deliver(key: string, drop: Drop): Promise<void> {
    const { objects, ledger, arrivals } = this.#deps;
    const file = await objects.head(key);
    if (file === undefined) return this.#forget(([gone]) => gone === key);
    arrivals.deliver({ key, size: file.size, sequencer: drop.sequencer }, () => {
      drop.isImported = true;
      return ledger.save();
    });
  }

  async #forget(isGone: (entry: [string, Drop]) => boolean): Promise<void> {
    const { ledger } = this.#deps;
    const gone = [...ledger.drops].filter(isGone);
    for (const [key] of gone) ledger.drops.delete(key);
    if (gone.length > 0) await ledger.save();
  }
}
