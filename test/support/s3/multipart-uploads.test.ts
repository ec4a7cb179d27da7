import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { anObjectStore, bucketName } from '../service/object-store.ts';

const Bucket = bucketName;

describe('multipart uploads', () => {
  const begun = async () => {
    const store = await anObjectStore();
    const { UploadId } = await store.client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'k' }));
    const part = async (PartNumber: number, Body: Uint8Array) => {
      const { ETag } = await store.client.send(
        new UploadPartCommand({ Bucket, Key: 'k', UploadId, PartNumber, Body }),
      );
      return { PartNumber, ETag };
    };
    const complete = (...Parts: { PartNumber: number; ETag: string | undefined }[]) =>
      store.client.send(
        new CompleteMultipartUploadCommand({ Bucket, Key: 'k', UploadId, MultipartUpload: { Parts } }),
      );
    return { ...store, UploadId, part, complete };
  };
  const five = Buffer.alloc(5 * 1024 * 1024, 5);

  it('put the parts together, the latest of each number', async () => {
    const { part, complete, objects, client } = await begun();
    const last = await part(9, Buffer.from('end'));
    await part(3, Buffer.from('replaced'));
    const first = await part(3, five);
    const { ETag } = await complete(first, last);
    const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest();
    const joined = md5(Buffer.concat([md5(five), md5(Buffer.from('end'))])).toString('hex');
    expect(ETag).toBe(`"${joined}-2"`);
    expect(Buffer.from(await objects.get('k')).equals(Buffer.concat([five, Buffer.from('end')]))).toBe(true);
    expect((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads).toBeUndefined();
    await expect(complete(first, last)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });

  it('refuse a wrong order, a wrong ETag, a missing and a small part, and stay open', async () => {
    const { part, complete, objects } = await begun();
    const one = await part(1, five);
    const two = await part(2, Buffer.from('small'));
    const three = await part(3, Buffer.from('end'));
    await expect(complete(three, one)).rejects.toMatchObject({ name: 'InvalidPartOrder' });
    await expect(complete({ ...one, ETag: two.ETag })).rejects.toMatchObject({ name: 'InvalidPart' });
    await expect(complete(one, { ...three, PartNumber: 4 })).rejects.toMatchObject({ name: 'InvalidPart' });
    await expect(complete(one, two, three)).rejects.toMatchObject({ name: 'EntityTooSmall' });
    await expect(complete()).rejects.toMatchObject({ name: 'MalformedXML' });
    expect(await objects.head('k')).toBeUndefined();
    await complete(one, three);
    expect((await objects.head('k'))?.size).toBe(five.length + 3);
  });

  it('know no upload of another key, an aborted one or one that never was', async () => {
    const { part, client, UploadId } = await begun();
    const abort = (Key: string, id: string | undefined) =>
      client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: id }));
    await expect(abort('other', UploadId)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    await expect(abort('k', '../objects')).rejects.toMatchObject({ name: 'NoSuchUpload' });
    await abort('k', UploadId);
    await expect(part(1, five)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});
