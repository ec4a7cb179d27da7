import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An engine at an address of its own, as a deployed function finds it. */
export type Front = { url: string; close: () => Promise<void> };

export const openFront = async (listener: RequestListener): Promise<Front> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
