import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
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

/** What Node answers in its own words, or not at all, gets an envelope like everything else. */
export const answerBrokenHttp = (server: Server, answer: RequestListener): void => {
  server.on('clientError', (_error, socket) =>
    refuse(socket, invalid('request', 'is not valid HTTP', 'BAD_FORMAT')),
  );
  server.on('connect', (_request, socket) =>
    refuse(socket, new ServiceError('notAllowed', 'CONNECT is not allowed here')),
  );
  // Any expectation but `100-continue`; the request is whole all the same.
  server.on('checkExpectation', answer);
};
