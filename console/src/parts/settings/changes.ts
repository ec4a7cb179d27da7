const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The fields whose value is another than in `base`. */
export const changesOf = <B extends object>(body: B, base: B): Partial<B> => {
  const isChanged = ([name, value]: [string, unknown]) => !isSame(value, base[name as keyof B]);
  return Object.fromEntries(Object.entries(body).filter(isChanged)) as Partial<B>;
};

/** Fields that two people changed, and not to the same value. */
export const clashingFields = <B extends object>(mine: B, base: B, theirs: B): (keyof B)[] => {
  const theirChanges = changesOf(theirs, base);
  const names = Object.keys(changesOf(mine, base)) as (keyof B)[];
  return names.filter((name) => name in theirChanges && !isSame(mine[name], theirs[name]));
};
