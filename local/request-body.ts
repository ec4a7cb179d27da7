import type { IncomingMessage } from 'node:http';

/** What is still read and thrown away so that a client that sends too much gets its answer. */
const drainedBytes = 64 * 1024 * 1024;

/** The body, or undefined when it is larger than the limit. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
    if (size > limit + drainedBytes) break;
  }
  return size > limit ? undefined : Buffer.concat(chunks);
};
