import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { type Front, openFront } from './front.ts';
import type { RolePolicy } from './iam.ts';

export type PutEvent = { Source: string; DetailType: string; Detail: string; EventBusName: string };

/**
 * Stands for EventBridge's PutEvents, of which no local engine exists, behind the roles of the
 * stack.
 */
export const eventBusFront = async (
  roleOf: (name: string) => RolePolicy | undefined,
  busLogicalId: string,
  put: PutEvent[],
): Promise<Front> => {
  return openFront(async (request, response) => {
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
  });
};
