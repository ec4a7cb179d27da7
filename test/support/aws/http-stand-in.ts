import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openFront } from './front.ts';

export type StandInRequest = {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
};
export type StandInAnswer = { status?: number; headers?: Record<string, string>; body: object };

/**
 * A local HTTP server in the place of an AWS service, for what the embedded engines do not cover.
 */
export const openStandIn = async (
  answer: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>,
) => {
  const requests: StandInRequest[] = [];
  const { url: endpoint, close } = await openFront(async (incoming, response) => {
    const text = (await buffer(incoming)).toString();
    const { method = '', url = '', headers } = incoming;
    const request = {
      method,
      path: decodeURIComponent(url),
      headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    requests.push(request);
    const { status = 200, headers: answered = {}, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...answered });
    response.end(JSON.stringify(body));
  });
  return {
    requests,
    /** Settings of an SDK client that talks to it. */
    client: {
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'stand-in', secretAccessKey: 'stand-in' },
    },
    close,
  };
};
