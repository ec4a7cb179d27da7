import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/** Conditions, updates and ranges of keys, as DynamoDB's expressions. */

export type Condition = {
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
};
export type Update = Condition & { UpdateExpression: string };
export type Range = Omit<QueryCommandInput, 'TableName'>;

/** There is no item under the key. */
export const ifAbsent = { ConditionExpression: 'attribute_not_exists(pk)' } as const satisfies Condition;

export const ifPresent = { ConditionExpression: 'attribute_exists(pk)' } as const satisfies Condition;

/**
 * As `ifAbsent`, or the item has expired: DynamoDB removes expired items up to days late. `now` in
 * epoch seconds.
 */
export const ifAbsentOrExpired = (now: number): Condition => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl < :seconds',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':seconds': now },
});

/** The item still has the version that was read. `undefined`: it still does not exist. */
export const ifUnchanged = (version: number | undefined, attribute = 'v'): Condition =>
  version === undefined
    ? ifAbsent
    : { ConditionExpression: `${attribute} = :version`, ExpressionAttributeValues: { ':version': version } };

const joinedBy =
  (word: 'AND' | 'OR') =>
  (...conditions: readonly Condition[]): Condition => {
    const expressions = conditions.flatMap(({ ConditionExpression: each }) => each ?? []);
    const names = Object.assign({}, ...conditions.map((each) => each.ExpressionAttributeNames));
    const values = Object.assign({}, ...conditions.map((each) => each.ExpressionAttributeValues));
    return {
      // DynamoDB refuses redundant parentheses and empty maps.
      ...(expressions.length > 0 && {
        ConditionExpression:
          expressions.length === 1
            ? expressions[0]!
            : expressions.map((each) => `(${each})`).join(` ${word} `),
      }),
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    };
  };

/** Joins conditions. A name or value that two of them use has the same meaning in both. */
export const allOf = joinedBy('AND');
export const anyOf = joinedBy('OR');

/** Makes the update only if all conditions hold. */
export const onlyIf = (update: Update, ...conditions: readonly Condition[]): Update => ({
  ...allOf(update, ...conditions),
  UpdateExpression: update.UpdateExpression,
});

/** Sets the attributes that are not `undefined`, and removes others. */
export const setAttributes = (
  values: Readonly<Record<string, unknown>>,
  removed: readonly string[] = [],
): Update => {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  const names = [...set.map(([name]) => name), ...removed];
  const remove = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`;
  return {
    UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${remove}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
  };
};

/** Sets attributes and the next version, if the item still has the version that was read. */
export const setIfUnchanged = (
  version: number,
  values: Readonly<Record<string, unknown>>,
  removed: readonly string[] = [],
): Update => onlyIf(setAttributes({ ...values, v: version + 1 }, removed), ifUnchanged(version));

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

/** All items of a partition. */
export const partitionRange = (pk: string): Range => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

/** The items of a partition from one sort key to another, both included. */
export const keyRange = (pk: string, from: string, to: string): Range => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
});

/** The items of a partition whose sort keys begin with the prefix. */
export const prefixRange = (pk: string, prefix: string): Range => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
});
