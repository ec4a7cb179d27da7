import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { failure, responseOf } from '../../shared/platform/http/index.ts';
import { invalid, ServiceError } from '../../shared/platform/rules/index.ts';

const refuse = (socket: Duplex, error: ServiceError) => {
  if (!socket.writable) return;
  const { statusCode, headers, body } = responseOf(failure(error), randomUUID(), { connection: 'close' });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${statusCode} Refused\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

const kilobyte = 1024;

const refusalOf = ({ code }: NodeJS.ErrnoException): ServiceError =>
  code === 'HPE_HEADER_OVERFLOW'
    ? new ServiceError(
        'HEADERS_TOO_LARGE',
        `the request line and the headers exceed ${Math.floor(maxHeaderSize / kilobyte)} KB together`,
      )
    : invalid('request', 'is not valid HTTP', 'BAD_FORMAT');

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** The request is complete and not answered yet, so the broken bytes follow it on the connection. */
const isUnanswered = ({ request, response }: Exchange) => request.complete && !response.writableEnded;

/** Answers with an envelope what Node would answer in its own words, or not at all. */
export const answerBrokenHttp = (server: Server, answer: RequestListener): void => {
  const latest = new WeakMap<Duplex, Exchange>();
  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refuseBroken = () => refuse(socket, refusalOf(error));
    const exchange = latest.get(socket);
    if (exchange === undefined || !isUnanswered(exchange)) refuseBroken();
    else exchange.response.once('finish', refuseBroken);
  });
  server.on('connect', (_request, socket) =>
    refuse(socket, new ServiceError('METHOD_NOT_ALLOWED', 'CONNECT is not allowed here')),
  );
  // Node emits this for every expectation except `100-continue`. The request itself is complete.
  server.on('checkExpectation', answer);
};
