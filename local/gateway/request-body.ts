import type { IncomingMessage } from 'node:http';
import { invalid } from '../../shared/platform/rules/index.ts';

/** Read and dropped above the limit, because a client reads its answer only after it has sent its body. */
const drainedBytes = 64 * 1024 * 1024;

/** A client that disconnects while it sends is not an error of the service. */
export async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request as AsyncIterable<Buffer>;
  } catch {
    throw invalid('body', 'is incomplete', 'BAD_FORMAT');
  }
}

/** The body, or undefined when it is larger than the limit. @throws ServiceError invalid */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
    if (size > limit + drainedBytes) break;
  }
  return size > limit ? undefined : Buffer.concat(chunks);
};
