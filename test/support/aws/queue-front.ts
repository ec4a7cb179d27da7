import { json } from 'node:stream/consumers';
import { type Front, openFront } from './front.ts';
import type { RolePolicy } from './iam.ts';

type Message = { Id: string; MessageBody: string; DelaySeconds?: number };

/** Stands for SQS's SendMessageBatch, behind the roles of the stack. */
export const queueFront = async (
  roleOf: (name: string) => RolePolicy | undefined,
  queueLogicalId: string,
  sent: Message[],
): Promise<Front> =>
  openFront(async (request, response) => {
    const { Entries } = (await json(request)) as { Entries: Message[] };
    const role = roleOf(String(request.headers['x-amz-security-token']));
    const isSent = request.headers['x-amz-target'] === 'AmazonSQS.SendMessageBatch';
    if (!isSent || !role?.permits({ action: 'sqs:SendMessage', resource: queueLogicalId, keys: [] })) {
      response.writeHead(400).end(JSON.stringify({ __type: 'AccessDeniedException' }));
      return;
    }
    sent.push(...Entries);
    const Successful = Entries.map(({ Id }) => ({ Id, MessageId: Id, MD5OfMessageBody: '' }));
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ Successful }));
  });
