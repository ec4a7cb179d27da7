import { setTimeout as sleep } from 'node:timers/promises';

/** Leases calls, makes them and reports how they ended, until `signal` says stop. */
export async function dial({ baseUrl, token, placeCall, lines = 10, signal }) {
  const post = async (path, body) => {
    for (let wait = 500; ; wait = Math.min(wait * 2, 30_000)) {
      const response = await fetch(baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      // Both calls may be sent again: a lost lease runs out, a result counts once.
      if (response !== undefined && response.status < 500 && response.status !== 429) {
        return { status: response.status, ...(await response.json()) };
      }
      await sleep(wait);
    }
  };

  const make = async (call) => {
    const result = await placeCall(call).catch(() => ({ outcome: 'failed', duration: 0 }));
    const { status, message } = await post('/api/dialer/result', { callId: call.callId, ...result });
    // 409: the lease ran out and someone else has the contact now. Nothing is left to do here.
    if (status !== 200 && status !== 409) throw new Error(message);
  };

  while (!signal.aborted) {
    const { status, message, data } = await post('/api/dialer/lease', { limit: lines, leaseSeconds: 300 });
    if (status !== 200) throw new Error(message);
    await Promise.all(data.calls.map(make));
    if (data.calls.length === 0) await sleep(1000, undefined, { signal }).catch(() => {});
  }
}
