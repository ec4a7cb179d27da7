import { setTimeout as sleep } from 'node:timers/promises';

/** Keeps an access token. Asks for another in the last tenth of its life, and when the service refused it. */
const renewing = ({ tokenUrl, clientId, clientSecret }) => {
  let kept = { until: 0 };
  let asking;
  const ask = async () => {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const isFinal = !response.ok && response.status < 500 && response.status !== 429;
    if (!response.ok) throw Object.assign(new Error(`no token: status ${response.status}`), { isFinal });
    const { access_token: token, expires_in: seconds } = await response.json();
    kept = { token, until: Date.now() + seconds * 900 };
  };
  return async (refused) => {
    if (Date.now() >= kept.until || kept.token === refused) {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
    }
    return kept.token;
  };
};

/** Leases calls, makes them and reports how they ended, until `signal` says stop. */
export async function dial({ baseUrl, token, credentials, placeCall, lines = 10, signal }) {
  const tokenAfter = credentials === undefined ? () => token : renewing(credentials);

  const send = async (path, body, refused) => {
    const current = await tokenAfter(refused);
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${current}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const isRefused = response.status === 401 && credentials !== undefined && refused === undefined;
    return isRefused ? send(path, body, current) : response;
  };

  const post = async (path, body) => {
    for (let wait = 500; ; wait = Math.min(wait * 2, 30_000)) {
      const response = await send(path, body).catch((error) => {
        if (error.isFinal) throw error;
      });
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
    const wait = sleep(data.retryAfterSeconds * 1000, undefined, { signal }).catch(() => {});
    await Promise.all([wait, ...data.calls.map(make)]);
  }
}
