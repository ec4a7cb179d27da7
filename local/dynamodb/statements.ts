import type { Attributes, AttributeValue } from './attribute-value.ts';
import { invalid, RequestRefused } from './errors.ts';
import { checked } from './requests.ts';
import type { Storage } from './storage.ts';
import type { Tables } from './tables.ts';
import { effectOf, putOf, stageEffects } from './writes.ts';

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

/** Of PartiQL only `INSERT INTO "table" VALUE {'name': ?, …}`. */
const putIn = ({ Statement, Parameters = [] }: Statement) => {
  const [, TableName, members] = insertForm.exec(Statement) ?? [];
  if (TableName === undefined || members === undefined) {
    throw invalid("Statement wasn't well formed, can't be processed: only INSERT INTO … VALUE is supported");
  }
  const names = namesIn(members);
  if (names.length !== Parameters.length) {
    throw invalid("Number of parameters in request and statement don't match.");
  }
  const Item: Attributes = Object.fromEntries(names.map((name, i) => [name, Parameters[i]!]));
  return { TableName, Item };
};

const duplicate = { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' };

const inserted = (storage: Storage, tables: Tables, statement: Statement): StatementAnswer => {
  const put = putIn(statement);
  try {
    const write = putOf(tables, checked('PutItem', put));
    if (storage.get(write.key) !== undefined) return { Error: duplicate };
    stageEffects(storage, [effectOf(storage, write)]);
    return { TableName: put.TableName };
  } catch (error) {
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
  return { Responses: Statements.map((statement) => inserted(storage, tables, statement)) };
};
