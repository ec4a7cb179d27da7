import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingError } from '../settings.ts';

/** Addresses that mean "any" are no address to call. */
const callable = (host: string) => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** The address to call once the server listens. @throws SettingError when it cannot */
export const listening = (server: Server, { port, host }: { port: number; host: string }) =>
  new Promise<string>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new SettingError(
          error.code === 'EADDRINUSE'
            ? `PORT ${port} on ${host} is taken; set PORT to another one`
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

/** Requests under way may end within the grace; a connection left open holds nobody up. */
export const stopped = async (server: Server): Promise<void> => {
  const ended = new Promise((resolve) => server.close(resolve));
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const all = setTimeout(() => server.closeAllConnections(), graceMs);
  await ended;
  clearInterval(idle);
  clearTimeout(all);
};
