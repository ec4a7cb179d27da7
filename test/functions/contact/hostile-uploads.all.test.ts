import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { highestMaxRows } from '../../../shared/platform/rules/files.ts';
import {
  anUpload,
  contactsCsv,
  ended,
  imported,
  listed,
  put,
  sendFile,
} from '../../support/files/contact-files.ts';
import { hostileFiles, largestFile } from '../../support/files/hostile-files.ts';
import { hostileLargeFiles } from '../../support/files/hostile-large.ts';
import { succeeded } from '../../support/service/api.ts';
import { startServiceProcess } from '../../support/service/crashing-service.ts';
import {
  canMeasure,
  forgetPeak,
  memoryNow,
  peakMemory,
  processorSeconds,
} from '../../support/service/process-usage.ts';

const files = hostileFiles();
const largeFiles = hostileLargeFiles().map(([name, code, bytes]) => ({ name, code, bytes }));
const statusOf = { invalid: 400, tooLarge: 413, nothing: 200 } as const;
/** Beside what the file takes, a request of 10 MB is held several times. */
const megabytes = 256;
/** A row may hold 6 MB of text, and a few of them are held several times. */
const largeMegabytes = 512;
/** Read in one go, the largest file would leave room for a few requests before and after it. */
const turns = 10;

/** `start`: one running service for all files, as an attacker would find it. */
const useService = (options?: Parameters<typeof startServiceProcess>[1]) => {
  const used = {} as Awaited<ReturnType<typeof startServiceProcess>> & { id: string };
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'hostile-uploads-'));
    const service = await startServiceProcess(dataDir, options);
    Object.assign(used, service, { id: (await service.api.aDataSource()).id });
  });
  afterAll(async () => {
    await used.stop();
    await rm(dataDir, { recursive: true });
  });
  return used;
};

describe('a hostile file sent to the service', () => {
  const service = useService();
  let largestSeconds = 0;
  let answeredMeanwhile = 0;

  /** Of the service's processor time. */
  const secondsOf = async (job: () => Promise<void>): Promise<number> => {
    const before = canMeasure ? processorSeconds(service.pid) : 0;
    await job();
    return canMeasure ? processorSeconds(service.pid) - before : 0;
  };

  /** How many other requests are answered before that one, up to as many as are asked for. */
  const answeredUntil = async (job: Promise<unknown>): Promise<number> => {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    job.then(over, over);
    let answered = 0;
    while (!isOver && answered < turns) {
      succeeded(await service.api.get(`/api/dataSource/detail/${service.id}`));
      answered++;
    }
    return answered;
  };

  beforeAll(async () => {
    const { api, id } = service;
    await imported(api, id, await contactsCsv(1));
    largestSeconds = await secondsOf(async () => {
      const importing = imported(api, id, largestFile());
      answeredMeanwhile = await answeredUntil(importing);
      const { successCount, failCount } = await importing;
      expect([successCount, failCount]).toEqual([0, 9_999]);
    });
  });

  it('is one of a hundred or more', () => expect(files.length).toBeGreaterThanOrEqual(100));

  it.each(files)('$name: nothing is imported, in the time of the largest file', async (file) => {
    const memory = canMeasure ? memoryNow(service.pid) : 0;
    if (canMeasure) forgetPeak(service.pid);
    const seconds = await secondsOf(async () => {
      const { status, body } = await sendFile(service.api, service.id, file.bytes, 'contacts.xlsx');
      expect(status).toBe(statusOf[file.code]);
      if (status === 200) expect(body.data).toMatchObject({ successCount: 0 });
      else expect(body.message).toMatch(/file/);
    });
    if (!canMeasure) return;
    expect(seconds / largestSeconds).toBeLessThan(3);
    expect(peakMemory(service.pid) - memory).toBeLessThan(megabytes);
  });

  it('leaves the service answering, with nothing imported', async () => {
    const { api, id } = service;
    expect(await listed(api, id)).toHaveLength(1);
    expect(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(1);
    expect(await imported(api, id, await contactsCsv(10))).toMatchObject({ successCount: 9 });
  });

  it('that is the largest there may be leaves others their turn: they are answered while it is read', () => {
    expect(answeredMeanwhile).toBe(turns);
  });
});

describe('a hostile file uploaded to a service that allows a million rows', () => {
  const service = useService({ importMaxRows: highestMaxRows });

  it.each(largeFiles)('$name: nothing is imported, in a bounded memory', async ({ bytes, code }) => {
    const { api, id, pid } = service;
    const { importId, uploadUrl } = await anUpload(api, id, bytes.length);
    const memory = canMeasure ? memoryNow(pid) : 0;
    if (canMeasure) forgetPeak(pid);
    await put(uploadUrl, bytes);
    const found = await ended(api, id, importId);
    const told = {
      invalid: /^file: (?!.*more than \d+ (rows|lines|MB))/,
      tooLarge: /more than \d+ (rows|lines|MB)/,
    };
    expect(found).toMatchObject(
      code === 'nothing'
        ? { status: 'DONE', successCount: 0 }
        : { status: 'FAILED', importCount: 0, message: expect.stringMatching(told[code]) },
    );
    if (canMeasure) expect(peakMemory(pid) - memory).toBeLessThan(largeMegabytes);
  });

  it('leaves the service answering, with nothing imported', async () => {
    expect(await listed(service.api, service.id)).toEqual([]);
  });
});
