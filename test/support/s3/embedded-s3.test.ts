import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectAclCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { s3Client } from '../../../shared/store/objects/s3-client.ts';
import {
  aFolder,
  anObjectStore,
  anUpload,
  bucketName,
  credentials,
  filesIn,
  keysOf,
  region,
  until,
} from '../service/object-store.ts';
import type { ObjectCreated } from './object-created.ts';

const run = promisify(execFile);
const Bucket = bucketName;
const codeOf = async (response: Response) => /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];

describe('presigned URLs over HTTP', () => {
  it.each([5, 3 * 1024 * 1024])('take a file from plain curl (%i bytes)', async (size) => {
    const { objects } = await anObjectStore();
    const file = path.join(await aFolder(), 'contacts.csv');
    const bytes = randomBytes(size);
    await writeFile(file, bytes);
    const { url } = await objects.presignUpload(anUpload('imports/ds 1/ä+b&c=d.csv', size));
    const { stdout } = await run('curl', ['-sS', '--fail', '-w', '%{http_code}', '-T', file, url]);
    expect(stdout).toBe('200');
    expect(Buffer.from(await objects.get('imports/ds 1/ä+b&c=d.csv')).equals(bytes)).toBe(true);
  });

  it.each([-1, 1, -5])('refuse a file of another size (%i bytes more)', async (more) => {
    const { objects } = await anObjectStore();
    const { url } = await objects.presignUpload(anUpload('k', 5));
    const response = await fetch(url, { method: 'PUT', body: Buffer.alloc(5 + more) });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/xml');
    expect(await codeOf(response)).toBe('SignatureDoesNotMatch');
    expect(await keysOf(objects)).toEqual([]);
  });

  it('answer a refusal to a client that is still sending a large file', async () => {
    const { objects } = await anObjectStore();
    const { url } = await objects.presignUpload(anUpload('k', 5));
    const response = await fetch(url, { method: 'PUT', body: Buffer.alloc(20 * 1024 * 1024) });
    expect(await codeOf(response)).toBe('SignatureDoesNotMatch');
  });

  it('refuse a body without a length', async () => {
    const { objects, client } = await anObjectStore();
    const { url } = await objects.presignUpload(anUpload('k', 5));
    const chunked = async (target: string) => {
      const body = new Blob(['12345']).stream();
      return codeOf(await fetch(target, { method: 'PUT', body, duplex: 'half' }));
    };
    expect(await chunked(url)).toBe('SignatureDoesNotMatch');
    const anySize = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'k' }));
    expect(await chunked(anySize)).toBe('MissingContentLength');
    expect(await keysOf(objects)).toEqual([]);
  });

  it('refuse what was tampered with', async () => {
    const { objects } = await anObjectStore();
    const { url } = await objects.presignUpload(anUpload('mine', 5));
    const put = async (target: string, init: RequestInit = {}) => {
      const response = await fetch(target, { method: 'PUT', body: '12345', ...init });
      return [response.status, await codeOf(response)];
    };
    const edited = (edit: (target: URL) => void) => {
      const target = new URL(url);
      edit(target);
      return target.href;
    };
    const other = edited((target) => {
      target.pathname = target.pathname.replace('mine', 'other');
    });
    const longer = edited((target) => target.searchParams.set('X-Amz-Expires', '61'));
    const fewerHeaders = edited((target) => target.searchParams.set('X-Amz-SignedHeaders', 'host'));
    const otherKey = edited((target) =>
      target.searchParams.set('X-Amz-Credential', `X${target.searchParams.get('X-Amz-Credential')}`),
    );
    const forged = edited((target) => target.searchParams.set('X-Amz-Signature', '0'.repeat(64)));
    const extra = edited((target) => target.searchParams.set('uploadId', '1'));
    for (const target of [other, longer, fewerHeaders, forged, extra]) {
      expect(await put(target)).toEqual([403, 'SignatureDoesNotMatch']);
    }
    expect(await put(url, { method: 'DELETE', body: null })).toEqual([403, 'SignatureDoesNotMatch']);
    expect(await put(otherKey)).toEqual([403, 'InvalidAccessKeyId']);
    expect(await put(`${url}&X-Amz-Expires=60`)).toEqual([400, 'InvalidArgument']);
    expect(await put(url, { headers: { 'x-amz-acl': 'public-read' } })).toEqual([403, 'AccessDenied']);
    expect(await put(url.replace(/\?.*/, ''))).toEqual([403, 'AccessDenied']);
    expect(await put(edited((target) => target.searchParams.delete('X-Amz-Expires')))).toEqual([
      400,
      'AuthorizationQueryParametersError',
    ]);
    expect(await keysOf(objects)).toEqual([]);
    expect(await put(url)).toEqual([200, undefined]);
  });

  it('refuse an expired URL and one of the far future', async () => {
    const { client, objects } = await anObjectStore();
    const signed = (offsetMs: number) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket, Key: 'k', ContentLength: 1 }), {
        expiresIn: 60,
        signingDate: new Date(Date.now() + offsetMs),
      });
    for (const [offsetMs, status] of [
      [-61_500, 403],
      [20 * 60_000, 403],
      [-50_000, 200],
    ] as const) {
      const response = await fetch(await signed(offsetMs), { method: 'PUT', body: 'x' });
      expect(response.status).toBe(status);
      if (status === 403) expect(await codeOf(response)).toBe('AccessDenied');
    }
    expect(await keysOf(objects)).toEqual(['k']);
  });

  it('serve GET, HEAD, lists and DELETE', async () => {
    const { client, objects } = await anObjectStore();
    await objects.put('digits', '0123456789', 'text/plain');
    const get = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'digits' }));
    const whole = await fetch(get);
    expect([whole.headers.get('content-type'), await whole.text()]).toEqual(['text/plain', '0123456789']);
    const head = await getSignedUrl(client, new HeadObjectCommand({ Bucket, Key: 'digits' }));
    expect((await fetch(head, { method: 'HEAD' })).headers.get('content-length')).toBe('10');
    const none = await getSignedUrl(client, new HeadObjectCommand({ Bucket, Key: 'none' }));
    expect((await fetch(none, { method: 'HEAD' })).status).toBe(404);
    const list = await getSignedUrl(client, new ListObjectsV2Command({ Bucket, Prefix: 'dig' }));
    expect(await (await fetch(list)).text()).toContain('<Key>digits</Key>');
    const remove = await getSignedUrl(client, new DeleteObjectCommand({ Bucket, Key: 'digits' }));
    expect((await fetch(remove, { method: 'DELETE' })).status).toBe(204);
    expect(await codeOf(await fetch(get))).toBe('NoSuchKey');
  });

  it('leave nothing when the connection ends in the middle of the body', async () => {
    const folder = await aFolder();
    const handled = vi.fn();
    const { objects, endpoint } = await anObjectStore({ path: folder, onObjectCreated: handled });
    const { url } = await objects.presignUpload(anUpload('cut', 1_000_000));
    const { host, port, pathname, search } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000000\r\n\r\n`);
    socket.write(Buffer.alloc(300_000));
    await until(async () => (await filesIn(path.join(folder, 'staging'))) === 1);
    socket.destroy();
    await until(async () => (await filesIn(folder)) === 0);
    expect(await objects.head('cut')).toBeUndefined();
    expect(handled).not.toHaveBeenCalled();
    expect((await fetch(`${endpoint}/${bucketName}/cut`)).status).toBe(403);
  });
});

describe('what is not built', () => {
  it('is refused and stores nothing: aws-chunked bodies, copies, conditions, ranges, sub-resources', async () => {
    const { client, objects } = await anObjectStore();
    const { requestHandler } = client.config;
    const plain = s3Client({
      ...{ region, endpoint: 'http://localhost', credentials, forcePathStyle: true },
      requestHandler,
    });
    const chunking = new S3Client({
      region,
      endpoint: 'http://localhost',
      forcePathStyle: true,
      credentials,
      requestHandler,
      requestStreamBufferSize: 64 * 1024,
      maxAttempts: 1,
    });
    const stream = Readable.from([Buffer.from('12345')]);
    const refused = { name: 'NotImplemented', $metadata: { httpStatusCode: 501 } };
    const put = { Bucket, Key: 'k', Body: '12345' };
    await objects.put('kept', 'kept', 'text/plain');
    await expect(
      chunking.send(new PutObjectCommand({ ...put, Body: stream, ContentLength: 5 })),
    ).rejects.toMatchObject(refused);
    await expect(plain.send(new PutObjectCommand({ ...put, IfNoneMatch: '*' }))).rejects.toMatchObject(
      refused,
    );
    await expect(
      plain.send(new GetObjectCommand({ Bucket, Key: 'kept', Range: 'bytes=-2' })),
    ).rejects.toMatchObject(refused);
    const { body, size } = await objects.open('kept', { start: 1, end: 3 });
    expect([size, (await body.toArray()).join('')]).toEqual([2, 'ep']);
    await expect(
      plain.send(new CopyObjectCommand({ Bucket, Key: 'k', CopySource: `${Bucket}/kept` })),
    ).rejects.toMatchObject(refused);
    await expect(
      plain.send(new PutObjectAclCommand({ Bucket, Key: 'kept', ACL: 'private' })),
    ).rejects.toMatchObject(refused);
    await expect(plain.send(new PutObjectCommand({ ...put, Bucket: 'elsewhere' }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
    expect(await keysOf(objects)).toEqual(['kept']);
    expect(Buffer.from(await objects.get('kept')).toString()).toBe('kept');
  });
});

describe('a throw-away store', () => {
  it('leaves no folder behind after close()', async () => {
    // Where no other test makes one meanwhile.
    const folder = await aFolder();
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { objects, s3 } = await anObjectStore();
    await objects.put('k', 'x', 'text/plain');
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^embedded-s3-/)]);
    await s3.close();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('"Object Created" events', () => {
  it('have the shape of EventBridge, for a put over HTTP and for a multipart upload', async () => {
    const events: ObjectCreated[] = [];
    const { objects } = await anObjectStore({ onObjectCreated: (event) => void events.push(event) });
    const key = 'imports/ds 1/ä.csv';
    const { url } = await objects.presignUpload(anUpload(key, 3));
    await fetch(url, { method: 'PUT', body: 'abc' });
    await until(() => events.length === 1);
    expect(events[0]).toEqual({
      version: '0',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      'detail-type': 'Object Created',
      source: 'aws.s3',
      account: expect.stringMatching(/^\d{12}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region,
      resources: [`arn:aws:s3:::${bucketName}`],
      detail: {
        version: '0',
        bucket: { name: bucketName },
        object: {
          key,
          size: 3,
          etag: '900150983cd24fb0d6963f7d28e17f72',
          sequencer: expect.stringMatching(/^[\dA-F]{16}$/),
        },
        'request-id': expect.any(String),
        requester: expect.stringMatching(/^\d{12}$/),
        'source-ip-address': '127.0.0.1',
        reason: 'PutObject',
      },
    });
    const source = async function* () {
      yield Buffer.alloc(9 * 1024 * 1024);
    };
    await objects.putStream('big', source(), 'text/csv');
    await until(() => events.length === 2);
    expect(events[1]?.detail.reason).toBe('CompleteMultipartUpload');
    expect(events[1]?.detail.object.size).toBe(9 * 1024 * 1024);
  });
});
