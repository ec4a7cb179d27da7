import type { Outcome } from '../../shared/domain/dialing.ts';

/** A mistake or a mishap that whoever started the simulator can do something about: one line, no stack. */
export class SimulationError extends Error {}

/** The call was given to another dialer meanwhile, or its task is gone. */
export class CallLost extends Error {}

export type Call = { callId: string; taskId: string; phoneNumber: string; attempt: number };
export type Result = { final: boolean; taskStatus: number };
export type Statistics = {
  taskId: string;
  taskName: string;
  status: number;
  totalContacts: number;
  callCount: number;
  successCount: number;
  failCount: number;
  noAnswerCount: number;
  totalDuration: number;
  avgDuration: number;
};

const timeoutMs = 30_000;
const lost = new Set([404, 409]);

/** The service, as a dialer and an onlooker see it. @throws SimulationError, CallLost */
export class ServiceClient {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#token = token;
  }

  async lease(limit: number, leaseSeconds: number, taskId?: string): Promise<Call[]> {
    const body = { limit, leaseSeconds, ...(taskId === undefined ? {} : { taskId }) };
    return (await this.request<{ calls: Call[] }>('POST', '/api/dialer/lease', body)).calls;
  }

  async report(callId: string, outcome: Outcome, duration: number): Promise<Result> {
    return this.request('POST', '/api/dialer/result', { callId, outcome, duration });
  }

  async statistics(taskId: string): Promise<Statistics> {
    return this.request('GET', `/api/task/${encodeURIComponent(taskId)}/stat`);
  }

  async runningTasks(): Promise<number> {
    const page = await this.request<{ total: number }>('GET', '/api/task/list?status=1&pageSize=1');
    return page.total;
  }

  async request<T>(method: string, path: string, body?: object | FormData): Promise<T> {
    const response = await this.#fetch(method, path, body);
    const text = await response.text();
    if (response.status === 200) return (JSON.parse(text) as { data: T }).data;
    throw this.#refusal(response.status, `${method} ${path.split('?')[0]}`, messageIn(text));
  }

  /** A file, whole. */
  async download(path: string): Promise<Uint8Array> {
    const response = await this.#fetch('GET', path);
    if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
    throw this.#refusal(response.status, `GET ${path.split('?')[0]}`, messageIn(await response.text()));
  }

  async #fetch(method: string, path: string, body?: object | FormData): Promise<Response> {
    const form = body === undefined || body instanceof FormData;
    try {
      return await fetch(this.#baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(form ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: form ? (body as FormData) : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      const { cause } = error as { cause?: { code?: string; message?: string } };
      const reason = cause?.code ?? cause?.message ?? (error as Error).message;
      throw new SimulationError(`no service answers at ${this.#baseUrl} (${reason}); npm start starts one`);
    }
  }

  #refusal(status: number, request: string, message: string): Error {
    if (status === 401) {
      return new SimulationError('the service does not accept the access token; give one with --token');
    }
    if (status === 403) return new SimulationError(message);
    if (lost.has(status) && request.endsWith('/result')) return new CallLost(message);
    return new SimulationError(`${request} was answered with ${status}: ${message}`);
  }
}

const messageIn = (text: string): string => {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message);
  } catch {
    return 'no envelope; is this the service?';
  }
};
