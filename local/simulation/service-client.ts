import {
  type ApiClient,
  createApiClient,
  type Data,
  type DataOf,
  dataOf,
  type TaskOverview,
} from '../../client/client.ts';
import { type ClientCredentials, RenewedToken } from '../../client/client-credentials.ts';
import { NoAnswer, ServiceRefusal } from '../../client/service-error.ts';
import { secondMs } from '../../shared/platform/time/time.ts';
import type { CallReason, Outcome } from '../../shared/tasks/rules/task-settings.ts';
import { status } from '../../shared/tasks/rules/task-states.ts';
import type { Talk } from './made-up.ts';

/** A problem that the user of the program can fix. It is shown as one line, without a stack. */
export class SimulationError extends Error {}

/** The call was leased to another dialer meanwhile, or its task was deleted. */
export class CallLost extends Error {}

export type Leased = Pick<Data<'leaseCalls'>, 'calls' | 'retryAfterSeconds' | 'taskStatus'>;
export type Statistics = Data<'taskStat'>;
export type Call = Leased['calls'][number];
export type Result = {
  callId: string;
  outcome: Outcome;
  /** Seconds. */
  duration: number;
  startTime?: string | undefined;
  reason?: CallReason | undefined;
  callbackTime?: string | undefined;
  doNotCall?: boolean | undefined;
} & Talk;

const timeoutMs = 30_000;
const lost = new Set([404, 409]);

/** An access token, or credentials to get new ones. */
export type Token = string | ClientCredentials;

const clientOf = (baseUrl: string, token: Token): ApiClient => {
  const renewed = typeof token === 'string' ? undefined : new RenewedToken(token);
  return createApiClient({
    baseUrl,
    token: () => (typeof token === 'string' ? token : (renewed as RenewedToken).token()),
    ...(renewed === undefined ? {} : { tokenAfter: (refused) => renewed.tokenAfter(refused) }),
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(timeoutMs) }),
  });
};

/** JSON has no `undefined`, so such a property is not sent. */
type ResultBody = { [Name in keyof Result]: Exclude<Result[Name], undefined> };
type Untyped = (path: string, init: object) => Promise<Answer>;
type Answer = { data?: unknown; error?: unknown; response: Response };

/** A client of the service for dialers and for watching tasks. @throws SimulationError, CallLost */
export class ServiceClient {
  readonly api: ApiClient;
  readonly #baseUrl: string;
  readonly #dialer: ApiClient;

  /** @param dialToken the token of the dialer's requests, if it is another one */
  constructor(baseUrl: string, token: Token, dialToken: Token = token) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.api = clientOf(baseUrl, token);
    this.#dialer = dialToken === token ? this.api : clientOf(baseUrl, dialToken);
  }

  async lease(limit: number, leaseSeconds: number, taskId?: string): Promise<Call[]> {
    return (await this.leaseOrWait(limit, leaseSeconds, taskId)).calls;
  }

  /** With the seconds to wait before asking again. */
  leaseOrWait(limit: number, leaseSeconds: number, taskId?: string): Promise<Leased> {
    const body = { limit, leaseSeconds, ...(taskId === undefined ? {} : { taskId }) };
    return this.ask(this.#dialer.POST('/api/dialer/lease', { body }));
  }

  /** Omits a callback that cannot be kept, and a disposition that the task no longer declares. */
  async report(result: Result): Promise<Data<'reportResult'>> {
    try {
      return await this.ask(this.#dialer.POST('/api/dialer/result', { body: result as ResultBody }));
    } catch (error) {
      const { cause } = error as Error;
      if (!(cause instanceof ServiceRefusal)) throw error;
      if (cause.errorCode === 'CALLBACK_TOO_LATE') return this.report({ ...result, callbackTime: undefined });
      if (cause.errors.some(({ field }) => field === 'disposition'))
        return this.report({ ...result, disposition: undefined });
      throw lost.has(cause.code) ? new CallLost(cause.message) : error;
    }
  }

  /** The answer to each of at most 100 results; undefined for a result that was refused. */
  async reportAll(results: readonly Result[]): Promise<(Data<'reportResult'> | undefined)[]> {
    const body = { results: results as unknown as Record<string, never>[] };
    const { results: answers } = await this.ask(this.#dialer.POST('/api/dialer/results', { body }));
    return answers.map(({ code, data }) => (code === 0 ? (data as Data<'reportResult'>) : undefined));
  }

  statistics(taskId: string): Promise<Statistics> {
    return this.ask(this.api.GET('/api/task/{id}/stat', { params: { path: { id: taskId } } }));
  }

  overview(taskId: string): Promise<TaskOverview> {
    return this.ask(this.api.GET('/api/task/{id}/overview', { params: { path: { id: taskId } } }));
  }

  /** Until a contact of the task can be called, by the clock of the service. */
  async secondsUntilCalls(taskId: string): Promise<number> {
    const { dialing } = await this.overview(taskId);
    const params = { path: { id: taskId } };
    const { time } = await this.ask(this.api.GET('/api/task/{id}/outlook', { params }));
    return dialing.nextTime === null ? 0 : (Date.parse(dialing.nextTime) - Date.parse(time)) / secondMs;
  }

  async runningTasks(): Promise<number> {
    const query = { status: status.running, pageSize: 1 };
    return (await this.ask(this.api.GET('/api/task/list', { params: { query } }))).total;
  }

  /** Any request by its path. */
  request<T>(method: 'GET' | 'POST', path: string, body?: object | FormData): Promise<T> {
    const send = this.api[method] as Untyped;
    return this.ask(send(path, body === undefined ? {} : { body })) as Promise<T>;
  }

  /** Downloads a whole file. */
  async download(path: string): Promise<Uint8Array> {
    const file = (this.api.GET as Untyped)(path, { parseAs: 'arrayBuffer' });
    const { data, response } = await file.catch((error: unknown) => {
      throw this.#inWords(new NoAnswer(String(error), { cause: error }));
    });
    if (!response.ok) await this.ask(file);
    return new Uint8Array(data as ArrayBuffer);
  }

  /** The data of an answer. @throws SimulationError with one line for the user of the program */
  async ask<A extends Answer>(asked: Promise<A>): Promise<DataOf<A>> {
    try {
      return await dataOf(asked);
    } catch (error) {
      throw this.#inWords(error);
    }
  }

  #inWords(error: unknown): unknown {
    if (error instanceof ServiceRefusal) return new SimulationError(refusalWords(error), { cause: error });
    if (!(error instanceof NoAnswer)) return error;
    if (error.cause instanceof NoAnswer) return new SimulationError(error.message, { cause: error });
    const { cause } = (error.cause ?? {}) as { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? error.message;
    return new SimulationError(`no service answers at ${this.#baseUrl} (${reason}); npm start starts one`);
  }
}

const refusalWords = ({ code, message }: ServiceRefusal): string => {
  if (code === 401) return 'the service does not accept the access token; give one with --token';
  return code === 403 ? message : `the service answered ${code}: ${message}`;
};
