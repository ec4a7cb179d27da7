import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingError } from '../settings.ts';

/** Clients cannot call the addresses that mean "any". */
const callable = (host: string) => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** Starts to listen. The answer is the address for clients. @throws SettingError when the server cannot listen */
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
