import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { type Api, accessToken, succeeded, useApi } from '../support/service/api.ts';
import {
  anObjectStore,
  bucketName,
  credentials,
  keysOf,
  region,
  until,
} from '../support/service/object-store.ts';

type Tampering = (request: { headers: Record<string, string>; body?: unknown }) => void;
type Opened = { endpoint: string; zone?: string; keys?: typeof credentials; tamper?: Tampering };

/** S3's own client with its defaults, as operators' tools use it; `tamper` changes what was signed. */
const clientAt = ({ endpoint, zone = region, keys = credentials, tamper = () => {} }: Opened) => {
  const client = new S3Client({
    region: zone,
    endpoint,
    credentials: keys,
    forcePathStyle: true,
    maxAttempts: 1,
  });
  client.middlewareStack.add(
    (next) => (args) => {
      tamper(args.request as Parameters<Tampering>[0]);
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'tamper' },
  );
  return client;
};
const put = (
  client: S3Client,
  Body = 'phoneNumber\n123\n',
  Key = 'imports/a b/ä+c.csv',
  Bucket = bucketName,
) => client.send(new PutObjectCommand({ Bucket, Key, Body }));

describe('requests signed in their headers', () => {
  it('put and get objects', async () => {
    const { endpoint, objects } = await anObjectStore({ basePath: '/s3' });
    const client = clientAt({ endpoint });
    await put(client, 'from a tool');
    expect(await keysOf(objects)).toEqual(['imports/a b/ä+c.csv']);
    const got = await client.send(new GetObjectCommand({ Bucket: bucketName, Key: 'imports/a b/ä+c.csv' }));
    expect(await got.Body?.transformToString()).toBe('from a tool');
  });

  const longAgo = '20200101T000000Z';
  const refusals: [string, string, Tampering][] = [
    [
      'another body of the same length',
      'XAmzContentSHA256Mismatch',
      (request) => {
        request.body = 'phoneNumber\n321\n';
      },
    ],
    [
      'another digest of the body',
      'SignatureDoesNotMatch',
      ({ headers }) => {
        headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
      },
    ],
    [
      'no digest of the body',
      'AuthorizationHeaderMalformed',
      ({ headers }) => {
        delete headers['x-amz-content-sha256'];
      },
    ],
    [
      'a header that was not signed',
      'AccessDenied',
      ({ headers }) => {
        headers['x-amz-acl'] = 'public-read';
      },
    ],
    [
      'an old signature',
      'AccessDenied',
      ({ headers }) => {
        headers['x-amz-date'] = longAgo;
        headers.authorization = headers.authorization!.replace(/\/\d{8}\//, '/20200101/');
      },
    ],
    [
      'another scheme',
      'AuthorizationHeaderMalformed',
      ({ headers }) => {
        headers.authorization = 'Bearer local-dev-token';
      },
    ],
    [
      'no signature',
      'AccessDenied',
      ({ headers }) => {
        delete headers.authorization;
      },
    ],
  ];
  it.each(refusals)('are refused with %s: %s', async (_, name, tamper) => {
    const { endpoint, objects } = await anObjectStore();
    await expect(put(clientAt({ endpoint, tamper }))).rejects.toMatchObject({ name });
    expect(await keysOf(objects)).toEqual([]);
  });

  it('are refused with other keys and for another region', async () => {
    const { endpoint } = await anObjectStore();
    await expect(put(clientAt({ endpoint, zone: 'eu-west-9' }))).rejects.toMatchObject({
      name: 'AuthorizationHeaderMalformed',
    });
    const other = { ...credentials, secretAccessKey: 'other' };
    await expect(put(clientAt({ endpoint, keys: other }))).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    const unknown = { ...credentials, accessKeyId: 'other' };
    await expect(put(clientAt({ endpoint, keys: unknown }))).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    });
  });
});

const operatorOf = ({ url }: Api, secretAccessKey: string) =>
  clientAt({ endpoint: `${url}/s3`, zone: 'us-east-1', keys: { accessKeyId: 'local', secretAccessKey } });

describe('an operator of the local service', () => {
  const api = useApi();

  it('drops a contact file into the bucket with S3’s own tools', async () => {
    const { id } = await api.aDataSource();
    const client = operatorOf(api, accessToken);
    await put(client, 'phoneNumber\n123\nbad\n', `imports/${id}/june.csv`, 'outbound');
    const result = new GetObjectCommand({ Bucket: 'outbound', Key: `imports/${id}/june.csv.result.json` });
    let text: string | undefined;
    await until(async () => {
      text = await client.send(result).then(
        ({ Body }) => Body?.transformToString(),
        () => undefined,
      );
      return text !== undefined;
    });
    expect(JSON.parse(text!)).toMatchObject({
      status: 'DONE',
      importCount: 2,
      successCount: 1,
      failCount: 1,
    });
    const listed = async () => succeeded(await api.get(`/api/dataSource/${id}/contacts`)).rows;
    // The report comes just before the contacts show.
    await until(async () => (await listed()).length > 0);
    expect(await listed()).toMatchObject([{ phoneNumber: '123' }]);
  });
});

describe('the bucket of a local service with an access token of its own', () => {
  const api = useApi({ accessToken: 'a-token-of-our-own' });
  const file = { Bucket: 'outbound', Key: 'kept/june.csv' };

  it('opens to that token and to no key that anybody knows', async () => {
    const operator = operatorOf(api, 'a-token-of-our-own');
    await put(operator, 'phoneNumber\n123\n', file.Key, file.Bucket);
    const { Body } = await operator.send(new GetObjectCommand(file));
    expect(await Body?.transformToString()).toBe('phoneNumber\n123\n');
    for (const known of ['local', accessToken]) {
      const stranger = operatorOf(api, known).send(new GetObjectCommand(file));
      await expect(stranger).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    }
  });
});
