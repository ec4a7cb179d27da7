import { appendFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Arrival, Arrivals } from '../../../local/objects/arrivals.ts';
import { DropLedger } from '../../../local/objects/drop-folder.ts';
import { log } from '../../../shared/platform/observability/log.ts';
import { openDiskTable } from '../../support/engines/disk-table.ts';
import { listed, phones } from '../../support/files/contact-files.ts';
import { type Api, startApi, succeeded } from '../../support/service/api.ts';
import { aLocalStore } from '../../support/service/local-store.ts';
import { aFolder, until } from '../../support/service/object-store.ts';

const silenceErrors = () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  return logged;
};

/** A folder with a folder for the files of data source 1. */
const aDataDir = async () => {
  const dataDir = await aFolder();
  await mkdir(path.join(dataDir, 'imports/1'), { recursive: true });
  return dataDir;
};

const fileIn = (dataDir: string, name: string) => path.join(dataDir, 'imports/1', name);

/** Whole at once: time flies here, and half a file would soon count as resting. */
const drop = async (dataDir: string, name: string, content: string) => {
  const draft = path.join(dataDir, 'draft');
  await writeFile(draft, content);
  await rename(draft, fileIn(dataDir, name));
};

/** A store that keeps what arrives, and the keys of it in their order. */
const aStoreIn = async (dataDir: string) => {
  const arrived: Arrival[] = [];
  const { close } = await aLocalStore({ dataDir, onArrived: (arrival) => void arrived.push(arrival) });
  return { arrived, close };
};

/**
 * Drops one more file and waits until it has arrived: whatever was to arrive before it has arrived
 * too.
 */
const markArrives = async (dataDir: string, arrived: readonly Arrival[]) => {
  const name = `mark-${arrived.length}.csv`;
  await drop(dataDir, name, 'phoneNumber\n');
  await until(() => arrived.some(({ key }) => key === `imports/1/${name}`));
  return arrived.filter(({ key }) => !key.includes('mark-')).map(({ key }) => key);
};

describe('a file put into the drop folder of a service', () => {
  const aService = async (dataDir: string) => {
    const api = await startApi({ dataDir, engine: { open: () => openDiskTable(dataDir) } });
    onTestFinished(() => api.stop());
    return api;
  };
  const countOf = async (api: Api, id: unknown) =>
    Number(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount);
  const reportOf = async (file: string) => {
    let report = '';
    await until(async () => {
      report = await readFile(`${file}.result.json`, 'utf8').catch(() => '');
      return report !== '';
    });
    return JSON.parse(report) as Record<string, unknown>;
  };

  it('is imported, with its report beside it, however long its name is', async () => {
    const dataDir = await aFolder();
    const api = await aService(dataDir);
    const { id } = await api.aDataSource();
    const folder = path.join(dataDir, 'imports', String(id));
    await mkdir(folder);
    const file = path.join(folder, 'june contacts.csv');
    await writeFile(file, 'phoneNumber\n123\nbad\n');
    await writeFile(path.join(folder, 'x'.repeat(255)), 'phoneNumber\n456\n');
    expect(await reportOf(file)).toMatchObject({
      fileName: 'june contacts.csv',
      status: 'DONE',
      importCount: 2,
      successCount: 1,
      failCount: 1,
    });
    // The report comes just before the contacts show.
    await until(async () => (await countOf(api, id)) === 2);
    expect(phones(await listed(api, String(id))).sort()).toEqual(['123', '456']);
    const reports = (await readdir(folder)).filter((name) => name.endsWith('.result.json'));
    expect(reports).toEqual([
      'june contacts.csv.result.json',
      expect.stringMatching(/^x+-[\da-f]+\.result\.json$/),
    ]);
  });

  it('of no known data source, or of none at all, has a report that says so', async () => {
    const dataDir = await aFolder();
    await aService(dataDir);
    const files = ['0123456789abcdef', '.'].map((folder) => path.join(dataDir, 'imports', folder, 'x.csv'));
    for (const file of files) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, 'phoneNumber\n123\n');
    }
    for (const file of files) {
      const message = expect.stringMatching(/data source/);
      expect(await reportOf(file)).toMatchObject({ status: 'FAILED', message });
    }
  });

  it('is not imported again by a start over the same data or over a copy of it', async () => {
    const dataDir = await aFolder();
    const first = await aService(dataDir);
    const { id } = await first.aDataSource();
    const folder = path.join(dataDir, 'imports', String(id));
    await mkdir(folder);
    await writeFile(path.join(folder, 'june.csv'), 'phoneNumber\n123\n');
    const { importId } = await reportOf(path.join(folder, 'june.csv'));
    await until(async () => (await countOf(first, id)) > 0);
    const [contact] = await listed(first, String(id));
    await first.post(`/api/dataSource/${id}/contact/delete`, { contactId: contact?.id });
    await first.stop();

    const copy = path.join(await aFolder(), 'copy');
    // Every file gets a new time.
    await cp(dataDir, copy, { recursive: true });
    const second = await aService(copy);
    const next = path.join(copy, 'imports', String(id), 'july.csv');
    await writeFile(next, 'phoneNumber\n456\n');
    await reportOf(next);
    await until(async () => (await countOf(second, id)) > 0);
    expect(phones(await listed(second, String(id)))).toEqual(['456']);
    expect((await reportOf(path.join(copy, 'imports', String(id), 'june.csv'))).importId).toBe(importId);
  });
});

describe('the drop folder', () => {
  it('hands over no file that is still being copied', async () => {
    const dataDir = await aDataDir();
    const clock = { time: 0, asked: 0 };
    const arrived: Arrival[] = [];
    await aLocalStore({
      dataDir,
      onArrived: (arrival) => void arrived.push(arrival),
      now: () => {
        clock.asked++;
        return clock.time;
      },
    });
    const scanned = async () => {
      const before = clock.asked;
      await until(() => clock.asked >= before + 3);
    };
    const file = fileIn(dataDir, 'slow.csv');
    await writeFile(file, 'phoneNumber\n');
    for (let row = 0; row < 10; row++) {
      await scanned();
      clock.time += 1500;
      await scanned();
      expect(arrived).toEqual([]);
      await appendFile(file, `1380000000${row}\n`);
    }
    await scanned();
    clock.time += 2000;
    await until(() => arrived.length > 0);
    expect(arrived).toMatchObject([{ key: 'imports/1/slow.csv', size: (await readFile(file)).length }]);
  });

  it('passes over reports, hidden files, and files in deeper folders', async () => {
    const dataDir = await aDataDir();
    const { arrived } = await aStoreIn(dataDir);
    await mkdir(fileIn(dataDir, 'deeper'));
    for (const name of ['x.csv.result.json', '.hidden.csv', '.x.csv.1a2b', 'deeper/x.csv']) {
      await drop(dataDir, name, 'phoneNumber\n');
    }
    expect(await markArrives(dataDir, arrived)).toEqual([]);
  });

  it('takes a file again when its content has changed, by whatever road', async () => {
    const dataDir = await aDataDir();
    const { arrived } = await aStoreIn(dataDir);
    await drop(dataDir, 'a.csv', 'phoneNumber\n1\n');
    await until(() => arrived.length === 1);
    await drop(dataDir, 'a.csv', 'phoneNumber\n2\n');
    await until(() => arrived.length === 2);
    await appendFile(fileIn(dataDir, 'a.csv'), '3\n');
    await until(() => arrived.length === 3);
    expect(new Set(arrived.map(({ key }) => key))).toEqual(new Set(['imports/1/a.csv']));
    expect(new Set(arrived.map(({ sequencer }) => sequencer)).size).toBe(3);
  });

  it('takes the same content again after the file was removed, and not before', async () => {
    const dataDir = await aDataDir();
    const { arrived } = await aStoreIn(dataDir);
    const file = fileIn(dataDir, 'a.csv');
    await drop(dataDir, 'a.csv', 'phoneNumber\n1\n');
    expect(await markArrives(dataDir, arrived)).toEqual(['imports/1/a.csv']);
    await drop(dataDir, 'a.csv', 'phoneNumber\n1\n');
    expect(await markArrives(dataDir, arrived)).toEqual(['imports/1/a.csv']);
    await rm(file);
    await markArrives(dataDir, arrived);
    await drop(dataDir, 'a.csv', 'phoneNumber\n1\n');
    expect(await markArrives(dataDir, arrived)).toEqual(['imports/1/a.csv', 'imports/1/a.csv']);
  });

  it('tries a file three times, and then again at the next start, as the same import', async () => {
    const dataDir = await aDataDir();
    silenceErrors();
    const tries: Arrival[] = [];
    const first = await aLocalStore({
      dataDir,
      onArrived: (arrival) => {
        tries.push(arrival);
        throw new Error('no table yet');
      },
    });
    for (const name of ['a.csv', 'b.csv']) {
      await drop(dataDir, name, 'phoneNumber\n');
      // One file is handed over after another: a fourth try would come before the next file.
      await until(() => tries.at(-1)?.key === `imports/1/${name}`);
    }
    const ofFirst = tries.filter(({ key }) => key === 'imports/1/a.csv');
    expect(ofFirst).toHaveLength(3);
    await first.close();

    const second = await aStoreIn(dataDir);
    await until(() => second.arrived.length === 2);
    await second.close();
    const third = await aStoreIn(dataDir);
    expect(await markArrives(dataDir, third.arrived)).toEqual([]);
    const again = second.arrived.filter(({ key }) => key === 'imports/1/a.csv');
    for (const arrival of [...ofFirst, ...again]) expect(arrival).toEqual(tries[0]);
  });

  it('forgets a file that was noted and removed before the next start', async () => {
    const dataDir = await aDataDir();
    silenceErrors();
    let tries = 0;
    const first = await aLocalStore({
      dataDir,
      onArrived: () => {
        tries++;
        throw new Error('not now');
      },
    });
    for (const name of ['gone.csv', 'here.csv']) await drop(dataDir, name, 'phoneNumber\n');
    await until(() => tries === 6);
    await first.close();
    await rm(fileIn(dataDir, 'gone.csv'));
    const { arrived } = await aStoreIn(dataDir);
    expect(await markArrives(dataDir, arrived)).toEqual(['imports/1/here.csv']);
  });

  it('waits for the import that runs when it is closed, and the import may use the store', async () => {
    const dataDir = await aDataDir();
    let started = false;
    let finished = false;
    let close = () => {};
    const closing = new Promise<void>((resolve) => {
      close = resolve;
    });
    const store = await aLocalStore({
      dataDir,
      onArrived: async ({ key }) => {
        started = true;
        await closing;
        await store.objects.put(`${key}.result.json`, '{}', 'application/json');
        finished = true;
      },
    });
    await drop(dataDir, 'a.csv', 'phoneNumber\n');
    await until(() => started);
    const closed = store.close();
    close();
    await closed;
    expect(finished).toBe(true);
  });

  it('is noted as it was last, although notes are written at the same time', async () => {
    const root = await aFolder();
    const ledger = await DropLedger.open(root, { staging: root, durable: false });
    const drop = { digest: 'x'.repeat(5_000_000), sequencer: '', isImported: false };
    ledger.drops.set('a', drop);
    const first = ledger.save();
    ledger.drops.clear();
    await Promise.all([first, ledger.save()]);
    expect(await readFile(path.join(root, 'drops.json'), 'utf8')).toBe('[]');
  });

  it('begins no other import while it is being closed', async () => {
    const begun: string[] = [];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const arrivals = new Arrivals(({ key }) => {
      begun.push(key);
      return finished;
    });
    for (const key of ['a', 'b']) arrivals.deliver({ key, size: 1, sequencer: '' });
    await until(() => begun.length === 1);
    const closing = arrivals.close();
    finish();
    await closing;
    expect(begun).toEqual(['a']);
  });

  it('says once that it cannot be read, and goes on when it can', async () => {
    const dataDir = await aDataDir();
    const logged = silenceErrors();
    const arrived: Arrival[] = [];
    let scans = 0;
    await aLocalStore({
      dataDir,
      onArrived: (arrival) => void arrived.push(arrival),
      now: () => {
        scans++;
        return Date.now() * 100;
      },
    });
    const ledger = path.join(dataDir, 'drops.json');
    await mkdir(path.join(ledger, 'in the way'), { recursive: true });
    await drop(dataDir, 'a.csv', 'phoneNumber\n');
    await until(() => logged.mock.calls.length > 0);
    const before = scans;
    await until(() => scans > before + 3);
    expect(logged.mock.calls).toEqual([['dropped files cannot be read', { error: expect.anything() }]]);
    await rm(ledger, { recursive: true });
    await appendFile(fileIn(dataDir, 'a.csv'), '1\n');
    await until(() => arrived.length === 1);
  });
});
