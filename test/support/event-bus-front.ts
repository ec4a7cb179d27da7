import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Front } from './dynamodb-front.ts';
import type { RolePolicy } from './iam.ts';

export type PutEvent = { Source: string; DetailType: string; Detail: string; EventBusName: string };

/** Stands for EventBridge's PutEvents, of which no local engine exists, behind the roles of the stack. */
export const eventBusFront = async (
  roleOf: (name: string) => RolePolicy | undefined,
  busLogicalId: string,
  put: PutEvent[],
): Promise<Front> => {
  const server = createServer(async (request, response) => {
    const { Entries } = (await json(request)) as { Entries: PutEvent[] };
    const role = roleOf(String(request.headers['x-amz-security-token']));
    const isPut = request.headers['x-amz-target'] === 'AWSEvents.PutEvents';
    if (!isPut || !role?.permits({ action: 'events:PutEvents', resource: busLogicalId, keys: [] })) {
      response.writeHead(400).end(JSON.stringify({ __type: 'AccessDeniedException' }));
      return;
    }
    put.push(...Entries);
    const answer = { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
