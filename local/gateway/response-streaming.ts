import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';

type Prelude = { statusCode: number; headers: Record<string, string> };
type StreamingHandler = (event: unknown, stream: Writable, context: unknown) => Promise<void>;

/**
 * Lambda's Node.js runtime offers response streaming as a global. Here the stream is the HTTP response itself.
 */
export const offerResponseStreaming = (): void => {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: StreamingHandler) => handler,
      HttpResponseStream: {
        from: (response: ServerResponse, { statusCode, headers }: Prelude) =>
          response.writeHead(statusCode, headers),
      },
    },
  });
};
