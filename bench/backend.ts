import { S3Objects, s3Client } from '../shared/platform/objects/s3-objects.ts';
import type { Item } from '../shared/platform/table/keys.ts';
import { dynamoDbFront } from '../test/support/aws/dynamodb-front.ts';
import { s3Front } from '../test/support/aws/s3-front.ts';
import { embeddedS3 } from '../test/support/s3/embedded-s3.ts';
import { openSeeded, tableName } from './seeding.ts';

const bucket = 'bench';
const region = 'eu-west-1';
const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const anyone = () => ({ permits: () => true });

/** Table and bucket in another process, so that they do not count in the function's memory. */
export const openBackend = async (items: Iterable<Item>) => {
  const { engine, close } = await openSeeded(items);
  const s3 = embeddedS3(bucket);
  const table = await dynamoDbFront(engine, anyone, 'Table');
  const files = await s3Front(s3, anyone, 'Bucket');
  const client = s3Client({ region, credentials, forcePathStyle: true, requestHandler: s3.requestHandler });
  return {
    engine,
    objects: new S3Objects(client, bucket),
    environment: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: table.url,
      AWS_ENDPOINT_URL_S3: files.url,
      TABLE_NAME: tableName,
      BUCKET_NAME: bucket,
    },
    close: async () => {
      await table.close();
      await files.close();
      await close();
    },
  };
};
