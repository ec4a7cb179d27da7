import { chunkOf } from './keys.ts';

/** The groups in the order of their first items. Within a group the items keep their order. */
export const groupedBy = <T>(items: readonly T[], groupOf: (item: T) => number): T[][] => {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groupOf(item);
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [item]);
    else members.push(item);
  }
  return [...groups.values()];
};

/** Splits ascending sequence numbers into runs within a chunk, with gaps of at most `gap`. */
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
