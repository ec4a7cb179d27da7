import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Steps of an import, told apart by what they send to the table. */
export type CrashPoint = {
  step: 'register' | 'claim' | 'cut' | 'reserve' | 'guard' | 'write' | 'part' | 'commit';
  /** Which call of that step; the first is 1. */
  call: number;
  when: 'before' | 'after';
};

const batches: Record<string, CrashPoint['step']> = {
  BatchExecuteStatementCommand: 'guard',
  BatchWriteCommand: 'write',
};

const transactionMarks: [mark: string, step: CrashPoint['step']][] = [
  ['SET #reservation', 'reserve'],
  ['SET #cut', 'cut'],
  ['SET #placed', 'part'],
  ['runUntil = :until', 'claim'],
  ['":status":"DONE"', 'commit'],
  ['"status":"WAITING"', 'register'],
];

const stepOf = (command: string, input: unknown): CrashPoint['step'] | undefined => {
  if (!/^(TransactWrite|Update)Command$/.test(command)) return batches[command];
  const sent = JSON.stringify(input);
  return transactionMarks.find(([mark]) => sent.includes(mark))?.[1];
};

const dead = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise<never>(() => {});
};

type Send = (command: { input: unknown }) => Promise<object>;

/** Puts itself between the stores and the client's `send`, until `restore`. */
export const between = (client: DynamoDBDocumentClient, around: (send: Send) => Send) => {
  const { send } = client;
  Object.assign(client, { send: around(send.bind(client) as Send) });
  return { restore: () => Object.assign(client, { send }) };
};

/** Kills this process at that point: as hard as a power cut, nothing is caught or flushed. */
export const crashAt = (client: DynamoDBDocumentClient, { step, call, when }: CrashPoint): void => {
  let calls = 0;
  between(client, (send) => async (command) => {
    const isHere = stepOf(command.constructor.name, command.input) === step && ++calls === call;
    if (isHere && when === 'before') await dead();
    const answer = await send(command);
    if (isHere) await dead();
    return answer;
  });
};

/** Every call after the first `calls` of the client fails, as if the process were gone. */
export const goneAfter = (client: DynamoDBDocumentClient, calls: number, gone: Error) => {
  let left = calls;
  return between(client, (send) => async (command) => {
    if (left-- <= 0) throw gone;
    return send(command);
  });
};
