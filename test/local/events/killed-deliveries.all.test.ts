import { expect, it } from 'vitest';
import { Api, succeeded } from '../../support/service/api.ts';
import { pollUntil } from '../../support/service/event-service.ts';
import { aDataDir, startProcess } from '../../support/service/service-process.ts';
import { addWebhook, aReceiver, eventually, webhookRow } from '../../support/service/webhook-receiver.ts';

it('lists and delivers every event although the service is killed while it delivers', async () => {
  const env = { DATA_DIR: await aDataDir() };
  const api = new Api();
  const receiver = await aReceiver();
  let id = '';
  const tasks: string[] = [];
  for (let round = 0; round < 3; round++) {
    const service = await startProcess(env);
    api.attach(service.url, async () => {});
    if (round === 0) id = (await addWebhook(api, { url: receiver.url })).id;
    const { id: dataSourceId } = await api.aDataSource({ dataSourceName: `list ${round}` });
    const before = receiver.received.length;
    // The first of each round is refused: it waits for an attempt of its own.
    receiver.answer(() => ({ status: receiver.received.length === before + 1 ? 500 : 200 }));
    for (let each = 0; each < 6; each++) {
      const { id: taskId } = await api.aTask({ dataSourceId, taskName: `task ${round}-${each}` });
      tasks.push(taskId);
      succeeded(await api.post('/api/task/publish', { id: taskId }));
      if (each === 2)
        await eventually(
          () => receiver.received.length,
          (count) => count > before + round,
        );
    }
    await service.end('SIGKILL');
  }
  // Started an hour later: a delivery that was under way at two kills would wait five minutes for
  // its next attempt.
  const later = 'const { now } = Date; Date.now = () => now() + 3_600_000;';
  const { url } = await startProcess({
    ...env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(later)}`,
  });
  api.attach(url, async () => {});
  receiver.answer(() => ({ status: 200 }));
  const events = await pollUntil(api, ({ length }) => length === tasks.length);
  expect(events.map(({ data }) => data.taskId).toSorted()).toEqual(tasks.toSorted());
  await eventually(
    () => new Set(receiver.received.map((event) => event.id)),
    (received) => events.every((event) => received.has(event.id)),
  );
  await eventually(
    () => webhookRow(api, id),
    ({ waitingCount }) => waitingCount === 0,
  );
  expect(await webhookRow(api, id)).toMatchObject({ state: 'ok', failedCount: 0 });
});
