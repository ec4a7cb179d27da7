import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';

describe('the console of the local service', () => {
  const api = useApi({ timeZone: 'Asia/Shanghai' });
  const page = async (path: string) => {
    const response = await fetch(`${api.url}${path}`);
    return { response, text: await response.text() };
  };

  it('is the page at the root and at every address of a screen, never kept', async () => {
    const { response, text } = await page('/');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('<base href="/" />');
    expect(text).toContain('Asia/Shanghai');
    const app = await readFile('console/src/frame/app.tsx', 'utf8');
    const screens = [...app.matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path);
    expect(screens).toContain('/tasks/:id/contacts');
    for (const screen of screens) {
      const found = await page(`${screen.replace(':id', '4k9x2m7q8t3vbn5c')}?outcome=failed`);
      expect([screen, found.response.status, found.text === text]).toEqual([screen, 200, true]);
    }
  });

  it('allows no script but its own', async () => {
    const { response, text } = await page('/');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(text.match(/<script(?![^>]* src="\.\/assets\/)[^>]*>/g)).toBeNull();
    expect(text).not.toMatch(/<style|style=|\son\w+=/);
  });

  it('has parts whose names change with their content, kept for a year, zipped where that is understood', async () => {
    const { text } = await page('/');
    const parts = [...text.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map((found) => found[1]);
    expect(parts.length).toBeGreaterThanOrEqual(2);
    let zippedBytes = 0;
    for (const part of parts) {
      const response = await fetch(`${api.url}/${part}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(response.status).toBe(200);
      expect(part).toMatch(/-[\w-]{8}\.\w+$/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-encoding')).toBe('gzip');
      zippedBytes += Number(response.headers.get('content-length'));
      expect(await response.text()).not.toBe('');
    }
    // What a first visit loads, with scripts and styles.
    expect(zippedBytes).toBeGreaterThan(10_000);
    expect(zippedBytes, `${zippedBytes} B`).toBeLessThanOrEqual(100_000);
  });

  it('tells whether it is there without being sent', async () => {
    for (const path of ['/', '/docs']) {
      const whole = await page(path);
      const response = await fetch(`${api.url}${path}`, { method: 'HEAD' });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
      for (const name of ['content-type', 'content-length'])
        expect(response.headers.get(name)).toBe(whole.response.headers.get(name));
    }
    expect((await fetch(`${api.url}/api/task/list`, { method: 'HEAD' })).status).toBe(405);
  });

  it('is shown to a browser that opens an unknown address outside the API', async () => {
    const opened = (path: string) => fetch(`${api.url}${path}`, { headers: { accept: 'text/html,*/*' } });
    const response = await opened('/nothing');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<base href="/" />');
    expect((await opened('/api/nothing')).headers.get('content-type')).toContain('application/json');
  });

  it('leaves every other path to the API', async () => {
    expect((await api.send({ path: '/nothing' })).status).toBe(404);
    expect((await api.send({ path: '/assets/nothing-12345678.js' })).status).toBe(404);
    expect((await api.send({ method: 'POST', path: '/' })).status).toBe(404);
  });
});
