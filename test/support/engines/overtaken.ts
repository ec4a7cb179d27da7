import { setImmediate } from 'node:timers/promises';
import { Database, type TableClient } from '../../../shared/platform/table/database.ts';
import type { Key } from '../../../shared/platform/table/keys.ts';
import { isInSample } from '../run/extent.ts';
import type { Engine, OpenTable } from './engines.ts';

/** A call of a process on its way to the table. */
export type TableCall = {
  /** From 1. */
  nth: number;
  /** Such as `Get`, `TransactWrite` or `Query`. */
  name: string;
  input: Record<string, unknown>;
  /** The items that it writes, deletes or checks. */
  written: Key[];
};

type Part = { Item?: Key; Key?: Key };

const partsOf = (value: unknown): Part[] => {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  if (typeof value !== 'object' || value === null) return [];
  return 'Item' in value || 'Key' in value ? [value as Part] : Object.values(value).flatMap(partsOf);
};

const reads = new Set(['Get', 'BatchGet', 'Query', 'Scan']);

const callOf = (command: object, nth: number): TableCall => {
  const { input } = command as { input: Record<string, unknown> };
  const name = command.constructor.name.replace('Command', '');
  const parts = reads.has(name) ? [] : partsOf(input.TransactItems ?? input.RequestItems ?? input);
  return { nth, name, input, written: parts.map(({ Item, Key }) => (Item ?? Key) as Key) };
};

/**
 * The table as one process sees it. `around` gets each of its calls, and performs it unless it has
 * done so itself; if it throws, the call is not made.
 */
export const watchedBy = (
  { client, tableName }: Pick<OpenTable, 'client' | 'tableName'>,
  around: (call: TableCall, perform: () => Promise<unknown>) => unknown,
): Database => {
  let calls = 0;
  const send = async (command: object) => {
    let answer: Promise<unknown> | undefined;
    const perform = () => {
      answer ??= client.send(command as never) as Promise<unknown>;
      return answer;
    };
    await around(callOf(command, ++calls), perform);
    return perform();
  };
  return new Database({ send } as TableClient, tableName);
};

/** Answers whether something has happened, after it has. */
type Overtaken = { database: Database; isOvertaken: () => boolean };

/**
 * The table as a process sees it that is overtaken once, just before the first call of that kind.
 */
export const overtaken = (
  table: OpenTable,
  isMeant: (call: TableCall) => boolean,
  act: () => Promise<unknown>,
): Overtaken => {
  let isOver = false;
  const database = watchedBy(table, async (call) => {
    if (isOver || !isMeant(call)) return;
    isOver = true;
    await act();
  });
  return { database, isOvertaken: () => isOver };
};

/**
 * The table as a process sees it that is held up before each call of that kind, from `reached` on
 * until `resume`. `waits` once nothing but that call is left to do.
 */
export const heldUp = (table: OpenTable, isMeant: (call: TableCall) => boolean) => {
  let [isReached, resume] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    isReached = resolve;
  });
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const others = new Set<Promise<unknown>>();
  const database = watchedBy(table, async (call, perform) => {
    if (!isMeant(call)) {
      const answer = perform().catch(() => undefined);
      others.add(answer);
      await answer;
      others.delete(answer);
      return;
    }
    isReached();
    await resumed;
  });
  const waits = async () => {
    await reached;
    // What an answer leads to is asked for by the next turn.
    for (await setImmediate(); others.size > 0; await setImmediate()) await Promise.all(others);
  };
  return { database, reached, waits, resume };
};

/** `npm test` tries one call of these. */
const sampled = 3;

/**
 * Runs once for each call that `slow` is used for, on a fresh table, and lets another process
 * overtake it just before that call.
 */
export const atEveryCall = async (
  { open }: Pick<Engine, 'open'>,
  run: (parts: {
    table: OpenTable;
    slow: Database;
    overtake: (act: () => Promise<unknown>) => void;
  }) => Promise<void>,
): Promise<void> => {
  for (let nth = 1, isOver = false; !isOver; nth++) {
    if (!isInSample(nth, sampled)) continue;
    const table = await open();
    let act = async (): Promise<unknown> => undefined;
    const { database, isOvertaken } = overtaken(
      table,
      (call) => call.nth === nth,
      () => act(),
    );
    const overtake = (given: typeof act) => {
      act = given;
    };
    await run({ table, slow: database, overtake });
    await table.close();
    isOver = !isOvertaken();
  }
};
