import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { operations, paths } from './generated/schema.ts';
import { type FieldError, NoAnswer, ServiceRefusal } from './service-error.ts';

export type ApiClient = Client<paths>;

export type ClientOptions = {
  /** Where the service answers, without `/api`. */
  baseUrl: string;
  /** Asked for at each request, so that a new one is used as soon as there is one. */
  token: () => string | undefined;
  fetch?: (request: Request) => Promise<Response>;
};

/** The service's API, typed by its own OpenAPI document. */
export const createApiClient = ({ baseUrl, token, fetch: send }: ClientOptions): ApiClient => {
  const authorized: Middleware = {
    onRequest: ({ request }) => {
      const current = token();
      if (current !== undefined) request.headers.set('authorization', `Bearer ${current}`);
    },
  };
  const client = createClient<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(send === undefined ? {} : { fetch: send }),
  });
  client.use(authorized);
  return client;
};

type Envelope = { code: number; message: string; data: { errors?: FieldError[] } | null };
type Answer = { data?: unknown; error?: unknown; response: Response };
type Payload<E> = E extends { data: infer D } ? D : never;
/** What an answer's envelope carries. */
export type DataOf<A> = A extends { data?: infer E } ? Payload<E> : never;

const isEnvelope = (value: unknown): value is Envelope =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

const refusalIn = ({ error, response }: Answer): Error => {
  if (!isEnvelope(error))
    return new NoAnswer(`the service answered ${response.status} in no form of its own`);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  return new ServiceRefusal(error.code, error.message, error.data?.errors ?? [], requestId);
};

/** The data of an answer. @throws ServiceRefusal, NoAnswer */
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

/** What an operation answers with: `Data<'taskDetail'>`. */
export type Data<O extends keyof operations> = Success<O>;
