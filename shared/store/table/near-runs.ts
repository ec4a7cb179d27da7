import { chunkOf } from './keys.ts';

/** Splits ascending sequence numbers into runs: neighbours are at most `gap` apart and in one chunk. */
export const nearRuns = (seqs: readonly number[], gap: number): number[][] => {
  const runs: number[][] = [];
  for (const seq of seqs) {
    const run = runs.at(-1);
    const previous = run?.at(-1);
    if (run && previous !== undefined && seq - previous <= gap && chunkOf(seq) === chunkOf(previous)) {
      run.push(seq);
    } else {
      runs.push([seq]);
    }
  }
  return runs;
};
