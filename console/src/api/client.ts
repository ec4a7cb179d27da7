import { QueryClient, useQueryClient } from '@tanstack/preact-query';
import { createApiClient, dataOf } from '../../../client/client.ts';
import type { paths } from '../../../client/generated/schema.ts';
import { NoAnswer, ServiceRefusal } from '../../../client/service-error.ts';
import { apiBase } from '../base/page-settings.ts';
import { createStore } from '../base/store.ts';
import { language } from '../i18n/i18n.ts';
import { accessToken, anotherToken, tokenTaken } from '../session/session.ts';

/** The name for people, in any script, comes as `filename*`. */
const nameIn = (response: Response): string => {
  const header = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(header)?.[1] ?? 'contacts';
};

/** An export in the reader's language and time zone. */
export const exportPath = (path: string, query: Record<string, string>): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${path}?${new URLSearchParams({ ...query, labels: language.get(), timeZone })}`;
};

/** Saves a file on the reader's device. */
export const saveFile = (content: Blob, name: string): void => {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** A file of the service, saved under the name that the service gives it. @throws ServiceRefusal, NoAnswer */
export const download = async (path: string): Promise<void> => {
  const response = await request(path);
  if (!response.ok) await dataIn(response);
  saveFile(await response.blob(), nameIn(response));
};

const unauthorized = 401;

/** When the service last answered; `lost` once a request got no answer. */
export const connection = createStore({ lost: false, lastHeard: Date.now() });

const tracked = async (request: Request): Promise<Response> => {
  try {
    const response = await fetch(request);
    connection.set({ lost: false, lastHeard: Date.now() });
    return response;
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError';
    if (!isAborted) connection.set({ ...connection.get(), lost: true });
    throw error;
  }
};

/** A request whose token has expired is not lost: it is sent again with the next token. */
const send = async (request: Request): Promise<Response> => {
  for (let current = request; ; ) {
    const response = await tracked(current.clone());
    const token = current.headers.get('authorization')?.slice('Bearer '.length);
    if (response.status !== unauthorized) {
      tokenTaken(token);
      return response;
    }
    await anotherToken(token);
    current = new Request(current);
    current.headers.set('authorization', `Bearer ${accessToken()}`);
  }
};

const api = createApiClient({ baseUrl: apiBase, token: accessToken, fetch: send });

type Method = 'get' | 'post';
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];
type Asked<O> = O extends { parameters: infer Q } ? Omit<Q, 'header'> : never;
type JsonIn<B> = B extends { content: { 'application/json': infer J } } ? J : undefined;
type Sent<O> = O extends { requestBody?: infer B } ? JsonIn<NonNullable<B>> : never;
type PathIn<O> = O extends { parameters: { path: infer Q } } ? Q : object;
type Answer<O> = O extends { responses: { 200: { content: { 'application/json': { data: infer D } } } } }
  ? D
  : never;

/** Reads from the service until the page no longer waits for the answer. @throws ServiceRefusal, NoAnswer */
export const read = <P extends PathOf<'get'>>(
  path: P,
  params: Asked<paths[P]['get']>,
  signal?: AbortSignal,
): Promise<Answer<paths[P]['get']>> => dataOf(api.GET(path, { params, signal } as never)) as never;

/** A question that is sent as a body. @throws ServiceRefusal, NoAnswer */
export const ask = <P extends PathOf<'post'>>(
  to: P,
  body: Sent<paths[P]['post']>,
  signal?: AbortSignal,
): Promise<Answer<paths[P]['post']>> => dataOf(api.POST(to, { body, signal } as never)) as never;

/**
 * Changes something: done once, also where it is sent again because its answer was lost. `path`: the parts of the path.
 * @throws ServiceRefusal, NoAnswer
 */
export const change = <P extends PathOf<'post'>>(
  to: P,
  body: Sent<paths[P]['post']>,
  path?: PathIn<paths[P]['post']>,
): Promise<Answer<paths[P]['post']>> =>
  dataOf(api.POST(to, { body, params: { path }, ...once() } as never)) as never;

/** For requests outside the API's document: the local service's own paths, and files. @throws NoAnswer */
export const request = (path: string, init: RequestInit = {}): Promise<Response> =>
  send(
    new Request(`${apiBase}${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${accessToken()}` },
    }),
  ).catch((error: unknown) => {
    throw new NoAnswer(String(error), { cause: error });
  });

/** The data of the service's answer to a `request`. @throws ServiceRefusal, NoAnswer */
export const dataIn = async <T>(response: Response): Promise<T> => {
  const body: unknown = await response.json().catch(() => undefined);
  const answer = response.ok ? { data: body, response } : { error: body, response };
  return (await dataOf(Promise.resolve(answer))) as T;
};

/** A header for changes: a change that is sent again because its answer was lost is done once. */
export const once = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } });

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the values that are not given: an empty filter is no filter. */
export const given = <T extends Record<string, unknown>>(values: T): Given<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  ) as Given<T>;

/** Figures on an open screen are at most five seconds old, the time of the request included. */
export const liveMs = 4900;
const mostRetries = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Whether there is a connection shows in the answers, not in what the browser believes.
      networkMode: 'always',
      staleTime: 2000,
      refetchInterval: liveMs,
      retry: (failures, error) =>
        !(error instanceof ServiceRefusal && error.code < 500) && failures < mostRetries,
    },
    mutations: { networkMode: 'always' },
  },
});

/** For answers that change only by an action of this reader, or cost too much to ask for every 5 seconds. */
export const askedOnce = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: false,
  refetchOnWindowFocus: false,
} as const;

/** Asks again for everything that a change may have touched. */
export const useRefresh = (keys: readonly string[]) => {
  const queries = useQueryClient();
  return () => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] })));
};
