import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Issued = { token?: string; seconds?: number; status?: number };

/**
 * A token endpoint on loopback. It gives these answers one after another, and the last one again
 * and again.
 */
export const anIssuer = async (answers: readonly Issued[]) => {
  const [clientId, clientSecret] = ['a-dialer', 'its secret'];
  const expected = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  let asked = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { token, seconds = 3600, status = 200 } = answers[Math.min(asked, answers.length - 1)] ?? {};
    asked += 1;
    const isRight = request.headers.authorization === expected && /grant_type=client_credentials/.test(body);
    response.statusCode = isRight ? status : 401;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: token, expires_in: seconds, token_type: 'Bearer' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth2/token`;
  return {
    credentials: { tokenUrl, clientId, clientSecret },
    get asked() {
      return asked;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

export type Issuer = Awaited<ReturnType<typeof anIssuer>>;
