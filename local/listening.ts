import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingError } from './settings.ts';

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

const shutdownMs = 5_000;

/** Requests under way finish, within reason. */
export const stopped = async (server: Server): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const impatient = setTimeout(() => server.closeAllConnections(), shutdownMs);
  await closed;
  clearTimeout(impatient);
};
