import { DeleteObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { S3Objects } from '../../../shared/platform/objects/s3-objects.ts';

type StoredObject = { key: string; size: number; eTag: string; modified: Date };

/** A bucket to look into as a whole. */
export class WholeBucket extends S3Objects {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(client: S3Client, bucket: string) {
    super(client, bucket);
    this.#client = client;
    this.#bucket = bucket;
  }

  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  /** Every object below the prefix in the order of the keys' UTF-8 bytes, a thousand to a call. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }),
      );
      for (const { Key = '', Size = 0, ETag = '', LastModified = new Date(0) } of page.Contents ?? []) {
        yield { key: Key, size: Size, eTag: ETag, modified: LastModified };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }
}
