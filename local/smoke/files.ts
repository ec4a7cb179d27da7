import { randomInt } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { eventually } from './steps.ts';

/**
 * Numbers without a subscriber: 555-0100 to 555-0199 are reserved in every area of North America. Each run uses another
 * area, so that a daily limit on calls to a number does not stop the second run of a day.
 */
export const unusedNumbers = (): ((count: number) => string[]) => {
  const area = randomInt(201, 989);
  let next = 100;
  return (count) => Array.from({ length: count }, () => `+1${area}5550${next++}`);
};

export const csvOf = (phones: readonly string[]): string =>
  ['phoneNumber,customerName,smoke', ...phones.map((phone, i) => `${phone},Test ${i + 1},yes`)].join('\r\n');

type Result = { status: string; successCount: number; message: string };

/** Drops a file into the bucket, as operators do, and waits for its report. */
export const dropFile = async (bucket: string, dataSourceId: string, file: string): Promise<Result> => {
  const client = new S3Client({});
  const key = `imports/${dataSourceId}/smoke.csv`;
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: file }));
  return eventually('the report beside the dropped file', async () => {
    try {
      const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: `${key}.result.json` }));
      return JSON.parse((await found.Body?.transformToString()) ?? '') as Result;
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  });
};
