import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { S3Error } from './s3-error.ts';
import { type S3Request, type S3Response, splitTarget } from './s3-request.ts';

export type HttpHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

const maxDrainBytes = 64 * 1024 * 1024;
const maxDrainMs = 5000;

async function* bodyOf(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    // Left open when reading stops early, so that the refusal still reaches the client.
    yield* req.iterator({ destroyOnReturn: false });
  } catch {
    throw new S3Error('IncompleteBody', 'The connection ended before the body did');
  }
}

const requestOf = (req: IncomingMessage): S3Request => ({
  method: req.method ?? '',
  ...splitTarget(req.url ?? ''),
  headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, value?.toString()])),
  body: bodyOf(req),
  sourceIp: req.socket.remoteAddress ?? '',
});

/** Reads on, within bounds: a client that is still sending would see a reset instead of the refusal. */
const drain = (req: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (req.readableEnded || req.destroyed) return resolve();
    let left = maxDrainBytes;
    const done = () => {
      clearTimeout(timer);
      req.off('data', count);
      resolve();
    };
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    };
    const timer = setTimeout(done, maxDrainMs);
    req.on('data', count).once('end', done).once('close', done);
  });

/** For node:http. A client that goes away ends its request, which then leaves nothing behind. */
export const httpDoor =
  (respond: (requestOf: () => S3Request) => Promise<S3Response>): HttpHandler =>
  async (req, res) => {
    req.on('error', () => {});
    const { status, headers, body } = await respond(() => requestOf(req));
    await drain(req);
    if (!req.readableEnded) res.setHeader('connection', 'close');
    res.writeHead(status, headers);
    if (req.method === 'HEAD') {
      body.destroy();
      res.end();
    } else {
      await pipeline(body, res).catch(() => res.destroy());
    }
  };
