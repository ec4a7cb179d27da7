import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Database } from '../../../shared/platform/table/database.ts';
import type { Engine } from './engines.ts';

type Command = { constructor: { name: string }; input: Input };
type Input = {
  RequestItems?: Record<string, never>;
  Statements?: unknown[];
  ExclusiveStartKey?: object;
};
type Answer = Record<string, unknown>;
type Send = (command: Command) => Promise<Answer>;

const halves = <T>(all: readonly T[]): [T[], T[]] => [
  all.slice(0, Math.ceil(all.length / 2)),
  all.slice(Math.ceil(all.length / 2)),
];

const withInput = (command: Command, input: object): Command =>
  Object.assign(Object.create(command), { input: { ...command.input, ...input } });

/** A batch is of one table. */
const requestsOf = <T>({ input }: Command) =>
  Object.entries(input.RequestItems ?? {}) as unknown as [[string, T]];

/** Each kind of call that DynamoDB may answer in part, and how. */
const inPart: Record<string, (send: Send, command: Command) => Promise<Answer>> = {
  async BatchWriteCommand(send, command) {
    const [[table, requests]] = requestsOf<unknown[]>(command);
    const [done, left] = halves(requests);
    await send(withInput(command, { RequestItems: { [table]: done } }));
    return { UnprocessedItems: left.length === 0 ? {} : { [table]: left } };
  },
  async BatchGetCommand(send, command) {
    const [[table, asked]] = requestsOf<{ Keys: unknown[] }>(command);
    const [done, left] = halves(asked.Keys);
    const answer = await send(withInput(command, { RequestItems: { [table]: { ...asked, Keys: done } } }));
    return { ...answer, UnprocessedKeys: left.length === 0 ? {} : { [table]: { ...asked, Keys: left } } };
  },
  async BatchExecuteStatementCommand(send, command) {
    const [done, left] = halves(command.input.Statements ?? []);
    const answer = await send(withInput(command, { Statements: done }));
    const refused = left.map(() => ({ Error: { Code: 'ThrottlingError', Message: 'made up by a test' } }));
    return { ...answer, Responses: [...(answer.Responses as unknown[]), ...refused] };
  },
  QueryCommand: (send, command) =>
    send(command.input.ExclusiveStartKey ? command : withInput(command, { Limit: 1 })),
};

/** Of the calls of a kind, the share that is answered in part: more would only take longer. */
const everyNth = 3;

/** A table that often answers in part, as DynamoDB may: half a batch, or a page of one item. */
export const grudging = ({ open }: Pick<Engine, 'open'>): Pick<Engine, 'open'> => ({
  async open() {
    const table = await open();
    const whole = table.client.send.bind(table.client) as unknown as Send;
    const calls = new Map<string, number>();
    const send: Send = (command) => {
      const { name } = command.constructor;
      const nth = (calls.get(name) ?? 0) + 1;
      calls.set(name, nth);
      return (nth % everyNth === 0 && inPart[name]?.(whole, command)) || whole(command);
    };
    const client: DynamoDBDocumentClient = Object.assign(Object.create(table.client), { send });
    return { ...table, client, database: new Database(client, table.tableName) };
  },
});
