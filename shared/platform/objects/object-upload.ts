import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { partsOf, untilAborted } from './object-parts.ts';

type Target = { Bucket: string; Key: string; ContentType: string };
type Upload = { Bucket: string; Key: string; UploadId: string | undefined };

/** The smallest S3 takes; of 10,000 parts, so up to 50 GB. Two of them are in memory. */
const partSize = 5 * 1024 * 1024;

/**
 * Answers the size in bytes. Written here because lib-storage's Upload answers an abort before its
 * clean-up has run, and leaves the parts behind when the completing call fails.
 */
export const uploadInParts = async (
  client: S3Client,
  target: Target,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> => {
  const parts = partsOf(untilAborted(chunks, signal), partSize);
  try {
    const { value: first = new Uint8Array() } = await parts.next();
    const second = await parts.next();
    if (second.done) {
      await client.send(new PutObjectCommand({ ...target, Body: first }), { abortSignal: signal });
      return first.byteLength;
    }
    return await multipart(client, target, joined([first, second.value], parts), signal);
  } finally {
    await parts.return(undefined);
  }
};

async function* joined(read: Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let part = read.shift(); part; part = read.shift()) yield part;
  yield* rest;
}

const multipart = async (
  client: S3Client,
  target: Target,
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> => {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload: Upload = { Bucket: target.Bucket, Key: target.Key, UploadId };
  try {
    const { size, completed } = await sendParts(client, upload, parts, signal);
    signal.throwIfAborted();
    await client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: completed } }),
    );
    return size;
  } catch (error) {
    // The first failure is thrown. Parts that stay here expire by the bucket's lifecycle.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
};

/**
 * One part is sent while the next one fills. Returns or throws only when no part is under way any more, so
 * that an abort catches them all.
 */
const sendParts = async (
  client: S3Client,
  upload: Upload,
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ size: number; completed: CompletedPart[] }> => {
  const completed: CompletedPart[] = [];
  let size = 0;
  let underWay = Promise.resolve();
  const send = async (PartNumber: number, Body: Uint8Array) => {
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }), {
      abortSignal: signal,
    });
    completed.push({ PartNumber, ETag });
  };
  try {
    let number = 0;
    for await (const part of parts) {
      await underWay;
      size += part.byteLength;
      underWay = send(++number, part);
      // Thrown when the next part is ready; until then it must not count as unhandled.
      underWay.catch(() => {});
    }
    await underWay;
    return { size, completed };
  } finally {
    await underWay.catch(() => {});
  }
};
