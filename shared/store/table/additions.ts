import type { Update } from './database.ts';

/** An update that adds to the counts of these names, sets other attributes and removes others. */
export const additionOf = (
  counts: readonly (readonly [name: string, count: number])[],
  set: Record<string, unknown> = {},
  removed: readonly string[] = [],
): Update => {
  const sets = Object.entries(set);
  const named = [...sets, ...counts];
  const setting = sets.map((_, i) => `#n${i} = :n${i}`).join(', ');
  const adding = counts.map((_, i) => `#n${sets.length + i} :n${sets.length + i}`).join(', ');
  const removing = removed.map((_, i) => `#n${named.length + i}`).join(', ');
  const names = [...named.map(([name]) => name), ...removed];
  return {
    UpdateExpression: [
      ...(sets.length > 0 ? [`SET ${setting}`] : []),
      `ADD ${adding}`,
      ...(removed.length > 0 ? [`REMOVE ${removing}`] : []),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#n${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(named.map(([, value], i) => [`:n${i}`, value])),
  };
};
