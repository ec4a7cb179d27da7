import { concurrently } from '../table/concurrency.ts';
import type { Instant } from '../time/time.ts';
import type { Agenda, Entry, Notes, ReadEntry } from './agenda.ts';
import type { WorkerKind } from './work.ts';

/** What became of claimed work. `next`: when it is due again. */
export type Worked = 'done' | { next: Instant; notes?: Notes };

/** One run of a scheduled function. */
export type Run = {
  now: () => Instant;
  /** Whether the run must stop. The next run goes on with what it left. */
  isTimeUp: () => boolean;
  /** No other process is at work, so the run takes all work, claimed or not due yet. */
  takesOver: boolean;
};

/** Does one kind of work. A repeat after an error or a crash must end in the same state. */
export type Worker = {
  kind: WorkerKind;
  /** Longer than the work lasts. After that time another run may claim it. */
  claimMs: number;
  /** How many entries are worked on at the same time; 1 by default. */
  atOnce?: number;
  work: (entry: ReadEntry, run: Run) => Promise<Worked>;
};

type Watcher = {
  /** The age of the oldest entry of the kind that was due; 0 without one. */
  age: (kind: WorkerKind, ms: number) => void;
  failure: (kind: WorkerKind, id: string, error: unknown) => void;
};

const entriesAtOnce = 100;
/** The index may show an entry as due a moment after it was claimed. */
const readingsAtMost = 50;

/**
 * Works off the due entries of some kinds. An entry that fails holds up no other: it comes due
 * again when its claim ends.
 * @throws AggregateError at the end, with all errors
 */
export const workOff = async (
  agenda: Agenda,
  workers: readonly Worker[],
  run: Run,
  watcher: Watcher,
): Promise<void> => {
  const failures = await Promise.all(workers.map((worker) => workOffKind(agenda, worker, run, watcher)));
  if (failures.flat().length > 0) throw new AggregateError(failures.flat(), 'work that could not be done');
};

const workOffKind = async (
  agenda: Agenda,
  { kind, claimMs, atOnce = 1, work }: Worker,
  run: Run,
  watcher: Watcher,
): Promise<unknown[]> => {
  const failures: unknown[] = [];
  let oldest = 0;
  const attempt = async (id: string, act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      watcher.failure(kind, id, error);
      failures.push(error);
    }
  };
  const read = async (): Promise<Entry[]> =>
    run.takesOver
      ? (await agenda.listed(kind)).sort((a, b) => a.due - b.due)
      : agenda.due({ kind }, run.now(), entriesAtOnce);
  for (let reading = 0; reading < readingsAtMost; reading++) {
    let entries: Entry[] = [];
    await attempt('', async () => {
      entries = await read();
    });
    await concurrently(entries, atOnce, (entry) =>
      attempt(entry.id, async () => {
        if (run.isTimeUp()) return;
        const claimed = await agenda.claim(entry, run.now() + claimMs);
        if (claimed === undefined) return;
        oldest = Math.max(oldest, run.now() - claimed.since);
        const worked = await work(claimed, run);
        if (worked === 'done') await agenda.done(claimed);
        else await agenda.postpone(claimed, worked.next, worked.notes);
      }),
    );
    if (run.takesOver || entries.length < entriesAtOnce || run.isTimeUp()) break;
  }
  watcher.age(kind, oldest);
  return failures;
};
