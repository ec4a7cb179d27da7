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

/** What came whole and has not had its answer; broken is then only what follows it on the connection. */
const isUnderWay = ({ request, response }: Exchange) => request.complete && !response.writableEnded;

/** What Node answers in its own words, or not at all, gets an envelope like everything else. */
export const answerBrokenHttp = (server: Server, answer: RequestListener): void => {
  const latest = new WeakMap<Duplex, Exchange>();
  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  server.on('clientError', (_error, socket) => {
    const refuseBroken = () => refuse(socket, invalid('request', 'is not valid HTTP', 'BAD_FORMAT'));
    const exchange = latest.get(socket);
    if (exchange === undefined || !isUnderWay(exchange)) refuseBroken();
    else exchange.response.once('finish', refuseBroken);
  });
  server.on('connect', (_request, socket) =>
    refuse(socket, new ServiceError('notAllowed', 'CONNECT is not allowed here')),
  );
  // Any expectation but `100-continue`; the request is whole all the same.
  server.on('checkExpectation', answer);
};
