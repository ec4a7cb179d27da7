import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { accessToken, useApi } from '../../support/service/api.ts';

describe('an answer', () => {
  const api = useApi();

  /** Without a client that decompresses. */
  const get = (path: string, acceptEncoding?: string) =>
    new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${accessToken}`,
        ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
      };
      const sent = request(`${api.url}${path}`, { headers }, async (response) =>
        resolve({ headers: response.headers, bytes: await buffer(response) }),
      );
      sent.on('error', reject).end();
    });

  const aList = async (contactCount: number) => {
    const { id } = await api.aDataSource();
    for (let i = 0; i < contactCount; i++) await api.aContact(id);
    return `/api/dataSource/${id}/contacts?pageSize=50`;
  };

  it('of 1 KB is compressed for clients that accept gzip, and for no others', async () => {
    const path = await aList(10);
    const plain = await get(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.bytes.length).toBeGreaterThan(1024);
    for (const accepted of ['gzip', 'deflate, GZIP;q=0.5', 'br, gzip, deflate']) {
      const { headers, bytes } = await get(path, accepted);
      expect(headers['content-encoding']).toBe('gzip');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(gunzipSync(bytes)).toEqual(plain.bytes);
    }
    for (const accepted of ['gzip;q=0', 'br', 'identity', '']) {
      const { headers, bytes } = await get(path, accepted);
      expect(headers['content-encoding']).toBeUndefined();
      expect(bytes).toEqual(plain.bytes);
    }
  });

  it('of less than 1 KB is sent as it is', async () => {
    const { headers, bytes } = await get(await aList(1), 'gzip');
    expect(headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 0, data: { total: 1 } });
  });
});
