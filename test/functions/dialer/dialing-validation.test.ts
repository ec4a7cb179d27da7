import { describe, expect, it } from 'vitest';
import { DialingApi } from '../../support/dialing/dialing-api.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

describe("a dialer's requests", () => {
  const api = useApi();
  const dialing = new DialingApi(api);

  it.each([
    ['lease', 'limit', { limit: 0 }],
    ['lease', 'limit', { limit: 101 }],
    ['lease', 'leaseSeconds', { leaseSeconds: 9 }],
    ['lease', 'leaseSeconds', { leaseSeconds: 3601 }],
    ['result', 'outcome', { callId: 'x', outcome: 'busy' }],
    ['result', 'duration', { callId: 'x', outcome: 'failed', duration: -1 }],
    ['result', 'duration', { callId: 'x', outcome: 'failed', duration: 86_401 }],
    ['result', 'callbackTime', { callId: 'x', outcome: 'failed', callbackTime: '2026-05-01' }],
    ['result', 'callbackTime', { callId: 'x', outcome: 'failed', callbackTime: '2026-02-30 10:00:00' }],
    ['release', 'waitSeconds', { callId: 'x', waitSeconds: -1 }],
    ['release', 'waitSeconds', { callId: 'x', waitSeconds: 86_401 }],
    ['extend', 'leaseSeconds', { callId: 'x', leaseSeconds: 9 }],
    ['extend', 'leaseSeconds', { callId: 'x', leaseSeconds: 3601 }],
  ])('at %s are 400 naming %s in %j', async (what, field, body) => {
    expectError(await api.post(`/api/dialer/${what}`, body), 400, new RegExp(field));
  });

  it.each(['', 'nonsense', 'a-b-c', '4k9x2m7q8t3vbn5c-2s-h7w2k9', '../../x', '__proto__'])(
    'with a result for the call "%s", which never was, are 404',
    async (callId) => {
      expectError(await dialing.result(callId, 'success'), 404, /call/);
    },
  );

  it('with a result for a call that was made up from a real one are 404 or 409', async () => {
    const { id } = await dialing.aRunningTask(1);
    const { callId } = await dialing.leaseOne({ taskId: id });
    const [task, seq] = callId.split('-');
    expectError(await dialing.result(`${task}-${seq}-zzzzzzzzzz`, 'success'), 409, /given out again/);
    expectError(await dialing.result(`${task}-zz-zzzzzzzzzz`, 'success'), 404, /call/);
  });

  it('to recall may name the task as the path does', async () => {
    const { id } = await dialing.aRunningTask(1);
    expect(succeeded(await dialing.recall(id, { id }))).toEqual({ recallCount: 0, recallIds: [] });
  });

  it.each(['release', 'extend'])('to %s a call that never was are 404', async (what) => {
    for (const callId of ['nonsense', '4k9x2m7q8t3vbn5c-2s-h7w2k9'])
      expectError(await api.post(`/api/dialer/${what}`, { callId }), 404, /call/);
  });
});
