import type { Update } from './database.ts';

/** An update that adds to the counts of these names, and sets other attributes. */
export const additionOf = (
  counts: readonly (readonly [name: string, count: number])[],
  set: Record<string, unknown> = {},
): Update => {
  const sets = Object.entries(set);
  const named = [...sets, ...counts];
  const setting = sets.map((_, i) => `#n${i} = :n${i}`).join(', ');
  const adding = counts.map((_, i) => `#n${sets.length + i} :n${sets.length + i}`).join(', ');
  return {
    UpdateExpression: `${sets.length > 0 ? `SET ${setting} ` : ''}ADD ${adding}`,
    ExpressionAttributeNames: Object.fromEntries(named.map(([name], i) => [`#n${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(named.map(([, value], i) => [`:n${i}`, value])),
  };
};
