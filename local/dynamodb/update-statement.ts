import type { Attributes, AttributeValue } from './attribute-value.ts';
import { invalid } from './errors.ts';

const comparison = String.raw`"\w+"\s*=\s*\?`;
const updateForm = new RegExp(
  String.raw`^\s*UPDATE\s+"?([\w.-]+)"?\s+((?:SET\s+${comparison}\s*)+)WHERE\s+(${comparison}(?:\s+AND\s+${comparison})*)\s*$`,
  'is',
);

const namesIn = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, name]) => name!);

export type UpdateStatement = { TableName: string; set: Attributes; compared: Attributes };

/** `UPDATE "table" SET "name" = ? … WHERE "name" = ? AND …`; `undefined` when it is another statement. */
export const readUpdate = (statement: string, parameters: AttributeValue[]): UpdateStatement | undefined => {
  const [, TableName, sets = '', comparisons = ''] = updateForm.exec(statement) ?? [];
  if (TableName === undefined) return undefined;
  const [set, compared] = [namesIn(sets), namesIn(comparisons)];
  if (set.length + compared.length !== parameters.length) {
    throw invalid("Number of parameters in request and statement don't match.");
  }
  const valued = (names: string[], first: number): Attributes =>
    Object.fromEntries(names.map((name, i) => [name, parameters[first + i]!]));
  return { TableName, set: valued(set, 0), compared: valued(compared, set.length) };
};

/** The same as an UpdateItem, which changes nothing where there is no such item. */
export const updateRequest = ({ TableName, set, compared }: UpdateStatement, keyNames: readonly string[]) => {
  const others = Object.keys(compared).filter((name) => !keyNames.includes(name));
  const names = Object.keys(set);
  return {
    TableName,
    Key: Object.fromEntries(keyNames.map((name) => [name, compared[name]!])),
    UpdateExpression: `SET ${names.map((_, i) => `#s${i} = :s${i}`).join(', ')}`,
    ConditionExpression: ['attribute_exists(#key)', ...others.map((_, i) => `#c${i} = :c${i}`)].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([
      ['#key', keyNames[0]!],
      ...names.map((name, i) => [`#s${i}`, name]),
      ...others.map((name, i) => [`#c${i}`, name]),
    ]) as Record<string, string>,
    ExpressionAttributeValues: Object.fromEntries([
      ...names.map((name, i) => [`:s${i}`, set[name]!]),
      ...others.map((name, i) => [`:c${i}`, compared[name]!]),
    ]) as Attributes,
  };
};
