import { afterAll, beforeAll, expect } from 'vitest';
import { startService } from '../../../local/service.ts';
import { inMemory, type Settings } from '../../../local/settings.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { Api, accessToken } from './api.ts';

/** What an answer holds: the names that stories read, and any other. */
export interface Data {
  [name: string]: unknown;
  id: string;
  callId: string;
  contactId: string;
  dataSourceId: string;
  status: number;
  rows: Data[];
  calls: Data[];
  contacts: Data[];
  tasks: Data[];
}

/**
 * A clock that stands still until a test moves it. It begins on a Monday, at 10:00 of the service's
 * zone, UTC.
 */
export class Clock {
  #time = Date.UTC(2026, 4, 4, 10);
  now = () => this.#time;

  /** `time`: such as `2026-05-04 12:30:00`, as the service writes times. */
  moveTo(time: string): void {
    this.#time = Date.parse(`${time.replace(' ', 'T')}Z`);
  }

  pass({ hours = 0, minutes = 0, seconds = 0 }): void {
    this.#time += ((hours * 60 + minutes) * 60 + seconds) * 1000;
  }
}

let named = 0;
/** Lists and tasks have names that nobody else has. */
export const newName = (name: string): string => `${name} ${++named}`;

/**
 * The whole service in this process, for all tests of a file, its clock, and a client of its API.
 * Every answer is checked against its schema. A request with a result answers its `data`; `refusal`
 * answers status and error code.
 */
export const useService = (settings: Partial<Settings> = {}) => {
  const clock = new Clock();
  const api = new Api();
  beforeAll(async () => {
    const usual = { port: 0, host: '127.0.0.1', dataDir: inMemory, accessToken, ...serviceSettings({}) };
    const { url, close } = await startService({ ...usual, ...settings }, clock.now);
    api.attach(url, close);
  });
  afterAll(() => api.stop());

  const get = async (path: string, query: Record<string, string | number> = {}): Promise<Data> => {
    const { status, body } = await api.get(path, query);
    expect(status, body.message).toBe(200);
    return body.data as unknown as Data;
  };
  const post = async (path: string, body: object): Promise<Data> => {
    const answer = await api.post(path, body);
    expect(answer.status, answer.body.message).toBe(200);
    return answer.body.data as unknown as Data;
  };
  const refusal = async (path: string, body: object) => {
    const { status, headers } = await api.post(path, body);
    return [status, headers.get('x-error-code')];
  };
  /** A file with its content, sent as a form. */
  const upload = async (
    path: string,
    fileName: string,
    content: string,
    options: object = {},
  ): Promise<Data> => {
    const form = new FormData();
    form.set('file', new Blob([content]), fileName);
    for (const [name, value] of Object.entries(options)) form.set(name, String(value));
    const headers = { authorization: `Bearer ${accessToken}` };
    const answer = await fetch(`${api.url}${path}`, { method: 'POST', headers, body: form });
    const { message, data } = (await answer.json()) as { message: string; data: Data };
    expect(answer.status, message).toBe(200);
    return data;
  };
  /** The text of a file that is downloaded. */
  const download = async (path: string, query: Record<string, string> = {}): Promise<string> => {
    const answer = await api.file(path, query);
    expect(answer.status).toBe(200);
    return (await answer.text()).replace('\uFEFF', '');
  };
  return { clock, get, post, refusal, upload, download };
};
