import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { succeeded } from '../support/api.ts';
import { contactsCsv, imported, listed, sendFile } from '../support/contact-files.ts';
import { startServiceProcess } from '../support/crashing-service.ts';
import { hostileFiles } from '../support/hostile-files.ts';
import { canMeasure, forgetPeak, memoryNow, peakMemory, processorSeconds } from '../support/process-usage.ts';

const statusOf = { invalid: 400, tooLarge: 413 } as const;

/** All against one running service, as an attacker would send them. */
describe('a hostile file sent to the service', () => {
  let dataDir = '';
  let service: Awaited<ReturnType<typeof startServiceProcess>>;
  let id = '';

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'hostile-uploads-'));
    service = await startServiceProcess(dataDir);
    id = (await service.api.aDataSource()).id;
    // What the first import loads is no file's doing.
    await imported(service.api, id, await contactsCsv(1));
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  it.each(hostileFiles())('$name is refused within 2 s and 128 MB', async ({ bytes, code }) => {
    const before = canMeasure ? [processorSeconds(service.pid), memoryNow(service.pid)] : [0, 0];
    if (canMeasure) forgetPeak(service.pid);
    const { status, body } = await sendFile(service.api, id, bytes, 'contacts.xlsx');
    expect(status).toBe(statusOf[code]);
    expect(body.message).toMatch(/file/);
    if (!canMeasure) return;
    expect(processorSeconds(service.pid) - before[0]!).toBeLessThan(2);
    expect(peakMemory(service.pid) - before[1]!).toBeLessThan(128);
  });

  it('leaves the service answering, with nothing imported', async () => {
    expect(await listed(service.api, id)).toHaveLength(1);
    expect(succeeded(await service.api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(1);
    expect(await imported(service.api, id, await contactsCsv(10))).toMatchObject({ successCount: 9 });
  });
});
