import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { failure, responseOf } from '../../shared/platform/http/envelope.ts';
import { invalid, ServiceError } from '../../shared/platform/rules/errors.ts';
import { SettingError } from '../settings.ts';

/** Clients cannot call the addresses that mean "any". */
const callable = (host: string) => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/**
 * Starts to listen.
 * @returns the address for clients
 * @throws SettingError if the server cannot listen
 */
export const listening = (server: Server, { port, host }: { port: number; host: string }) =>
  new Promise<string>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new SettingError(
          error.code === 'EADDRINUSE'
            ? `PORT ${port} on ${host} is already in use; set PORT to another port`
            : `cannot listen on ${host}:${port}: ${error.message}`,
        ),
      ),
    );
    server.listen(port, host, () =>
      resolve(`http://${callable(host)}:${(server.address() as AddressInfo).port}`),
    );
  });

const graceMs = 3_000;
const idleCheckMs = 50;

/** Open requests may end within the grace period. Idle connections are closed at once. */
export const stopped = async (server: Server): Promise<void> => {
  const ended = new Promise((resolve) => server.close(resolve));
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const all = setTimeout(() => server.closeAllConnections(), graceMs);
  await ended;
  clearInterval(idle);
  clearTimeout(all);
};

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

/** The request is complete and not answered yet, so the broken bytes come after it. */
const isUnanswered = ({ request, response }: Exchange) => request.complete && !response.writableEnded;

/** Answers with an envelope where Node would answer in its own words, or not at all. */
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
