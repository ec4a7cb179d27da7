import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactsCsv, imported, listed, sendFile } from '../../support/files/contact-files.ts';
import { hostileFiles } from '../../support/files/hostile-files.ts';
import { largestFile } from '../../support/files/largest-file.ts';
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
const statusOf = { invalid: 400, tooLarge: 413, nothing: 200 } as const;
/** Beside what the file takes, a request of 10 MB is held several times. */
const megabytes = 256;
/** Read in one go, the largest file would leave room for a few requests before and after it. */
const turns = 10;

/** All against one running service, as an attacker would send them. */
describe('a hostile file sent to the service', () => {
  let dataDir = '';
  let service: Awaited<ReturnType<typeof startServiceProcess>>;
  let id = '';
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
      succeeded(await service.api.get(`/api/dataSource/detail/${id}`));
      answered++;
    }
    return answered;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'hostile-uploads-'));
    service = await startServiceProcess(dataDir);
    id = (await service.api.aDataSource()).id;
    await imported(service.api, id, await contactsCsv(1));
    largestSeconds = await secondsOf(async () => {
      const importing = imported(service.api, id, largestFile());
      answeredMeanwhile = await answeredUntil(importing);
      const { successCount, failCount } = await importing;
      expect([successCount, failCount]).toEqual([0, 9_999]);
    });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  it('is one of a hundred or more', () => expect(files.length).toBeGreaterThanOrEqual(100));

  it.each(files)('$name: nothing is imported, in the time of the largest file', async (file) => {
    const memory = canMeasure ? memoryNow(service.pid) : 0;
    if (canMeasure) forgetPeak(service.pid);
    const seconds = await secondsOf(async () => {
      const { status, body } = await sendFile(service.api, id, file.bytes, 'contacts.xlsx');
      expect(status).toBe(statusOf[file.code]);
      if (status === 200) expect(body.data).toMatchObject({ successCount: 0 });
      else expect(body.message).toMatch(/file/);
    });
    if (!canMeasure) return;
    expect(seconds / largestSeconds).toBeLessThan(3);
    expect(peakMemory(service.pid) - memory).toBeLessThan(megabytes);
  });

  it('leaves the service answering, with nothing imported', async () => {
    expect(await listed(service.api, id)).toHaveLength(1);
    expect(succeeded(await service.api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(1);
    expect(await imported(service.api, id, await contactsCsv(10))).toMatchObject({ successCount: 9 });
  });

  it('that is the largest there may be leaves others their turn: they are answered while it is read', () => {
    expect(answeredMeanwhile).toBe(turns);
  });
});
