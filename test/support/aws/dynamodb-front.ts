import { buffer } from 'node:stream/consumers';
import { dynamoDbNeeds } from '../engines/dynamodb-needs.ts';
import type { EngineDoor } from '../engines/engine-door.ts';
import { type Front, openFront } from './front.ts';
import type { RolePolicy } from './iam.ts';

type Handler = {
  handle: (request: {
    headers: Record<string, string>;
    body: Uint8Array;
  }) => Promise<{ response: { statusCode: number; headers: Record<string, string>; body: Uint8Array } }>;
};

const denied = (name: string) => ({
  __type: 'com.amazon.coral.service#AccessDeniedException',
  Message: `${name} is not authorized to perform this operation`,
});

/**
 * The embedded engine at an address, behind the roles of the stack: a caller is known by its
 * session token and may do what its role allows.
 */
export const dynamoDbFront = async (
  { requestHandler }: EngineDoor,
  roleOf: (name: string) => Pick<RolePolicy, 'permits'> | undefined,
  tableLogicalId: string,
): Promise<Front> => {
  const engine = requestHandler as unknown as Handler;
  return openFront(async (request, response) => {
    const body = await buffer(request);
    const headers = request.headers as Record<string, string>;
    const name = headers['x-amz-security-token'] ?? '';
    const operation = (headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const needs = dynamoDbNeeds(operation, JSON.parse(body.toString()), tableLogicalId);
    const role = roleOf(name);
    const permitted = needs.map((need) => role?.permits(need) ?? false);
    if (permitted.includes(false)) {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(denied(name)));
      return;
    }
    const answer = (await engine.handle({ headers, body })).response;
    response.writeHead(answer.statusCode, answer.headers);
    response.end(answer.body);
  });
};
