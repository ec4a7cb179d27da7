import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalid, ServiceError } from '../../shared/domain/errors.ts';
import { failure, responseOf } from '../../shared/http/envelope.ts';

const refuse = (socket: Duplex, error: ServiceError) => {
  if (!socket.writable) return;
  const { statusCode, headers, body } = responseOf(failure(error), randomUUID(), { connection: 'close' });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${statusCode} Refused\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** The request is complete and not answered yet, so the broken bytes follow it on the connection. */
const isUnanswered = ({ request, response }: Exchange) => request.complete && !response.writableEnded;

/** Answers with an envelope what Node would answer in its own words, or not at all. */
export const answerBrokenHttp = (server: Server, answer: RequestListener): void => {
  const latest = new WeakMap<Duplex, Exchange>();
  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  server.on('clientError', (_error, socket) => {
    const refuseBroken = () => refuse(socket, invalid('request', 'is not valid HTTP', 'BAD_FORMAT'));
    const exchange = latest.get(socket);
    if (exchange === undefined || !isUnanswered(exchange)) refuseBroken();
    else exchange.response.once('finish', refuseBroken);
  });
  server.on('connect', (_request, socket) =>
    refuse(socket, new ServiceError('notAllowed', 'CONNECT is not allowed here')),
  );
  // Node emits this for every expectation except `100-continue`. The request itself is complete.
  server.on('checkExpectation', answer);
};
