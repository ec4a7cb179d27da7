import { Agent, request } from 'node:http';

export type Call = { method: 'GET' | 'POST'; path: string; body?: string };
export type Load = { perSecond: number; p50: number; p99: number };

const sent = (url: string, token: string, agent: Agent, { method, path, body }: Call): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const outgoing = request(url + path, { method, agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Each client sends its next request when its last request is answered. */
export const load = async (
  url: string,
  token: string,
  clients: number,
  durationMs: number,
  next: () => Call,
): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  const start = performance.now();
  const client = async () => {
    while (performance.now() - start < durationMs) {
      const begun = performance.now();
      const status = await sent(url, token, agent, next());
      if (status !== 200) throw new Error(`a request was answered with ${status}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { perSecond: times.length / elapsed, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
};
