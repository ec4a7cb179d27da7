import type { Attributes, AttributeValue } from './attribute-value.ts';
import { ConditionFailed, invalid, RequestRefused } from './errors.ts';
import { checked } from './requests.ts';
import type { Storage } from './storage.ts';
import { namesOf, type Tables } from './tables.ts';
import { readUpdate, type UpdateStatement, updateRequest } from './update-statement.ts';
import { effectOf, putOf, stageEffects, updateOf } from './writes.ts';

type Statement = { Statement: string; Parameters?: AttributeValue[] };
type BatchStatementRequest = { Statements: Statement[] };
type StatementAnswer = { TableName?: string; Error?: { Code: string; Message: string } };

const maxStatements = 25;
const insertForm = /^\s*INSERT\s+INTO\s+"?([\w.-]+)"?\s+VALUE\s*\{(.*)\}\s*$/is;
const memberForm = /^\s*'((?:[^']|'')+)'\s*:\s*\?\s*$/;

const namesIn = (members: string): string[] =>
  members.split(',').map((member) => {
    const name = memberForm.exec(member)?.[1];
    if (name === undefined)
      throw invalid(`Statement wasn't well formed, can't be processed: ${member.trim()}`);
    return name.replaceAll("''", "'");
  });

/** `INSERT INTO "table" VALUE {'name': ?, …}`: of PartiQL only this and the UPDATE of update-statement.ts. */
const putIn = ({ Statement, Parameters = [] }: Statement) => {
  const [, TableName, members] = insertForm.exec(Statement) ?? [];
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

const duplicate = { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' };

const conditionFailed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };

const inserted = (storage: Storage, tables: Tables, put: ReturnType<typeof putIn>): StatementAnswer => {
  const write = putOf(tables, checked('PutItem', put));
  if (storage.get(write.key) !== undefined) return { Error: duplicate };
  stageEffects(storage, [effectOf(storage, write)]);
  return { TableName: put.TableName };
};

const updated = (storage: Storage, tables: Tables, update: UpdateStatement): StatementAnswer => {
  const keyNames = namesOf(tables.get(update.TableName).KeySchema);
  const request = checked('UpdateItem', updateRequest(update, keyNames));
  stageEffects(storage, [effectOf(storage, updateOf(tables, request))]);
  return { TableName: update.TableName };
};

const executed = (storage: Storage, tables: Tables, statement: Statement): StatementAnswer => {
  const update = readUpdate(statement.Statement, statement.Parameters ?? []);
  const execute =
    update === undefined
      ? inserted.bind(undefined, storage, tables, putIn(statement))
      : updated.bind(undefined, storage, tables, update);
  try {
    return execute();
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
  return { Responses: Statements.map((statement) => executed(storage, tables, statement)) };
};
