import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startService } from '../../local/service.ts';
import { developmentToken, SettingError, settingsFrom } from '../../local/settings.ts';
import { ServiceClient } from '../../local/simulation/service-client.ts';
import { log } from '../../shared/platform/observability/log.ts';

const aFolder = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'settings-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
const refused = (message: RegExp) => expect.objectContaining({ message: expect.stringMatching(message) });

describe('settings', () => {
  it('have their defaults where a variable is absent or empty', () => {
    const defaults = {
      port: 3000,
      host: '127.0.0.1',
      allowedHosts: [],
      dataDir: '.data',
      accessToken: 'local-dev-token',
      acceptsDataLoss: false,
      forcesWrites: false,
      timeZone: 'UTC',
      country: '',
      maxCallsPerNumberPerDay: 0,
      callLimits: [],
      restAfterSuccess: 0,
      maxConcurrentCalls: 0,
      keepCallsDays: 0,
      importMaxRows: 10_000,
    };
    expect(settingsFrom({})).toEqual(defaults);
    const empty = { PORT: '', HOST: '', DATA_DIR: '', LOCAL_ACCESS_TOKEN: '', SERVICE_TIME_ZONE: '' };
    expect(settingsFrom(empty)).toEqual(defaults);
    expect(settingsFrom({ ALLOWED_HOSTS: ' a, ,b' }).allowedHosts).toEqual(['a', 'b']);
  });

  it.each(['abc', '-1', '65536', '1.5', '0x50', ' 80', '１'])('refuse the port %j', (PORT) => {
    expect(() => settingsFrom({ PORT })).toThrow(SettingError);
    expect(() => settingsFrom({ PORT })).toThrow(/^PORT must be/);
  });

  it('force each write to the disk only where the setting says so, and refuse what may be meant so', () => {
    expect(settingsFrom({ DATA_SYNC: 'always' }).forcesWrites).toBe(true);
    expect(() => settingsFrom({ DATA_SYNC: 'true' })).toThrow('DATA_SYNC must be always, not "true"');
  });

  it('take hours that hold for every task, and refuse what is no part of a day', () => {
    const hours = (text: string) => settingsFrom({ CALLING_HOURS: text }).callingHours;
    expect(hours('08:00-21:00')).toEqual({ start: '08:00', end: '21:00' });
    expect(hours('00:00-24:00')).toEqual({ start: '00:00', end: '24:00' });
    const disordered = ['21:00-08:00', '08:00-08:00', '24:00-24:00'];
    const malformed = ['8-21', '08:00', '08:00-25:00', '108:00-21:00', '08:00-21:000', 'x'];
    for (const wrong of [...disordered, ...malformed]) {
      expect(() => hours(wrong)).toThrow(/^CALLING_HOURS must be two times of a day such as 08:00-21:00/);
    }
  });

  it('take limits on the calls to a number, and refuse what is none', () => {
    const limits = (text: string) => settingsFrom({ CALL_LIMITS: text }).callLimits;
    expect(limits('3/1440, 7/10080')).toEqual([
      { calls: 3, minutes: 1440 },
      { calls: 7, minutes: 10_080 },
    ]);
    expect(limits('1000/43200,1/1,2/2,3/3')).toHaveLength(4);
    const tooMany = '1/1,2/2,3/3,4/4,5/5';
    for (const wrong of [
      '3',
      '0/60',
      '1001/60',
      '1/0',
      '1/43201',
      '1/60,2/60',
      tooMany,
      '1/60;2/70',
      '-1/60',
      ',',
    ])
      expect(() => limits(wrong)).toThrow(/^CALL_LIMITS must be at most 4 of calls\/minutes such as [^\n]+$/);
    expect(settingsFrom({ REST_AFTER_SUCCESS: '8784' }).restAfterSuccess).toBe(8784);
    for (const wrong of ['8785', '-1', '1.5', 'x'])
      expect(() => settingsFrom({ REST_AFTER_SUCCESS: wrong })).toThrow(/^REST_AFTER_SUCCESS must be/);
  });

  it.each([
    ['MAX_CALLS_PER_NUMBER_PER_DAY', 'maxCallsPerNumberPerDay', 0],
    ['MAX_CONCURRENT_CALLS', 'maxConcurrentCalls', 0],
    ['KEEP_CALLS_DAYS', 'keepCallsDays', 0],
    ['IMPORT_MAX_ROWS', 'importMaxRows', 1],
  ] as const)('take a whole number of %s, and refuse what is none or too small', (name, setting, least) => {
    for (const number of [least, 1000])
      expect(settingsFrom({ [name]: String(number) })[setting]).toBe(number);
    for (const wrong of [String(least - 1), '1.5', 'x', '1'.repeat(10)])
      expect(() => settingsFrom({ [name]: wrong })).toThrow(`${name} must be a whole number from ${least}`);
  });

  it('refuse an unknown time zone and a token that no header can carry', () => {
    expect(() => settingsFrom({ SERVICE_TIME_ZONE: 'Mars/Olympus' })).toThrow(/^SERVICE_TIME_ZONE must be/);
    expect(() => settingsFrom({ SERVICE_COUNTRY: 'China' })).toThrow(/^SERVICE_COUNTRY must be/);
    for (const token of ['two words', 'line\nbreak']) {
      expect(() => settingsFrom({ LOCAL_ACCESS_TOKEN: token })).toThrow(/^LOCAL_ACCESS_TOKEN must/);
    }
  });
});

describe('the service says in one line', () => {
  const start = (env: Record<string, string>) =>
    startService(settingsFrom({ PORT: '0', DATA_DIR: ':memory:', ...env }));

  it('that it cannot have the address', async () => {
    await expect(start({ HOST: '203.0.113.1' })).rejects.toThrow(refused(/^cannot listen on 203\.0\.113\.1/));
  });

  it('that DATA_DIR is no folder', async () => {
    const file = path.join(await aFolder(), 'file');
    await writeFile(file, '');
    await expect(start({ DATA_DIR: file })).rejects.toThrow(refused(/^DATA_DIR cannot be used: [^\n]+$/));
  });

  it('that the signing key in DATA_DIR is none, and has left nothing running', async () => {
    const complaint = vi.spyOn(log, 'error').mockImplementation(() => {});
    onTestFinished(() => complaint.mockRestore());
    const folder = await aFolder();
    // So many unfinished imports that a sweep of them would still be under way when the start
    // fails.
    const before = await start({ DATA_DIR: folder });
    const client = new ServiceClient(before.url, developmentToken);
    const { id } = await client.request<{ id: string }>('POST', '/api/dataSource/add', {
      dataSourceName: 'd',
    });
    for (let i = 0; i < 20; i++) {
      const file = { fileName: 'contacts.csv', fileSize: 10 };
      await client.request('POST', `/api/dataSource/${id}/contact/importUpload`, file);
    }
    await before.close();
    await writeFile(path.join(folder, 'signing-key.pem'), 'no key');
    await expect(start({ DATA_DIR: folder })).rejects.toThrow(
      refused(/^DATA_DIR cannot be used: signing-key\.pem: holds no RSA key/),
    );
    await (await start({ DATA_DIR: ':memory:' })).close();
    expect(complaint).not.toHaveBeenCalled();
  });

  it('that the signing key is none that local tokens can be signed with', async () => {
    const folder = await aFolder();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(
      path.join(folder, 'signing-key.pem'),
      privateKey.export({ type: 'pkcs8', format: 'pem' }),
    );
    await expect(start({ DATA_DIR: folder })).rejects.toThrow(refused(/signing-key\.pem: holds no RSA key/));
  });

  it('that there is a file in the place of the folder imports', async () => {
    const folder = await aFolder();
    await writeFile(path.join(folder, 'imports'), '');
    await expect(start({ DATA_DIR: folder })).rejects.toThrow(SettingError);
    await expect(start({ DATA_DIR: folder })).rejects.toThrow(refused(/^DATA_DIR cannot be used: [^\n]+$/));
  });

  it('that no folder can be made there', async () => {
    const file = path.join(await aFolder(), 'file');
    await writeFile(file, '');
    const DATA_DIR = path.join(file, 'folder');
    await expect(start({ DATA_DIR })).rejects.toThrow(refused(/^DATA_DIR cannot be used: [^\n]+$/));
  });

  it('that another service uses DATA_DIR, and can have it afterwards', async () => {
    const DATA_DIR = await aFolder();
    const first = await start({ DATA_DIR });
    await expect(start({ DATA_DIR })).rejects.toThrow(refused(/^DATA_DIR cannot be used: [^\n]+$/));
    await first.close();
    await (await start({ DATA_DIR })).close();
  });
});
