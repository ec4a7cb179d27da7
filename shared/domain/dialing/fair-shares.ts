/**
 * Splits `limit` calls over tasks that have that many candidates each: one call to each task in turn, in the order given,
 * until the calls or the candidates are used up.
 */
export const fairShares = (limit: number, candidates: readonly number[]): number[] => {
  const shares = candidates.map(() => 0);
  let left = Math.min(
    limit,
    candidates.reduce((sum, count) => sum + count, 0),
  );
  for (let at = 0; left > 0; at = (at + 1) % shares.length) {
    if (shares[at]! === candidates[at]!) continue;
    shares[at]!++;
    left--;
  }
  return shares;
};
