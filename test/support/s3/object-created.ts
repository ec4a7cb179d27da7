import { randomUUID } from 'node:crypto';
import type { Blob } from './blob-file.ts';

export type CreationReason = 'PutObject' | 'CompleteMultipartUpload';

/** EventBridge's "Object Created" of S3, as a function on AWS receives it. The key is not URL-encoded. */
export type ObjectCreated = {
  version: '0';
  id: string;
  'detail-type': 'Object Created';
  source: 'aws.s3';
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: {
    version: '0';
    bucket: { name: string };
    object: { key: string; size: number; etag: string; sequencer: string };
    'request-id': string;
    requester: string;
    'source-ip-address': string;
    reason: CreationReason;
  };
};

export type Origin = { region: string; bucket: string; requestId: string; sourceIp: string };

const account = '000000000000';
const sequencesPerMs = 1024;
let lastSequence = 0;

/** Sixteen hexadecimal digits that rise with time, so that the later of two events on a key is known. */
const nextSequencer = (now: number): string => {
  lastSequence = Math.max(lastSequence + 1, now * sequencesPerMs);
  return lastSequence.toString(16).toUpperCase().padStart(16, '0');
};

export const objectCreated = (blob: Blob, reason: CreationReason, origin: Origin): ObjectCreated => {
  const now = Date.now();
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account,
    time: `${new Date(now).toISOString().slice(0, 19)}Z`,
    region: origin.region,
    resources: [`arn:aws:s3:::${origin.bucket}`],
    detail: {
      version: '0',
      bucket: { name: origin.bucket },
      object: { key: blob.key, size: blob.size, etag: blob.eTag, sequencer: nextSequencer(now) },
      'request-id': origin.requestId,
      requester: account,
      'source-ip-address': origin.sourceIp,
      reason,
    },
  };
};
