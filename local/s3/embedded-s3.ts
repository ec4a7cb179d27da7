import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describeError, log } from '../../shared/observability/log.ts';
import type { S3RequestHandler } from '../../shared/store/objects/index.ts';
import { asAnnounced } from './announced-digests.ts';
import { Bucket } from './bucket.ts';
import type { EventHandler } from './event-outbox.ts';
import { type HttpHandler, httpDoor } from './http-door.ts';
import { perform } from './operations.ts';
import { S3Error } from './s3-error.ts';
import { noBody, type S3Request, type S3Response } from './s3-request.ts';
import { sdkDoor } from './sdk-door.ts';
import { type Credentials, verifySigned } from './signature.ts';
import { errorAnswer } from './xml-answer.ts';

export type EmbeddedS3Settings = {
  /** A folder for this bucket alone, or ':memory:' for one that is gone after close(). */
  path: string;
  bucket: string;
  credentials: Credentials;
  region?: string;
  /** The path of the client's endpoint: '/s3' where it is `http://host:port/s3`, '' on a port of its own. */
  basePath?: string;
  /** Called at least once for each object created, in the background; tried again when it throws. */
  onObjectCreated: EventHandler;
};

export type EmbeddedS3 = {
  /** For the SDK client of this process. */
  requestHandler: S3RequestHandler;
  /** For node:http; serves presigned URLs and requests signed in their headers, as S3's own tools send them. */
  handleHttp: HttpHandler;
  /** Removes objects and unfinished uploads below the prefix that are older than that. */
  sweep: (prefix: string, olderThanMs: number) => Promise<{ objects: number; uploads: number }>;
  /**
   * Waits for running requests and deliveries; undelivered events are delivered after the next open.
   * End the connections of the HTTP server first, or a stalled upload holds it up.
   */
  close: () => Promise<void>;
};

type Folder = { folder: string; durable: boolean; remove: () => Promise<void> };

const folderAt = async (place: string): Promise<Folder> => {
  if (place !== ':memory:') return { folder: place, durable: true, remove: async () => {} };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'embedded-s3-'));
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const remove = async () => {
    process.off('exit', removeAtExit);
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, durable: false, remove };
};

const answerOf = (error: unknown, request: S3Request | undefined, requestId: string): S3Response => {
  if (!(error instanceof S3Error)) log.error('the bucket failed', { requestId, error: describeError(error) });
  const known =
    error instanceof S3Error ? error : new S3Error('InternalError', 'We encountered an internal error.');
  const answer = errorAnswer(known, request?.path ?? '', requestId);
  return request?.method === 'HEAD' ? { ...answer, headers: {}, body: noBody() } : answer;
};

export const openEmbeddedS3 = async (settings: EmbeddedS3Settings): Promise<EmbeddedS3> => {
  const { credentials, region = 'us-east-1', basePath = '' } = settings;
  const { folder, durable, remove } = await folderAt(settings.path);
  const bucket = await Bucket.open(folder, durable, settings.onObjectCreated);
  const open = { http: true, sdk: true };
  const running = new Set<Promise<S3Response>>();

  const respond = async (door: 'http' | 'sdk', requestOf: () => S3Request): Promise<S3Response> => {
    const requestId = randomUUID();
    let request: S3Request | undefined;
    let answer: S3Response;
    try {
      request = requestOf();
      if (!open[door]) throw new S3Error('ServiceUnavailable', 'The service is shutting down');
      if (door === 'http') {
        verifySigned(request, credentials, region, Date.now());
        request = { ...request, body: asAnnounced(request) };
      }
      const call = { bucket, bucketName: settings.bucket, region, requestId, request };
      answer = await perform(call, basePath);
    } catch (error) {
      answer = answerOf(error, request, requestId);
    }
    return { ...answer, headers: { ...answer.headers, 'x-amz-request-id': requestId } };
  };

  const through = (door: 'http' | 'sdk') => (requestOf: () => S3Request) => {
    const answer = respond(door, requestOf).finally(() => running.delete(answer));
    running.add(answer);
    return answer;
  };

  return {
    requestHandler: sdkDoor(through('sdk')),
    handleHttp: httpDoor(through('http')),
    sweep: (prefix, olderThanMs) => bucket.sweep(prefix, olderThanMs),
    close: async () => {
      open.http = false;
      // Handlers that still run may read and write objects until they are done.
      await bucket.outbox.close();
      open.sdk = false;
      await Promise.all(running);
      await remove();
    },
  };
};
