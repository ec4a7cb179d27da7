import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Bucket, type EventHandler } from './bucket.ts';
import { type HttpHandler, httpDoor } from './http-door.ts';
import { perform } from './operations.ts';
import { S3Error } from './s3-error.ts';
import { noBody, type S3Request, type S3Response } from './s3-request.ts';
import { type S3RequestHandler, sdkDoor } from './sdk-door.ts';
import { type Credentials, verifyPresigned } from './signature.ts';
import { errorAnswer } from './xml-answer.ts';

type Settings = {
  /** A folder for this bucket alone; without one, a temporary folder that is gone after close(). */
  path?: string;
  bucket: string;
  credentials: Credentials;
  region?: string;
  /** Called for each object created, once it shows. */
  onObjectCreated?: EventHandler;
};

export type EmbeddedS3 = {
  /** For the SDK client of this process, which needs no signature. */
  requestHandler: S3RequestHandler;
  /** For node:http; serves presigned URLs. */
  handleHttp: HttpHandler;
  /** End the connections of the HTTP server first. */
  close: () => Promise<void>;
};

type TemporaryFolder = { folder: string; remove: () => Promise<void> };

const temporaryFolder = async (): Promise<TemporaryFolder> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'embedded-s3-'));
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const remove = async () => {
    process.off('exit', removeAtExit);
    await rm(folder, { recursive: true, force: true });
  };
  return { folder, remove };
};

const answerOf = (error: unknown, request: S3Request | undefined, requestId: string): S3Response => {
  const known =
    error instanceof S3Error ? error : new S3Error('InternalError', `an internal error: ${String(error)}`);
  const answer = errorAnswer(known, request?.path ?? '', requestId);
  return request?.method === 'HEAD' ? { ...answer, headers: {}, body: noBody() } : answer;
};

/** As much of S3 as the tests need, and no more lenient than S3 is. */
export const openEmbeddedS3 = async (settings: Settings): Promise<EmbeddedS3> => {
  const { path: given, credentials, region = 'us-east-1', onObjectCreated = () => {} } = settings;
  const { folder, remove } =
    given === undefined ? await temporaryFolder() : { folder: given, remove: async () => {} };
  const bucket = await Bucket.open(folder, onObjectCreated);
  const running = new Set<Promise<S3Response>>();

  const respond = async (requestOf: () => S3Request, isSigned: boolean): Promise<S3Response> => {
    const requestId = randomUUID();
    let request: S3Request | undefined;
    let answer: S3Response;
    try {
      request = requestOf();
      if (isSigned) verifyPresigned(request, credentials, region, Date.now());
      answer = await perform({ bucket, bucketName: settings.bucket, region, requestId, request });
    } catch (error) {
      answer = answerOf(error, request, requestId);
    }
    return { ...answer, headers: { ...answer.headers, 'x-amz-request-id': requestId } };
  };

  const door = (isSigned: boolean) => (requestOf: () => S3Request) => {
    const answer = respond(requestOf, isSigned).finally(() => running.delete(answer));
    running.add(answer);
    return answer;
  };

  return {
    requestHandler: sdkDoor(door(false)),
    handleHttp: httpDoor(door(true)),
    close: async () => {
      await Promise.all(running);
      await remove();
    },
  };
};
