import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Steps of an import, told apart by what they send to the table. */
export type CrashPoint = {
  step: 'register' | 'claim' | 'reserve' | 'guard' | 'write' | 'commit';
  /** Which call of that step; the first is 1. */
  call: number;
  when: 'before' | 'after';
};

const batches: Record<string, CrashPoint['step']> = {
  BatchExecuteStatementCommand: 'guard',
  BatchWriteItemCommand: 'write',
  BatchWriteCommand: 'write',
};

const transactionMarks: [mark: string, step: CrashPoint['step']][] = [
  ['SET reservation', 'reserve'],
  ['runUntil = :until', 'claim'],
  ['#status = :done', 'commit'],
  ['"status":"WAITING"', 'register'],
];

const stepOf = (command: string, input: unknown): CrashPoint['step'] | undefined => {
  if (!command.startsWith('TransactWrite')) return batches[command];
  const sent = JSON.stringify(input);
  return transactionMarks.find(([mark]) => sent.includes(mark))?.[1];
};

const dead = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => {});
};

/** Kills this process at that point: as hard as a power cut, nothing is caught or flushed. */
export const crashAt = (client: DynamoDBDocumentClient, { step, call, when }: CrashPoint): void => {
  let calls = 0;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const isHere = stepOf(commandName, args.input) === step && ++calls === call;
        if (isHere && when === 'before') await dead();
        const answer = await next(args);
        if (isHere) await dead();
        return answer;
      },
    { step: 'initialize', name: 'crash' },
  );
};
