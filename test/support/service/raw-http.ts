import { connect } from 'node:net';

const longestWaitMs = 60_000;

/**
 * Sends bytes as they are and gives everything that comes back until the service closes the
 * connection. The last request says `Connection: close`, unless the service closes by itself.
 */
export const exchange = (url: string, pieces: readonly (string | Buffer)[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const received = () => Buffer.concat(chunks).toString('latin1');
    const done = () => {
      clearTimeout(limit);
      resolve(received());
    };
    const limit = setTimeout(() => {
      reject(new Error(`the connection stayed open after: ${received()}`));
      socket.destroy();
    }, longestWaitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A reset after the answer is as good as an end.
    socket.on('error', done);
    socket.on('close', done);
    socket.on('connect', () => {
      for (const piece of pieces) socket.write(piece);
    });
  });

/** Sends bytes as they are and breaks the connection off. */
export const breakOff = async (url: string, bytes: string): Promise<void> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.write(bytes, resolve));
  socket.destroy();
};

/** The status line's number of each answer in a stream of them. */
export const statusesOf = (stream: string): number[] =>
  [...stream.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((found) => Number(found[1]));

/** The body of the last answer in a stream of them. */
export const lastBodyOf = (stream: string): unknown =>
  JSON.parse(stream.slice(stream.lastIndexOf('\r\n\r\n') + 4));
