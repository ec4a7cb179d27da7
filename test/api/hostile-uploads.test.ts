import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { succeeded } from '../support/api.ts';
import { contactsCsv, imported, listed, sendFile } from '../support/contact-files.ts';
import { startServiceProcess } from '../support/crashing-service.ts';
import { hostileOldWorkbooks } from '../support/hostile-xls.ts';
import { hostileArchives, slowWorkbooks } from '../support/hostile-xlsx.ts';
import { largestFile } from '../support/largest-file.ts';
import { canMeasure, forgetPeak, memoryNow, peakMemory, processorSeconds } from '../support/process-usage.ts';

/** One of each way to make a service work or fall; the reader's own test has them all. */
const families = [hostileArchives, slowWorkbooks, hostileOldWorkbooks];
const files = families.flatMap((family) => family().map(([name, code, bytes]) => ({ name, code, bytes })));
const statusOf = { invalid: 400, tooLarge: 413 } as const;

/** All against one running service, as an attacker would send them. */
describe('a hostile file sent to the service', () => {
  let dataDir = '';
  let service: Awaited<ReturnType<typeof startServiceProcess>>;
  let id = '';
  let largestSeconds = 0;

  /** Of the service's processor time. */
  const secondsOf = async (job: () => Promise<void>): Promise<number> => {
    const before = canMeasure ? processorSeconds(service.pid) : 0;
    await job();
    return canMeasure ? processorSeconds(service.pid) - before : 0;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'hostile-uploads-'));
    service = await startServiceProcess(dataDir);
    id = (await service.api.aDataSource()).id;
    const largest = largestFile();
    await imported(service.api, id, await contactsCsv(1));
    largestSeconds = await secondsOf(async () => {
      const { successCount, failCount } = await imported(service.api, id, largest);
      expect([successCount, failCount]).toEqual([0, 9_999]);
    });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  it.each(files)('$name is refused in the time of the largest file, in 128 MB', async (file) => {
    const memory = canMeasure ? memoryNow(service.pid) : 0;
    if (canMeasure) forgetPeak(service.pid);
    const seconds = await secondsOf(async () => {
      const { status, body } = await sendFile(service.api, id, file.bytes, 'contacts.xlsx');
      expect(status).toBe(statusOf[file.code]);
      expect(body.message).toMatch(/file/);
    });
    if (!canMeasure) return;
    expect(seconds / largestSeconds).toBeLessThan(3);
    expect(peakMemory(service.pid) - memory).toBeLessThan(128);
  });

  it('leaves the service answering, with nothing imported', async () => {
    expect(await listed(service.api, id)).toHaveLength(1);
    expect(succeeded(await service.api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(1);
    expect(await imported(service.api, id, await contactsCsv(10))).toMatchObject({ successCount: 9 });
  });
});
