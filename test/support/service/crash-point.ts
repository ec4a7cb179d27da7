import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Send = (command: { input: unknown }) => Promise<object>;

/** Puts itself between the stores and the client's `send`, until `restore`. */
export const between = (client: DynamoDBDocumentClient, around: (send: Send) => Send) => {
  const { send } = client;
  Object.assign(client, { send: around(send.bind(client) as Send) });
  return { restore: () => Object.assign(client, { send }) };
};

/** The record of an import is written. */
const isOfImport = (command: object) =>
  /^(TransactWrite|Update|Put)Command$/.test(command.constructor.name) &&
  JSON.stringify((command as { input: unknown }).input).includes('RECEIVED#');

/**
 * Kills this process before that call of its first import, from 1: as hard as a power cut, nothing
 * is caught or flushed.
 */
export const crashAt = (client: DynamoDBDocumentClient, call: number): void => {
  let calls = 0;
  between(client, (send) => (command) => {
    if ((calls > 0 || isOfImport(command)) && ++calls === call) {
      process.kill(process.pid, 'SIGKILL');
      return new Promise<never>(() => {});
    }
    return send(command);
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
