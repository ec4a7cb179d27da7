import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../../local/service.ts';
import { settingsFrom } from '../../local/settings.ts';
import { Api } from '../support/service/api.ts';

const start = (DATA_DIR: string, more: Record<string, string> = {}) =>
  startService(settingsFrom({ PORT: '0', DATA_DIR, ...more }));

const namesOf = async (folder: string, more?: Record<string, string>): Promise<unknown> => {
  const service = await start(folder, more);
  const api = new Api();
  api.attach(service.url, service.close);
  const { body } = await api.get('/api/dataSource/list?pageSize=500');
  await api.stop();
  return (body.data as { total: number }).total;
};

const logIn = async (folder: string) => {
  const table = path.join(folder, 'dynamodb');
  const name = (await readdir(table)).find((each) => each.endsWith('.log'))!;
  return path.join(table, name);
};

describe('a data folder whose write-ahead log', () => {
  let whole = '';

  beforeAll(async () => {
    whole = await mkdtemp(path.join(os.tmpdir(), 'whole-data-'));
    const service = await start(whole);
    const api = new Api();
    api.attach(service.url, service.close);
    for (let i = 0; i < 30; i++) await api.post('/api/dataSource/add', { dataSourceName: `list ${i}` });
    await api.stop();
    return () => rm(whole, { recursive: true });
  });

  const aCopy = async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'damaged-data-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(whole, folder, { recursive: true });
    return folder;
  };

  const expectRefused = async (folder: string, words: RegExp) => {
    await expect(start(folder)).rejects.toThrow(words);
    await expect(start(folder)).rejects.toThrow(/^DATA_DIR cannot be used: [^\n]*DATA_LOSS=accept[^\n]*$/);
  };

  it.each([0.02, 0.25, 0.5, 0.75, 0.98])(
    'has one flipped bit at %d of it is refused in one line',
    async (at) => {
      const folder = await aCopy();
      const log = await logIn(folder);
      const bytes = await readFile(log);
      bytes[Math.floor(bytes.length * at)]! ^= 4;
      await writeFile(log, bytes);
      await expectRefused(folder, /write-ahead log \d+\.log is damaged/);
      expect(await namesOf(folder, { DATA_LOSS: 'accept' })).toBeTypeOf('number');
    },
  );

  it('is missing is refused', async () => {
    const folder = await aCopy();
    await rm(await logIn(folder));
    await expectRefused(folder, /write-ahead log is missing/);
    expect(await namesOf(folder, { DATA_LOSS: 'accept' })).toBeTypeOf('number');
  });

  it('is missing with all the rest of the table is refused', async () => {
    const folder = await aCopy();
    await rm(path.join(folder, 'dynamodb'), { recursive: true });
    await expectRefused(folder, /folder dynamodb is missing/);
    expect(await namesOf(folder, { DATA_LOSS: 'accept' })).toBe(0);
  });

  it('was cut off by the end of the machine is opened with what it holds', async () => {
    const folder = await aCopy();
    const log = await logIn(folder);
    const bytes = await readFile(log);
    await writeFile(log, bytes.subarray(0, bytes.length - 20));
    expect(await namesOf(folder)).toBe(29);
  });

  it('is whole is opened', async () => {
    expect(await namesOf(await aCopy())).toBe(30);
  });
});
