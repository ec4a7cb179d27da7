import type { Attributes, AttributeValue } from './attribute-value.ts';
import { ConditionFailed, invalid, RequestRefused } from './errors.ts';
import { checked } from './requests.ts';
import type { Storage } from './storage.ts';
import { namesOf, type Tables } from './tables.ts';
import { effectOf, putOf, stageEffects, updateOf } from './writes.ts';

type Statement = { Statement: string; Parameters?: AttributeValue[] };
type BatchStatementRequest = { Statements: Statement[] };
type StatementAnswer = { TableName?: string; Error?: { Code: string; Message: string } };

const maxStatements = 25;
const insertPattern = /^\s*INSERT\s+INTO\s+"?([\w.-]+)"?\s+VALUE\s*\{(.*)\}\s*$/is;
const memberPattern = /^\s*'((?:[^']|'')+)'\s*:\s*\?\s*$/;

const namesIn = (members: string): string[] =>
  members.split(',').map((member) => {
    const name = memberPattern.exec(member)?.[1];
    if (name === undefined)
      throw invalid(`Statement wasn't well formed, can't be processed: ${member.trim()}`);
    return name.replaceAll("''", "'");
  });

/**
 * Reads `INSERT INTO "table" VALUE {'name': ?, …}`. The engine knows only this statement of PartiQL
 * and the UPDATE below.
 */
const readInsert = ({ Statement, Parameters = [] }: Statement) => {
  const [, TableName, members] = insertPattern.exec(Statement) ?? [];
  if (TableName === undefined || members === undefined) {
    throw invalid(
      "Statement wasn't well formed, can't be processed: only INSERT INTO … VALUE and UPDATE … SET … WHERE",
    );
  }
  const names = namesIn(members);
  if (names.length !== Parameters.length) {
    throw invalid("Number of parameters in request and statement don't match.");
  }
  const Item: Attributes = Object.fromEntries(names.map((name, i) => [name, Parameters[i]!]));
  return { TableName, Item };
};

const comparison = String.raw`"\w+"\s*=\s*\?`;
const updatePattern = new RegExp(
  String.raw`^\s*UPDATE\s+"?([\w.-]+)"?\s+((?:SET\s+${comparison}\s*)+)WHERE\s+(${comparison}(?:\s+AND\s+${comparison})*)\s*$`,
  'is',
);

const namesSet = (text: string) => [...text.matchAll(/"(\w+)"/g)].map(([, name]) => name!);

type UpdateStatement = { TableName: string; set: Attributes; compared: Attributes };

/**
 * Reads `UPDATE "table" SET "name" = ? … WHERE "name" = ? AND …`.
 * @returns undefined for another statement
 */
const readUpdate = (statement: string, parameters: AttributeValue[]): UpdateStatement | undefined => {
  const [, TableName, sets = '', comparisons = ''] = updatePattern.exec(statement) ?? [];
  if (TableName === undefined) return undefined;
  const set = namesSet(sets);
  const compared = namesSet(comparisons);
  if (set.length + compared.length !== parameters.length) {
    throw invalid("Number of parameters in request and statement don't match.");
  }
  const valued = (names: string[], first: number): Attributes =>
    Object.fromEntries(names.map((name, i) => [name, parameters[first + i]!]));
  return { TableName, set: valued(set, 0), compared: valued(compared, set.length) };
};

/** The statement as an UpdateItem, which changes nothing if the item does not exist. */
const updateRequest = ({ TableName, set, compared }: UpdateStatement, keyNames: readonly string[]) => {
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

const duplicate = { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' };

const conditionFailed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };

const insert = (storage: Storage, tables: Tables, put: ReturnType<typeof readInsert>): StatementAnswer => {
  const write = putOf(tables, checked('PutItem', put));
  if (storage.get(write.key) !== undefined) return { Error: duplicate };
  stageEffects(storage, [effectOf(storage, write)]);
  return { TableName: put.TableName };
};

const update = (storage: Storage, tables: Tables, statement: UpdateStatement): StatementAnswer => {
  const keyNames = namesOf(tables.get(statement.TableName).KeySchema);
  const request = checked('UpdateItem', updateRequest(statement, keyNames));
  stageEffects(storage, [effectOf(storage, updateOf(tables, request))]);
  return { TableName: statement.TableName };
};

const execute = (storage: Storage, tables: Tables, statement: Statement): StatementAnswer => {
  const asUpdate = readUpdate(statement.Statement, statement.Parameters ?? []);
  const asInsert = asUpdate === undefined ? readInsert(statement) : undefined;
  try {
    return asInsert ? insert(storage, tables, asInsert) : update(storage, tables, asUpdate!);
  } catch (error) {
    if (error instanceof ConditionFailed) return { Error: conditionFailed };
    if (error instanceof RequestRefused) {
      return { Error: { Code: 'ValidationError', Message: error.message } };
    }
    throw error;
  }
};

export const batchExecuteStatement = (storage: Storage, tables: Tables, request: BatchStatementRequest) => {
  const { Statements } = request;
  if (Statements.length === 0 || Statements.length > maxStatements) {
    throw invalid(
      "1 validation error detected: Value at 'statements' failed to satisfy constraint: " +
        `Member must have length between 1 and ${maxStatements}`,
    );
  }
  return { Responses: Statements.map((statement) => execute(storage, tables, statement)) };
};
