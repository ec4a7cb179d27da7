import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaseMetrics } from '../../../shared/dialing/call-metrics.ts';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { type Api, startApi, succeeded } from '../../support/service/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const lease = async (limit: number) => {
  const answer = succeeded(await api.post('/api/dialer/lease', { limit }));
  return leaseMetrics(limit, answer as never);
};

it('a lease request is empty only where a contact waits to be called now', async () => {
  // No task runs.
  expect(await lease(10)).toEqual({ CallsAsked: 10, CallsLeased: 0, EmptyLeases: 0 });
  const { id } = await new DialingApi(api).aRunningTask(3, {});
  expect(await lease(10)).toEqual({ CallsAsked: 10, CallsLeased: 3, EmptyLeases: 0 });
  // All contacts are in a call until their leases end.
  expect(await lease(10)).toEqual({ CallsAsked: 10, CallsLeased: 0, EmptyLeases: 0 });
  succeeded(await api.post('/api/task/stop', { id, reason: 'enough' }));
  expect(leaseMetrics(10, { calls: [], retryAfterSeconds: 1 })).toMatchObject({ EmptyLeases: 1 });
});
