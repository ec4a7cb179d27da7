import { expect, it } from 'vitest';
import { Api, succeeded } from '../../support/service/api.ts';
import { pollUntil } from '../../support/service/event-service.ts';
import { aDataDir, startProcess } from '../../support/service/service-process.ts';

it('lists every event of a service that was killed right after its answers', async () => {
  const env = { DATA_DIR: await aDataDir() };
  const api = new Api();
  const tasks: string[] = [];
  for (let round = 0; round < 2; round++) {
    const service = await startProcess(env);
    api.attach(service.url, async () => {});
    const { id: dataSourceId } = await api.aDataSource({ dataSourceName: `list ${round}` });
    const added = await Promise.all(
      [0, 1, 2].map((each) => api.aTask({ dataSourceId, taskName: `task ${round}-${each}` })),
    );
    tasks.push(...added.map(({ id }) => id));
    await Promise.all(added.map(async ({ id }) => succeeded(await api.post('/api/task/publish', { id }))));
    await service.end('SIGKILL');
  }
  const { url } = await startProcess(env);
  api.attach(url, async () => {});
  const events = await pollUntil(api, (seen) => seen.length === tasks.length);
  expect(events.map(({ data }) => data.taskId).toSorted()).toEqual(tasks.toSorted());
});
