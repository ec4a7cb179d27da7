import { setTimeout as sleep } from 'node:timers/promises';
import { renewing } from './token.mjs';

const leaseSeconds = 300;

/** Calls with all its lines, until the task `taskId` has ended or `signal` says stop, and the last call is over. */
export async function dial({ baseUrl, token, credentials, placeCall, lines = 10, taskId, signal }) {
  const tokenAfter = credentials ? renewing(credentials) : () => token;

  const send = async (path, body, refused) => {
    const current = await tokenAfter(refused);
    const headers = { authorization: `Bearer ${current}`, 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(`${baseUrl}/api/${path}`, { method, headers, body: JSON.stringify(body) });
    const isRefused = response.status === 401 && credentials && refused === undefined;
    return isRefused ? send(path, body, current) : response;
  };

  const ask = async (path, body, fineStatus = 200) => {
    for (let wait = 500; ; wait = Math.min(wait * 2, 30_000)) {
      const response = await send(path, body).catch((error) => {
        if (error.isFinal) throw error;
      });
      // Every request may be sent again: a lost lease runs out, a result counts once.
      if (response !== undefined && response.status < 500 && response.status !== 429) {
        const { message, data } = await response.json();
        if (response.ok || response.status === fineStatus) return data;
        throw new Error(message);
      }
      // Only what concerns a call must get through.
      if (signal.aborted && body?.callId === undefined) return { calls: [], retryAfterSeconds: 0 };
      await sleep(wait);
    }
  };

  const { timeZone } = await ask('service');
  const inServiceZone = (time) => (time instanceof Date ? time.toLocaleString('sv', { timeZone }) : time);

  // If `placeCall` answers nothing, the call was not started: it is given back.
  const make = async (call, task) => {
    const { callId } = call;
    const extend = () => ask('dialer/extend', { callId, leaseSeconds }, 409).catch(() => {});
    const extending = setInterval(extend, leaseSeconds * 500);
    const result = await placeCall(call, task).catch(() => ({ outcome: 'failed', duration: 0 }));
    clearInterval(extending);
    // 409: the lease ran out and another dialer has the contact now. Nothing is left to do here.
    if (result === undefined) return ask('dialer/release', { callId, waitSeconds: 60 }, 409);
    const [startTime, callbackTime] = [result.startTime, result.callbackTime].map(inServiceZone);
    const report = { callId, ...result, startTime, callbackTime };
    const counted = await ask('dialer/result', report, 409);
    // A callback that cannot be kept is 409 too. The call is reported all the same.
    if (!counted && callbackTime) await ask('dialer/result', { ...report, callbackTime: undefined }, 409);
  };

  const busy = new Set();
  let failure;
  const occupy = (call, task) => {
    const line = make(call, task)
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => busy.delete(line));
    busy.add(line);
  };
  try {
    while (!signal.aborted && failure === undefined) {
      const limit = Math.min(lines - busy.size, 100);
      const request = { limit, leaseSeconds, taskId };
      const { calls, tasks, retryAfterSeconds, taskStatus } = await ask('dialer/lease', request);
      if (taskStatus > 2) break;
      for (const call of calls) occupy(call, tasks?.[call.taskId]);
      if (busy.size === lines) await Promise.race(busy);
      else await sleep(retryAfterSeconds * 1000, undefined, { signal }).catch(() => {});
    }
  } finally {
    await Promise.all(busy);
  }
  if (failure !== undefined) throw failure;
}
