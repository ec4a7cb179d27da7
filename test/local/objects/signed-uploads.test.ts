import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SignedUploads } from '../../../local/objects/signed-uploads.ts';
import { maxFileBytes } from '../../../shared/platform/rules/files.ts';
import { type Api, accessToken, startApi, succeeded } from '../../support/service/api.ts';
import { aFolder, filesIn, until } from '../../support/service/object-store.ts';

const run = promisify(execFile);
const minuteMs = 60_000;

let api: Api;
let dataDir: string;
let late = 0;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'signed-uploads-'));
  api = await startApi({ dataDir, now: () => Date.now() + late });
});
afterAll(async () => {
  await api.stop();
  await rm(dataDir, { recursive: true });
});

/** An address for a file of that size, in a data source of its own. */
const anUpload = async (size: number) => {
  const id = String((await api.aDataSource()).id);
  const upload = succeeded(
    await api.post(`/api/dataSource/${id}/contact/importUpload`, { fileName: 'a b.csv', fileSize: size }),
  );
  const importId = String(upload.importId);
  const status = async () =>
    String(succeeded(await api.get(`/api/dataSource/${id}/contact/import/${importId}`)).status);
  const folder = path.join(dataDir, 'imports', id);
  const stored = async () => (existsSync(folder) ? filesIn(folder) : 0);
  return { id, importId, url: String(upload.uploadUrl), status, stored };
};

type Told = { status: number; message: string };
const told = async (response: Response): Promise<Told> => ({
  status: response.status,
  message: ((await response.json()) as { message: string }).message,
});
const put = async (url: string, body: string | Buffer | ReadableStream, init: RequestInit = {}) =>
  told(await fetch(url, { method: 'PUT', body: body as never, ...init }));

const rows = 'phoneNumber\n123\n';
const wrongSignature = {
  status: 403,
  message: 'the signature does not match the upload address; use the address exactly as it was given',
};

describe('an upload address', () => {
  it.each([16, 3 * 1024 * 1024, maxFileBytes])('takes a file from plain curl (%i bytes)', async (size) => {
    const { id, importId, url, status } = await anUpload(size);
    const file = path.join(await aFolder(), 'contacts.csv');
    await writeFile(file, size === 16 ? rows : randomBytes(size));
    const { stdout } = await run('curl', ['-sS', '--fail', '-w', '%{http_code}', '-T', file, url]);
    expect(stdout).toBe('200');
    const stored = path.join(dataDir, 'imports', id, importId, 'a_b.csv');
    await run('cmp', [file, stored]);
    await until(async () => ['DONE', 'FAILED'].includes(await status()));
    expect(await status()).toBe(size === 16 ? 'DONE' : 'FAILED');
  });

  it.each([-1, 1, -16])('refuses a file of another size (%i bytes more)', async (more) => {
    const { url, status, stored } = await anUpload(16);
    expect(await put(url, Buffer.alloc(16 + more))).toEqual({
      status: 403,
      message: `the upload address takes exactly 16 bytes; the length sent is ${16 + more}`,
    });
    expect(await stored()).toBe(0);
    expect(await status()).toBe('WAITING');
  });

  it('answers its refusal to a client that is still sending a large file', async () => {
    const { url } = await anUpload(16);
    const { status, message } = await put(url, Buffer.alloc(20 * 1024 * 1024));
    expect([status, message]).toEqual([403, expect.stringContaining('takes exactly 16 bytes')]);
  });

  it('refuses a body without a length', async () => {
    const { url, stored } = await anUpload(16);
    const body = new Blob([rows]).stream();
    expect(await put(url, body, { duplex: 'half' } as RequestInit)).toEqual({
      status: 403,
      message: 'the upload address takes exactly 16 bytes; the length sent is unknown',
    });
    expect(await stored()).toBe(0);
  });

  it('refuses what was tampered with, and takes the file after that', async () => {
    const { id, url, status, stored } = await anUpload(16);
    const edited = (edit: (target: URL) => void) => {
      const target = new URL(url);
      edit(target);
      return target.href;
    };
    const tampered = [
      edited((target) => {
        target.pathname = target.pathname.replace('a_b.csv', 'other.csv');
      }),
      edited((target) => {
        target.pathname = '/upload/dynamodb/CURRENT';
      }),
      edited((target) => {
        target.pathname = `/upload/imports/${id}/..%2f..%2f..%2fescape`;
      }),
      edited((target) => {
        target.pathname = '/upload/%ff';
      }),
      edited((target) => target.searchParams.set('size', '17')),
      edited((target) => target.searchParams.set('expires', String(Date.now()))),
      edited((target) => target.searchParams.set('signature', '0'.repeat(64))),
      edited((target) => target.searchParams.set('signature', 'no hex')),
      edited((target) => target.searchParams.delete('signature')),
      edited((target) => target.searchParams.delete('expires')),
      edited((target) => {
        target.search = '';
      }),
    ];
    for (const target of tampered) expect(await put(target, rows)).toEqual(wrongSignature);
    expect(await stored()).toBe(0);
    expect((await fetch(url, { method: 'PUT', body: rows })).status).toBe(200);
    await until(async () => (await status()) === 'DONE');
  });

  it('serves nothing: every other method is refused, before and after the upload', async () => {
    const { url, id, importId } = await anUpload(16);
    const expectRefused = async () => {
      for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'OPTIONS']) {
        const response = await fetch(url, { method });
        expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'PUT']);
        expect(await response.text()).not.toContain('phoneNumber');
      }
    };
    await expectRefused();
    expect((await fetch(url, { method: 'PUT', body: rows })).status).toBe(200);
    await expectRefused();
    const { origin } = new URL(url);
    for (const folder of ['imports', 'upload/imports', 's3/outbound/imports']) {
      const response = await fetch(`${origin}/${folder}/${id}/${importId}/a_b.csv`);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    }
    expect(await filesIn(path.join(dataDir, 'imports', id, importId))).toBeGreaterThan(0);
  });

  it('expires', async () => {
    const { url, status } = await anUpload(16);
    late += 14 * minuteMs;
    expect((await fetch(url, { method: 'PUT', body: rows })).status).toBe(200);
    await until(async () => (await status()) === 'DONE');
    late += minuteMs + 1000;
    expect(await put(url, rows)).toEqual({
      status: 403,
      message: 'the upload address has expired; request a new one',
    });
  });

  it('leaves nothing when the connection ends in the middle of the body', async () => {
    const size = 1_000_000;
    const { url, status, stored } = await anUpload(size);
    const { host, port, pathname, search } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${size}\r\n\r\n`);
    socket.write(Buffer.alloc(300_000));
    const staging = path.join(dataDir, 'staging');
    await until(async () => (await filesIn(staging)) === 1);
    socket.destroy();
    await until(async () => (await filesIn(staging)) === 0);
    expect(await stored()).toBe(0);
    expect(await status()).toBe('WAITING');
  });

  it('of a service with an access token of its own is signed with that token', async () => {
    const own = 'a-token-of-our-own';
    const { url } = await anUploadWith(own);
    const key = decodeURIComponent(new URL(url).pathname.slice('/upload/'.length));
    const signedWith = (secret: string) =>
      new SignedUploads({ origin: new URL(url).origin, secret, now: Date.now }).sign({
        key,
        size: 16,
        expiresInSeconds: 60,
      }).url;
    for (const known of ['local', accessToken, '']) {
      expect(await put(signedWith(known), rows)).toEqual(wrongSignature);
    }
    expect((await fetch(signedWith(own), { method: 'PUT', body: rows })).status).toBe(200);
  });
});

/** `Api` itself sends the usual token. */
const anUploadWith = async (token: string) => {
  const own = await startApi({ accessToken: token });
  onTestFinished(() => own.stop());
  const post = async (address: string, body: object) => {
    const response = await fetch(`${own.url}${address}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { data: Record<string, string> }).data;
  };
  const { id } = await post('/api/dataSource/add', { dataSourceName: 'own' });
  const upload = { fileName: 'x.csv', fileSize: 16 };
  const { uploadUrl = '' } = await post(`/api/dataSource/${id}/contact/importUpload`, upload);
  return { url: uploadUrl };
};
