import { nearRuns } from '../platform/table/groups.ts';

/** The share of a page's read budget for contacts that are far from each other. */
const loneShare = 0.7;

/** How many of the sequence numbers fit on a page. A lone contact costs a read unit. */
export const affordable = (seqs: readonly number[], pageSize: number): number => {
  const most = Math.ceil(loneShare * pageSize);
  let shown = Math.min(seqs.length, pageSize);
  while (shown > most && loneAmong(seqs.slice(0, shown)) > most) shown--;
  return shown;
};

/** Contacts are neighbours if their sequence numbers are at most this far apart. */
const nearby = 8;
/** Fewer neighbours than these are read one by one. */
const neighbours = 4;

const loneAmong = (seqs: readonly number[]): number =>
  nearRuns(
    [...seqs].sort((a, b) => a - b),
    nearby,
  )
    .filter(({ length }) => length < neighbours)
    .flat().length;
