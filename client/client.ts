import createClient, { type Client } from 'openapi-fetch';
import type { operations, paths } from './generated/schema.ts';
import { type ErrorCode, type FieldError, NoAnswer, ServiceRefusal } from './service-error.ts';

export type ApiClient = Client<paths>;

export type ClientOptions = {
  /** The service's address, without `/api`. */
  baseUrl: string;
  /** Called for each request, so that a renewed token is used at once. */
  token: () => string | undefined | Promise<string>;
  /** Returns a token other than the refused one. The request is sent once more with it. */
  tokenAfter?: (refused: string) => Promise<string>;
  fetch?: (request: Request) => Promise<Response>;
};

type Send = (request: Request) => Promise<Response>;

const unauthorized = 401;

const withToken = (request: Request, token: string | undefined): Request => {
  if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
  return request;
};

/** A refused request was not carried out, so it is sent once more. */
const authorizedSend =
  (send: Send, { token, tokenAfter }: Pick<ClientOptions, 'token' | 'tokenAfter'>): Send =>
  async (request) => {
    const current = await token();
    const again = tokenAfter === undefined || current === undefined ? undefined : request.clone();
    const response = await send(withToken(request, current));
    if (response.status !== unauthorized || again === undefined) return response;
    return send(withToken(again, await tokenAfter?.(current as string)));
  };

/** A client of the service's API, typed by the OpenAPI document. */
export const createApiClient = ({ baseUrl, fetch: send = fetch, ...tokens }: ClientOptions): ApiClient =>
  createClient<paths>({ baseUrl: baseUrl.replace(/\/+$/, ''), fetch: authorizedSend(send, tokens) });

type Envelope = { code: number; message: string; data: { errors?: FieldError[] } | null };
type Answer = { data?: unknown; error?: unknown; response: Response };
type Payload<E> = E extends { data: infer D } ? D : never;
/** The type of `data` in an answer's envelope. */
export type DataOf<A> = A extends { data?: infer E } ? Payload<E> : never;

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

const tasksIn = ({ headers }: Response): ServiceRefusal['tasks'] => {
  const ids = headers.get('x-task-ids')?.split(',');
  return ids && { ids, count: Number(headers.get('x-task-count')) };
};

const refusalIn = ({ error, response }: Answer): Error => {
  if (!isEnvelope(error)) return new NoAnswer(`status ${response.status} without an envelope of the service`);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const errorCode = (response.headers.get('x-error-code') ?? undefined) as ErrorCode | undefined;
  const errors = error.data?.errors ?? [];
  const tasks = tasksIn(response);
  return new ServiceRefusal(error.code, error.message, { errors, requestId, errorCode, tasks });
};

/** Waits for an answer and returns its data. @throws ServiceRefusal, NoAnswer */
export const dataOf = async <A extends Answer>(asked: Promise<A>): Promise<DataOf<A>> => {
  const answer = await asked.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new NoAnswer(error instanceof Error ? error.message : String(error), { cause: error });
  });
  if (answer.response.ok && isEnvelope(answer.data)) return answer.data.data as DataOf<A>;
  throw refusalIn(answer);
};

type Success<O extends keyof operations> = operations[O] extends {
  responses: { 200: { content: { 'application/json': { data: infer D } } } };
}
  ? D
  : never;

/** The data of an operation's answer: `Data<'taskDetail'>`. */
export type Data<O extends keyof operations> = Success<O>;

/** Names for answers that are used in several places. */
export type ServiceDay = Data<'describeDay'>;
export type TaskOverview = Data<'taskOverview'>;
export type TaskBoard = Data<'taskBoard'>;
export type TaskOutlook = Data<'taskOutlook'>;
export type HistoryEntry = Data<'taskHistory'>['rows'][number];
export type Preflight = Data<'preflightTask'>;
export type CallsPage = Data<'taskCallList'>;
export type CallRecord = CallsPage['rows'][number];
export type CallDetail = Data<'callDetail'>;
export type TaskContact = Data<'taskContacts'>['rows'][number];
export type ImportPreview = Data<'importPreview'>;
export type ImportReport = Data<'batchImport'>;
export type ImportEntry = Data<'listImports'>['rows'][number];
export type TroubledImport = TaskBoard['imports'][number];
export type ImportStatus = Data<'importStatus'>;
/** A phone number with its contacts. */
export type FoundPerson = Data<'findPerson'>;
export type Erased = Data<'erasePerson'>;
export type Webhook = Data<'listWebhooks'>['rows'][number];
export type WebhookSettings = Pick<Webhook, 'url' | 'types' | 'taskIds' | 'expandCall' | 'description'>;
export type DeliveryAttempt = Data<'listDeliveries'>['rows'][number];
