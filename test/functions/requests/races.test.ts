import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import type { Answer } from '../../support/service/answers.ts';
import { type Api, startApi, succeeded, useApi } from '../../support/service/api.ts';

const clients = 50;
const atOnce = <T>(count: number, job: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => job(i)));

/** Exactly one success; all others are this refusal. */
const expectOneWinner = (answers: readonly Answer[], refusal: number): Answer => {
  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(new Set(answers.filter((answer) => answer !== winners[0]).map(({ status }) => status))).toEqual(
    new Set([refusal]),
  );
  return winners[0]!;
};

describe.each(engines)('races on $name', (engine) => {
  const api = useApi({ engine });
  const countOf = async (id: string) => succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount;

  it('to publish a task have one winner; the rest see it RUNNING', async () => {
    const { id } = await api.aTask();
    const answers = await atOnce(clients, () => api.post('/api/task/publish', { id }));
    const winner = expectOneWinner(answers, 405);
    for (const { body } of answers) if (body !== winner.body) expect(body.message).toMatch(/RUNNING/);
    expect(succeeded(await api.get(`/api/task/detail/${id}`))).toMatchObject({
      status: 1,
      startTime: winner.body.data.startTime,
    });
  });

  it('between stopping and pausing end in a state that the winners explain', async () => {
    const { id } = await api.aTaskIn(1);
    const operations = ['pause', 'stop', 'resume', 'pause', 'stop', 'resume'];
    const answers = await atOnce(operations.length, (i) => api.post(`/api/task/${operations[i]}`, { id }));
    for (const { status } of answers) expect([200, 405]).toContain(status);
    expect(answers.filter(({ status }, i) => status === 200 && operations[i] === 'stop')).toHaveLength(1);
    expect((await api.storedTask(id)).status).toBe(3);
  });

  it('of many adds of different phone numbers all succeed and all count', async () => {
    const { id } = await api.aDataSource();
    const many = engine.sized(200, 64);
    const answers = await atOnce(many, (i) =>
      api.post(`/api/dataSource/${id}/contact/add`, { phoneNumber: `${1000 + i}` }),
    );
    const ids = new Set(answers.map((answer) => succeeded(answer).id));
    expect(ids.size).toBe(many);
    const { total, rows } = succeeded(await api.get(`/api/dataSource/${id}/contacts`, { pageSize: 500 }));
    expect(total).toBe(many);
    expect(new Set(rows.map((row) => row.id))).toEqual(ids);
    expect(await countOf(id)).toBe(many);
  });

  it('between several instances of the service are decided by the table', async () => {
    const table = await engine.open();
    const shared = { open: async () => ({ ...table, close: async () => {} }) };
    const instances = await atOnce(2, () => startApi({ engine: shared }));
    const [first] = instances as [Api, ...Api[]];
    const post = (i: number, path: string, body: object) => instances[i % instances.length]!.post(path, body);
    const { id } = await first.aDataSource();
    const add = `/api/dataSource/${id}/contact/add`;
    const sameName = { taskName: 'wanted by all', dataSourceId: id };
    const { body: won } = expectOneWinner(await atOnce(12, (i) => post(i, '/api/task/add', sameName)), 409);
    const publish = { id: won.data.id };
    expectOneWinner(await atOnce(12, (i) => post(i, '/api/task/publish', publish)), 405);
    expectOneWinner(await atOnce(12, (i) => post(i, add, { phoneNumber: '123' })), 409);
    for (const answer of await atOnce(20, (i) => post(i, add, { phoneNumber: `${1000 + i}` })))
      succeeded(answer);
    expect(succeeded(await first.get(`/api/dataSource/${id}/contacts`, { pageSize: 500 })).rows).toHaveLength(
      21,
    );
    await Promise.all(instances.map((instance) => instance.stop()));
    await table.close();
  });
});
