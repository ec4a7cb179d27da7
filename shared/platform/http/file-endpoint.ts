import type { Readable } from 'node:stream';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Route, Validators } from '../api/route.ts';
import { ServiceError } from '../rules/errors.ts';
import { answered, type Input, inputOf, live, logged, type Timed } from './endpoint.ts';
import { corsHeaders, transportHeaders } from './envelope.ts';
import type { EndpointEvent } from './request.ts';

/** A file that answers a request. */
export type ExportFile = {
  /** ASCII. */
  fileName: string;
  /** A name for people, in any script, for clients that understand RFC 5987. */
  shownName?: string;
  contentType: string;
  size: number;
  body: Readable;
};

type FileResponse = { statusCode: number; headers: Record<string, string>; body: Readable | string };

/** `signal` is aborted when the client disconnects, if the host can tell. */
export type FileContext = Context & { signal?: AbortSignal };

/** RFC 5987 allows fewer characters than a URL. */
const percentEncoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const dispositionOf = ({ fileName, shownName }: ExportFile) =>
  `attachment; filename="${fileName}"` +
  (shownName === undefined ? '' : `; filename*=UTF-8''${percentEncoded(shownName)}`);

const responseOf = (file: ExportFile, requestId: string): FileResponse => ({
  statusCode: 200,
  headers: {
    'content-type': file.contentType,
    'content-length': String(file.size),
    'content-disposition': dispositionOf(file),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...transportHeaders(),
    ...corsHeaders(),
  },
  body: file.body,
});

/** No client reads this answer, but a client that disconnects is not an error of the service. */
const clientGone = () => new ServiceError('INVALID', 'the client disconnected');

/**
 * An endpoint that answers with a file, as a stream. An error before the first byte is answered in
 * the envelope.
 */
export const fileEndpoint = <R extends Route>(
  route: R,
  checks: Validators,
  handle: (input: Input<R>, signal: AbortSignal | undefined) => Promise<ExportFile>,
) =>
  middy<EndpointEvent, FileResponse, Error, FileContext, Timed>({ streamifyResponse: true })
    .use(logged(route))
    .use({ onError: answered.onError })
    .use(live)
    .handler((async (event: EndpointEvent, { signal }: FileContext) => {
      const input = await inputOf(route, checks, event);
      const file = await handle(input, signal).catch((error) => {
        throw signal?.aborted ? clientGone() : error;
      });
      return responseOf(file, event.requestContext.requestId);
    }) as never);
