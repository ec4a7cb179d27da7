import { describe, expect, it } from 'vitest';
import { DialingApi } from '../support/dialing/dialing-api.ts';
import { canCutPower, cutPower, notedSyncs, notingSyncs } from '../support/engines/power-cut.ts';
import { Api, succeeded } from '../support/service/api.ts';
import { aDataDir, startProcess } from '../support/service/service-process.ts';

const apiOf = (url: string): Api => {
  const api = new Api();
  api.attach(url, async () => {});
  return api;
};

describe.skipIf(!canCutPower)('a machine that loses its power', () => {
  it('with DATA_SYNC=always, has everything that was answered', async () => {
    const DATA_DIR = await aDataDir();
    const noting = notingSyncs(await aDataDir());
    const added: string[] = [];
    let taskId = '';
    let reported = 0;
    let answered = 0;
    for (let cut = 1; cut <= 2; cut++) {
      const service = await startProcess({ DATA_DIR, DATA_SYNC: 'always', ...noting });
      const api = apiOf(service.url);
      const dialing = new DialingApi(api);
      if (cut === 1) taskId = (await api.aTaskIn(1, { dataSourceId: (await api.aDataSource()).id })).id;
      const { dataSourceId } = succeeded(await api.get(`/api/task/detail/${taskId}`));
      for (let contact = 0; contact < 10; contact++) {
        const phoneNumber = `+4930${cut}00${String(contact).padStart(2, '0')}`;
        await api.aContact(String(dataSourceId), { phoneNumber });
        added.push(phoneNumber);
        const [call] = await dialing.lease({ taskId, limit: 1 });
        await dialing.report(call!.callId, 'noAnswer', 1);
        reported += 1;
        answered += 3;
      }
      await service.end('SIGKILL');
      const { count, sizes } = await notedSyncs(noting);
      expect(count).toBeGreaterThanOrEqual(answered);
      await cutPower(DATA_DIR, sizes);
      const again = await startProcess({ DATA_DIR, ...noting });
      const after = apiOf(again.url);
      const contacts = succeeded(
        await after.get(`/api/dataSource/${dataSourceId}/contacts`, { pageSize: 500 }),
      );
      expect(contacts.rows.map(({ phoneNumber }) => phoneNumber)).toEqual(added);
      expect(succeeded(await after.get(`/api/task/${taskId}/stat`))).toMatchObject({ callCount: reported });
      await again.end('SIGTERM');
    }
  });

  it('without it, starts again with what the disk has', async () => {
    const DATA_DIR = await aDataDir();
    const noting = notingSyncs(await aDataDir());
    const service = await startProcess({ DATA_DIR, ...noting });
    for (let source = 0; source < 20; source++)
      await apiOf(service.url).aDataSource({ dataSourceName: `${source}` });
    await service.end('SIGKILL');
    await cutPower(DATA_DIR, (await notedSyncs(noting)).sizes);
    const again = await startProcess({ DATA_DIR, ...noting });
    const { rows } = succeeded(await apiOf(again.url).get('/api/dataSource/list', { pageSize: 500 }));
    // The newest are listed first. What is there has no hole.
    expect(rows.map(({ dataSourceName }) => dataSourceName)).toEqual(
      rows.map((_, at) => String(rows.length - 1 - at)),
    );
    await again.end('SIGTERM');
  });
});
