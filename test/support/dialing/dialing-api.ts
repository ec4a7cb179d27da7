import { expect } from 'vitest';
import type { Answer, Row } from '../service/answers.ts';
import { type Api, accessToken, succeeded, useApi } from '../service/api.ts';

export type Call = {
  callId: string;
  taskId: string;
  contactId: string;
  dataSourceId: string;
  phoneNumber: string;
  callerNumber: string | null;
  fields: Record<string, string>;
  attempt: number;
  priority: number;
  leaseExpireTime: string;
};

export const phoneOf = (index: number) => `+4930${String(index).padStart(7, '0')}`;

/**
 * A clock that stands still until it is moved, so that tests need not wait for leases and
 * intervals.
 */
export class TestClock {
  time = Date.UTC(2026, 4, 4, 10);
  now = () => this.time;
  advance(seconds: number) {
    this.time += seconds * 1000;
  }
}

/** What a dialer and an operator do, over HTTP. */
export class DialingApi {
  readonly api: Api;

  constructor(api: Api) {
    this.api = api;
  }

  leaseAnswer(body: Record<string, unknown>): Promise<Answer> {
    return this.api.post('/api/dialer/lease', body);
  }

  async lease(body: Record<string, unknown>): Promise<Call[]> {
    return succeeded(await this.leaseAnswer(body)).calls as Call[];
  }

  /** The one call that can be leased. */
  async leaseOne(body: Record<string, unknown>): Promise<Call> {
    const calls = await this.lease(body);
    expect(calls).toHaveLength(1);
    return calls[0] as Call;
  }

  result(callId: string, outcome: string, duration?: number): Promise<Answer> {
    return this.api.post('/api/dialer/result', {
      callId,
      outcome,
      ...(duration === undefined ? {} : { duration }),
    });
  }

  async report(callId: string, outcome: string, duration?: number): Promise<Row> {
    return succeeded(await this.result(callId, outcome, duration));
  }

  operate(operation: string, id: string): Promise<Answer> {
    return this.api.post(`/api/task/${operation}`, { id });
  }

  recall(id: string, body: Record<string, unknown> = {}): Promise<Answer> {
    return this.api.post(`/api/task/${id}/recall`, body);
  }

  /** A data source with that many contacts, imported as one file. */
  async aFilledDataSource(contacts: number): Promise<Row> {
    const source = await this.api.aDataSource();
    const rows = Array.from({ length: contacts }, (_, i) => `${phoneOf(i)},Name ${i}`);
    const form = new FormData();
    form.set('file', new Blob([['phoneNumber,customerName', ...rows].join('\n')]), 'contacts.csv');
    const response = await fetch(`${this.api.url}/api/dataSource/${source.id}/contact/batchImport`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      body: form,
    });
    expect(response.status).toBe(200);
    return source;
  }

  /** A RUNNING task over that many contacts. */
  async aRunningTask(contacts: number, rules: Record<string, unknown> = {}): Promise<Row> {
    const source = await this.aFilledDataSource(contacts);
    return this.api.aTaskIn(1, { dataSourceId: source.id, ...rules });
  }

  async statistics(id: string): Promise<Row> {
    return succeeded(await this.api.get(`/api/task/${id}/stat`));
  }

  async statusOf(id: string): Promise<unknown> {
    return (await this.statistics(id)).status;
  }

  async contacts(dataSourceId: unknown): Promise<Row[]> {
    return succeeded(await this.api.get(`/api/dataSource/${dataSourceId}/contacts`, { pageSize: 500 })).rows;
  }

  /** The rows of the task's CSV export by phone number, as objects. */
  async exported(id: string, status = 0): Promise<Map<string, Record<string, string>>> {
    const response = await this.api.file(`/api/task/${id}/export`, { format: 'csv', status });
    expect(response.status).toBe(200);
    const [titles = [], ...rows] = (await response.text())
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const objects = rows.map((row) => Object.fromEntries(row.map((cell, i) => [titles[i] ?? '', cell])));
    return new Map(objects.map((row) => [row.phoneNumber ?? '', row]));
  }
}

/**
 * A service whose clock the test moves, for all tests of a `describe`, and what is done there over
 * HTTP.
 */
export const useDialing = (settings: Parameters<typeof useApi>[0] = {}) => {
  const clock = new TestClock();
  const api = useApi({ ...settings, now: clock.now });
  return { clock, api, dialing: new DialingApi(api) };
};
