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

/** The smallest S3 takes; of 10,000 parts, so up to 50 GB. At most `concurrency` + 2 parts are in memory. */
const partSize = 5 * 1024 * 1024;
const concurrency = 2;

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
    // The first failure is the one to tell; parts that stay here expire by the bucket's lifecycle.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
};

/** Returns or throws only when no part is under way any more, so that an abort catches them all. */
const sendParts = async (
  client: S3Client,
  upload: Upload,
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ size: number; completed: CompletedPart[] }> => {
  const completed: CompletedPart[] = [];
  const underWay = new Set<Promise<void>>();
  let size = 0;
  const send = async (PartNumber: number, Body: Uint8Array) => {
    const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }), {
      abortSignal: signal,
    });
    completed[PartNumber - 1] = { PartNumber, ETag };
  };
  try {
    let number = 0;
    for await (const part of parts) {
      size += part.byteLength;
      const sent: Promise<void> = send(++number, part).then(() => void underWay.delete(sent));
      // A failed part stays in the set, so that the next race meets it whenever it failed.
      sent.catch(() => {});
      underWay.add(sent);
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    return { size, completed };
  } finally {
    await Promise.allSettled(underWay);
  }
};
