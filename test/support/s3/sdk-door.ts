import { Readable } from 'node:stream';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { noBody, type S3Request, type S3Response } from './s3-request.ts';

export type S3RequestHandler = NonNullable<S3ClientConfig['requestHandler']>;

type SdkRequest = {
  method: string;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
};
type SdkOptions = { abortSignal?: { readonly aborted: boolean } };

const bodyOf = (body: unknown): AsyncIterable<Uint8Array> => {
  if (body === undefined || body === null) return noBody();
  if (typeof body === 'string') return Readable.from([Buffer.from(body)]);
  if (body instanceof Uint8Array) return Readable.from([body]);
  if (body instanceof Readable) return body;
  throw new TypeError('the embedded S3 takes strings, bytes and Readable streams');
};

const requestOf = ({ method, path, query = {}, headers, body }: SdkRequest): S3Request => ({
  method,
  path,
  query: new Map(Object.entries(query).map(([name, value]) => [name, String(value ?? '')])),
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: bodyOf(body),
  sourceIp: '127.0.0.1',
});

const checkAborted = ({ abortSignal }: SdkOptions) => {
  if (abortSignal?.aborted) throw Object.assign(new Error('Request aborted'), { name: 'AbortError' });
};

/**
 * For the SDK client: the same endpoint without sockets and without signatures, since caller and callee
 * are one process. An aborted request is told so only when nothing of it runs any more.
 */
export const sdkDoor = (
  respond: (requestOf: () => S3Request) => Promise<S3Response>,
): Extract<S3RequestHandler, { handle: unknown }> => ({
  metadata: { handlerProtocol: 'http/1.1' },
  httpHandlerConfigs: () => ({}),
  updateHttpClientConfig: () => {},
  handle: async (request: SdkRequest, options: SdkOptions = {}) => {
    checkAborted(options);
    const { status, headers, body } = await respond(() => requestOf(request));
    if (options.abortSignal?.aborted) body.destroy();
    checkAborted(options);
    return { response: { statusCode: status, headers, body } };
  },
});
