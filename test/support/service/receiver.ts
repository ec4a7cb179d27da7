import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver on loopback, on a port of its own. It counts the connections that reach it. */
export const openReceiver = async (listener: RequestListener) => {
  const server = createServer(listener);
  const seen = { connections: 0 };
  server.on('connection', () => {
    seen.connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, url: `http://127.0.0.1:${port}/hook`, seen, close };
};
