import { connect } from 'node:net';

const longestWaitMs = 60_000;

/** Sends bytes as they are and gives everything that comes back until the service closes or falls silent. */
export const exchange = (
  url: string,
  pieces: readonly (string | Buffer)[],
  silenceMs = 300,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const done = () => {
      clearTimeout(limit);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    const limit = setTimeout(() => {
      socket.destroy();
      reject(new Error('no answer'));
    }, longestWaitMs);
    let silence: NodeJS.Timeout | undefined;
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(silence);
      silence = setTimeout(done, silenceMs);
    });
    // A reset after the answer is as good as an end.
    socket.on('error', done);
    socket.on('close', done);
    socket.on('connect', () => {
      for (const piece of pieces) socket.write(piece);
    });
  });

/** The status line's number of each answer in a stream of them. */
export const statusesOf = (stream: string): number[] =>
  [...stream.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((found) => Number(found[1]));

/** The body of the last answer in a stream of them. */
export const lastBodyOf = (stream: string): unknown =>
  JSON.parse(stream.slice(stream.lastIndexOf('\r\n\r\n') + 4));
