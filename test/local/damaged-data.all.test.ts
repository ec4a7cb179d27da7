import { cp, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isWholeTable } from '../../local/dynamodb/folder-check/level-files.ts';
import { dataDamage } from '../../local/folder-format.ts';
import { startChecking } from '../../local/schedules.ts';
import { startService } from '../../local/service.ts';
import { settingsFrom } from '../../local/settings.ts';
import { Api } from '../support/service/api.ts';

const start = (DATA_DIR: string, more: Record<string, string> = {}) =>
  startService(settingsFrom({ PORT: '0', DATA_DIR, ...more }));

const namesOf = async (folder: string, more?: Record<string, string>): Promise<number> => {
  const service = await start(folder, more);
  const api = new Api();
  api.attach(service.url, service.close);
  const { body } = await api.get('/api/dataSource/list?pageSize=500');
  await api.stop();
  return (body.data as { total: number }).total;
};

const fileIn = async (folder: string, name: RegExp) => {
  const table = path.join(folder, 'dynamodb');
  const found = (await readdir(table)).find((each) => name.test(each));
  return path.join(table, found!);
};
const logIn = (folder: string) => fileIn(folder, /\.log$/);

const copyOf = async (whole: string) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'damaged-data-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(whole, folder, { recursive: true });
  return folder;
};

const expectRefused = async (folder: string, words: RegExp) => {
  await expect(start(folder)).rejects.toThrow(words);
  await expect(start(folder)).rejects.toThrow(/^DATA_DIR cannot be used: [^\n]*DATA_LOSS=accept[^\n]*$/);
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

  const aCopy = () => copyOf(whole);

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
    await expectRefused(folder, /\.log is missing/);
    expect(await namesOf(folder, { DATA_LOSS: 'accept' })).toBeTypeOf('number');
  });

  it('is missing with all the rest of the table is refused', async () => {
    const folder = await aCopy();
    await rm(path.join(folder, 'dynamodb'), { recursive: true });
    await expectRefused(folder, /folder dynamodb is missing/);
    expect(await namesOf(folder, { DATA_LOSS: 'accept' })).toBe(0);
  });

  it.each([0.9, 0.5, 0.1, 0])('was cut to %d of it after a clean stop is refused', async (share) => {
    const folder = await aCopy();
    const log = await logIn(folder);
    const bytes = await readFile(log);
    await writeFile(log, bytes.subarray(0, bytes.length * share));
    await expectRefused(folder, /its file \d+\.log has \d+ bytes instead of \d+/);
    expect(await namesOf(folder, { DATA_LOSS: 'accept' })).toBeLessThan(30);
    // What is left is a whole folder again.
    expect(await namesOf(folder)).toBeLessThan(30);
  });

  it('was cut after the service was killed is refused, unless its last writes were cut', async () => {
    const folder = await aCopy();
    const service = await start(folder);
    const api = new Api();
    api.attach(service.url, service.close);
    await api.post('/api/dataSource/add', { dataSourceName: 'one more' });
    const log = await logIn(folder);
    const { size } = await stat(log);
    const recordIn = (dataDir: string) => path.join(dataDir, 'dynamodb-files.json');
    const recorded = async () => JSON.parse(await readFile(recordIn(folder), 'utf8'));
    await expect.poll(recorded).toMatchObject({ isClosed: false, sizes: { [path.basename(log)]: size } });
    const record = await readFile(recordIn(folder));
    await api.post('/api/dataSource/add', { dataSourceName: 'not recorded yet' });
    // As a service that is killed leaves it: nothing is closed.
    const killed = await copyOf(folder);
    await api.stop();
    await writeFile(recordIn(killed), record);
    const left = await logIn(killed);
    const bytes = await readFile(left);
    await writeFile(left, bytes.subarray(0, size));
    expect(await namesOf(await copyOf(killed))).toBe(31);
    await writeFile(left, bytes.subarray(0, size - 1));
    await expectRefused(killed, /its file \d+\.log has \d+ bytes instead of \d+/);
  });

  it('was cut off by the end of the machine is opened with what it holds', async () => {
    const folder = await aCopy();
    await rm(path.join(folder, 'dynamodb-files.json'));
    const log = await logIn(folder);
    const bytes = await readFile(log);
    await writeFile(log, bytes.subarray(0, bytes.length - 20));
    expect(await namesOf(folder)).toBe(29);
  });

  it('is whole is opened', async () => {
    expect(await namesOf(await aCopy())).toBe(30);
  });
});

describe('a data folder with table files', () => {
  let whole = '';

  beforeAll(async () => {
    whole = await mkdtemp(path.join(os.tmpdir(), 'whole-tables-'));
    const service = await start(whole);
    const api = new Api();
    api.attach(service.url, service.close);
    const { id } = await api.aDataSource();
    const contacts = Array.from({ length: 1000 }, (_, i) => ({
      phoneNumber: `1380013${1000 + i}`,
      note: `${i} ${'lorem ipsum '.repeat(i % 40)}`,
    }));
    await api.post(`/api/dataSource/${id}/contact/batchAdd`, { contacts });
    await api.stop();
    // LevelDB writes its log to a table file when it is opened again.
    await (await start(whole)).close();
    return () => rm(whole, { recursive: true });
  });

  it('is opened', async () => {
    expect(await namesOf(await copyOf(whole))).toBe(1);
  });

  it('is refused where one bit of a table file is flipped, anywhere in it', async () => {
    const folder = await copyOf(whole);
    const file = await fileIn(folder, /\.ldb$/);
    const bytes = await readFile(file);
    const footerPadding = { from: bytes.length - 48 + 8, to: bytes.length - 8 };
    const positions = 200;
    for (let i = 0; i < positions; i++) {
      const at = Math.floor(((i + 0.5) / positions) * bytes.length);
      // The footer is filled up with bytes that no program reads.
      if (at >= footerPadding.from && at < footerPadding.to) continue;
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (i % 8);
      expect([at, isWholeTable(flipped)]).toEqual([at, false]);
    }
    for (const at of [0.1, 0.5, 0.9]) {
      const flipped = Buffer.from(bytes);
      flipped[Math.floor(bytes.length * at)]! ^= 1;
      await writeFile(file, flipped);
      await expectRefused(folder, /its file \d+\.ldb is damaged/);
    }
  });

  it.each([
    ['a table file', /\.ldb$/],
    ['the manifest', /^MANIFEST/],
    ['the log', /\.log$/],
  ])('is refused where %s is missing or cut, in one line', async (_, name) => {
    const folder = await copyOf(whole);
    const file = await fileIn(folder, name);
    const bytes = await readFile(file);
    if (bytes.length > 0) {
      await writeFile(file, bytes.subarray(0, bytes.length / 2));
      await expectRefused(folder, /its file \S+ has \d+ bytes instead of \d+/);
    }
    await rm(file);
    await expectRefused(folder, /its file \S+ is missing/);
    // Also where the service was killed, and left no record of its files.
    await rm(path.join(folder, 'dynamodb-files.json'));
    await expectRefused(folder, /is missing/);
  });

  it('is found damaged while it is open, and whole as long as it is', async () => {
    const folder = await copyOf(whole);
    const service = await start(folder);
    onTestFinished(service.close);
    const api = new Api();
    api.attach(service.url, async () => {});
    let checks = 0;
    const problems: string[] = [];
    const check = async () => {
      const problem = await dataDamage(folder);
      checks += 1;
      return problem;
    };
    const checking = startChecking(check, (problem) => problems.push(problem), 5);
    onTestFinished(checking.stop);
    const { id } = await api.aDataSource({ dataSourceName: 'written meanwhile' });
    // Files come and go meanwhile.
    for (let i = 0; i < 20; i++) {
      const contacts = Array.from({ length: 1000 }, (_, j) => ({
        phoneNumber: `139${10_000_000 + i * 1000 + j}`,
      }));
      await api.post(`/api/dataSource/${id}/contact/batchAdd`, { contacts });
    }
    const before = checks;
    await expect.poll(() => checks).toBeGreaterThan(before + 1);
    expect(problems).toEqual([]);
    // All of them: a file that was merged into another may still be there, and is not looked at.
    const table = path.join(folder, 'dynamodb');
    for (const name of (await readdir(table)).filter((each) => each.endsWith('.ldb'))) {
      const bytes = await readFile(path.join(table, name));
      const at = bytes.length >> 1;
      // In its place: LevelDB has the file in its memory, and would die if it were written anew,
      // which empties it first.
      const file = await open(path.join(table, name), 'r+');
      await file.write(Buffer.of(bytes[at]! ^ 1), 0, 1, at);
      await file.close();
    }
    await expect.poll(() => problems[0]).toMatch(/^its file \d{6}\.ldb is damaged$/);
  });
});
