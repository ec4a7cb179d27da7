import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from 'vitest';
import { serve } from '../../../local/service.ts';
import type { Settings } from '../../../local/settings.ts';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { endTask } from '../../../shared/tasks/rules/task.ts';
import type { Tasks } from '../../../shared/tasks/tasks.ts';
import { type Engine, engines } from '../engines/engines.ts';
import { grudging } from '../engines/grudging.ts';
import { type Answer, type Envelope, expectEnvelope, type Row } from './answers.ts';

type Query = Record<string, string | number>;
type Send = { method?: string; path: string; headers?: Record<string, string>; body?: string | Uint8Array };

export const accessToken = 'local-dev-token';

/**
 * Long enough for the slowest engine on a busy machine; a hang fails the test instead of the run.
 */
const answerTimeoutMs = 290_000;

const agent = new Agent({ keepAlive: true });

/**
 * One request and its answer: tests make tens of thousands, and `fetch` takes twice the CPU time
 * for each.
 */
const exchange = (
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | Uint8Array | undefined,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    // As `fetch` and browsers name text that nobody has named.
    const type = typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {};
    const options = { method, agent, timeout: answerTimeoutMs, headers: { ...type, ...headers, ...length } };
    const sent = request(url, options, (response) => {
      json(response).then((envelope) => {
        const get = (name: string) => response.headers[name]?.toString() ?? null;
        resolve({ status: response.statusCode ?? 0, headers: { get }, body: envelope as Envelope });
      }, reject);
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error(`${method} ${url}: no answer`)));
    sent.end(body);
  });

const withQuery = (path: string, query: Query): string => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? path : `${path}?${search}`;
};

type Start = Partial<Settings> & { engine?: Pick<Engine, 'open'>; now?: () => number };
type Running = { url: string; database?: Database; stop: () => Promise<void> };

/** A client of a running service. Every answer it gets is checked before a test sees it. */
export class Api {
  #running: Running | undefined;
  #built = 0;

  /** The local service on a free port, over a fresh table of the engine. */
  async start({ engine = grudging(engines[0]!), now = Date.now, ...settings }: Start): Promise<void> {
    const table = await engine.open();
    const { url, close } = await serve(
      { port: 0, host: '127.0.0.1', dataDir: ':memory:', accessToken, ...serviceSettings({}), ...settings },
      table.database,
      now,
    );
    const stop = async () => {
      await close();
      await table.close();
    };
    this.#running = { url, database: table.database, stop };
  }

  /** A service that runs already, elsewhere. */
  attach(url: string, stop: () => Promise<void>): void {
    this.#running = { url, stop };
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
  }

  get url(): string {
    return this.#running?.url ?? '';
  }

  /** The table below, for what no client can bring about. */
  get database(): Database {
    return this.#running?.database as Database;
  }

  get #tasks(): Tasks {
    return openStores(this.database).tasks;
  }

  /** Any request at all; its answer is checked like every other one. */
  async send({ method = 'GET', path, headers = {}, body }: Send): Promise<Answer> {
    const sent = { authorization: `Bearer ${accessToken}`, ...headers };
    const answer = await exchange(`${this.url}${path}`, method, sent, body);
    expectEnvelope(method, path.split('?')[0] ?? '', answer);
    return answer;
  }

  get(path: string, query: Query = {}): Promise<Answer> {
    return this.send({ path: withQuery(path, query) });
  }

  /** The answer of an endpoint whose success is a file. */
  file(path: string, query: Query = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return fetch(`${this.url}${withQuery(path, query)}`, { headers });
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.postText(path, JSON.stringify(body));
  }

  postText(path: string, body: string | Uint8Array): Promise<Answer> {
    return this.send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body });
  }

  async aDataSource(fields: Record<string, unknown> = {}): Promise<Row> {
    const dataSourceName = `data source ${++this.#built}`;
    return succeeded(await this.post('/api/dataSource/add', { dataSourceName, ...fields }));
  }

  /** A draft; on a data source of its own unless one is named. */
  async aTask(fields: Record<string, unknown> = {}): Promise<Row> {
    const dataSourceId = fields.dataSourceId ?? (await this.aDataSource()).id;
    const taskName = `task ${++this.#built}`;
    return succeeded(await this.post('/api/task/add', { taskName, ...fields, dataSourceId }));
  }

  async aContact(dataSourceId: string, fields: Record<string, unknown> = {}): Promise<Row> {
    const phoneNumber = `+49${String(++this.#built).padStart(9, '0')}`;
    return succeeded(
      await this.post(`/api/dataSource/${dataSourceId}/contact/add`, { phoneNumber, ...fields }),
    );
  }

  /** A task in that state: through the operations that lead there, or as the dialer ends it. */
  async aTaskIn(status: number, fields: Record<string, unknown> = {}): Promise<Row> {
    const task = await this.aTask(fields);
    for (const operation of roadTo[status] ?? []) {
      if (operation === 'complete' || operation === 'fail') await this.endTask(task.id, operation);
      else succeeded(await this.post(`/api/task/${operation}`, { id: task.id }));
    }
    return task;
  }

  /** A running task on a data source of those contacts, or of that many. */
  async aTaskOf(
    contacts: number | readonly object[],
    rules: object = {},
  ): Promise<Row & { dataSourceId: string }> {
    const { id: dataSourceId } = await this.aDataSource();
    const all = typeof contacts === 'number' ? Array<object>(contacts).fill({}) : contacts;
    for (const fields of all) await this.aContact(dataSourceId, { ...fields });
    return Object.assign(await this.aTaskIn(1, { dataSourceId, ...rules }), { dataSourceId });
  }

  /** What only the dialer does. */
  async endTask(id: string, operation: 'complete' | 'fail') {
    await this.#tasks.move(id, operation, (task) => endTask(task, { contactCount: 0 }, Date.now()));
  }

  /** As the service shows it, which is in UTC unless a test says otherwise. */
  timeIn = timeIn('UTC');

  /** What the service keeps of a task, also what it never shows. */
  storedTask(id: string) {
    return this.#tasks.find(id);
  }
}

const roadTo: Record<number, string[]> = {
  1: ['publish'],
  2: ['publish', 'pause'],
  3: ['publish', 'stop'],
  4: ['publish', 'complete'],
  5: ['publish', 'fail'],
  6: ['publish', 'stop', 'close'],
};

/** The data of an answer that must be a success. */
export const succeeded = ({ status, body }: Answer) => {
  expect(status, body.message).toBe(200);
  return body.data;
};

/** An answer that must be this error, whose message says what is wrong. */
export const expectError = ({ status, body }: Answer, code: number, message: RegExp): void => {
  expect({ status, message: body.message }).toEqual({
    status: code,
    message: expect.stringMatching(message),
  });
};

/** One service for all tests of a `describe`. */
export const useApi = (start: Start = {}): Api => {
  const api = new Api();
  beforeAll(() => api.start(start));
  afterAll(() => api.stop());
  return api;
};

export const startApi = async (start: Start = {}): Promise<Api> => {
  const api = new Api();
  await api.start(start);
  return api;
};
