/**
 * The number of contacts in each block of a directory page. Imported blocks are nearly all full, so runs of
 * equal counts take two bytes: count and length. Where that would be longer, each block takes one byte. The
 * first byte tells which. Small pages matter: every list and search reads all pages of its data source.
 */
export type LiveCounts = Uint8Array;

const plain = 0;
const inRuns = 1;
const longestRun = 255;

export const noCounts: LiveCounts = new Uint8Array(0);

const runsOf = (counts: Uint8Array): number[] => {
  const runs: number[] = [];
  for (let at = 0; at < counts.length; ) {
    let end = at + 1;
    while (end < counts.length && counts[end] === counts[at] && end - at < longestRun) end++;
    runs.push(counts[at]!, end - at);
    at = end;
  }
  return runs;
};

export const packCounts = (counts: Uint8Array): LiveCounts => {
  if (counts.length === 0) return noCounts;
  const runs = runsOf(counts);
  return runs.length < counts.length ? Uint8Array.of(inRuns, ...runs) : Uint8Array.of(plain, ...counts);
};

/** One count for each block. */
export const countsOf = (packed: LiveCounts): Uint8Array => {
  if (packed[0] !== inRuns) return packed.slice(1);
  const counts: number[] = [];
  for (let at = 1; at < packed.length; at += 2) {
    for (let i = 0; i < packed[at + 1]!; i++) counts.push(packed[at]!);
  }
  return Uint8Array.from(counts);
};

/** The counts with some of them changed, by the number of their block. */
export const withCounts = (
  packed: LiveCounts,
  changes: Iterable<readonly [index: number, live: number]>,
): LiveCounts => {
  const counts = [...countsOf(packed)];
  for (const [index, live] of changes) {
    while (counts.length <= index) counts.push(0);
    counts[index] = live;
  }
  return packCounts(Uint8Array.from(counts));
};
