export type Change = { type: 'put'; key: string; value: object } | { type: 'del'; key: string };
export type RangeOptions = { gt?: string; gte?: string; lt?: string; reverse?: boolean };

/** What the engine needs of a LevelDB, as `abstract-level` declares it. */
export type Level = {
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: string): unknown;
  /** `sync`: resolves when the disk has the changes, not only the operating system. */
  batch(changes: Change[], options: { sync: boolean }): Promise<void>;
  values(options: RangeOptions): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> };
};

type Entry = { key: string; text: string };
/**
 * Entries in the order of their keys. A run is never changed, so that a reader keeps the entries
 * with which it began.
 */
type Run = readonly Entry[];

/** Entries. A write copies one run and the list of all runs. */
const longestRun = 256;
/** Sorts after every key. */
const last = '\uffff';

/** The index of the first member that is not before. */
const indexIn = <T>(sorted: readonly T[], isBefore: (member: T) => boolean): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The index of the run that has the key, or would have it. */
const runAt = (runs: readonly Run[], key: string) =>
  Math.max(0, indexIn(runs, (run) => run[0]!.key <= key) - 1);

const indexOf = (run: Run, key: string) => indexIn(run, (entry) => entry.key < key);

const write = (runs: Run[], change: Change): void => {
  const { key } = change;
  const at = runAt(runs, key);
  const run = runs[at]?.slice() ?? [];
  const index = indexOf(run, key);
  const entries = change.type === 'put' ? [{ key, text: JSON.stringify(change.value) }] : [];
  run.splice(index, run[index]?.key === key ? 1 : 0, ...entries);
  const middle = run.length >>> 1;
  if (run.length === 0) runs.splice(at, 1);
  else if (run.length <= longestRun) runs[at] = run;
  else runs.splice(at, 1, run.slice(0, middle), run.slice(middle));
};

function* forwards(runs: readonly Run[], { gt, gte = gt ?? '', lt = last }: RangeOptions) {
  for (let at = runAt(runs, gte); at < runs.length; at++) {
    const run = runs[at]!;
    for (let index = indexOf(run, gte); index < run.length; index++) {
      const entry = run[index]!;
      if (entry.key >= lt) return;
      if (entry.key !== gt) yield entry;
    }
  }
}

function* backwards(runs: readonly Run[], { gt, gte = gt ?? '', lt = last }: RangeOptions) {
  for (let at = Math.min(runAt(runs, lt), runs.length - 1); at >= 0; at--) {
    const run = runs[at]!;
    for (let index = indexOf(run, lt) - 1; index >= 0; index--) {
      const entry = run[index]!;
      if (entry.key < gte || entry.key === gt) return;
      yield entry;
    }
  }
}

/**
 * The same for data in memory only. Values are kept as text, so that each reader gets a copy of its
 * own, and the garbage collector has few objects.
 */
export class MemoryLevel implements Level {
  #runs: readonly Run[] = [];
  #isOpen = false;

  async open(): Promise<void> {
    this.#isOpen = true;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#runs = [];
  }

  getSync(key: string): unknown {
    this.#demandOpen();
    const run = this.#runs[runAt(this.#runs, key)] ?? [];
    const entry = run[indexOf(run, key)];
    return entry?.key === key ? JSON.parse(entry.text) : undefined;
  }

  async batch(changes: Change[]): Promise<void> {
    this.#demandOpen();
    const runs = [...this.#runs];
    for (const change of changes) write(runs, change);
    this.#runs = runs;
  }

  values(range: RangeOptions) {
    this.#demandOpen();
    const entries = range.reverse ? backwards(this.#runs, range) : forwards(this.#runs, range);
    const nextv = async (size: number): Promise<unknown[]> => {
      this.#demandOpen();
      const values: unknown[] = [];
      while (values.length < size) {
        const { value, done } = entries.next();
        if (done) break;
        values.push(JSON.parse(value.text));
      }
      return values;
    };
    return { nextv, close: async () => {} };
  }

  #demandOpen(): void {
    if (!this.#isOpen) throw new Error('The database is not open');
  }
}
