import { type ErrorKind, type ErrorWord, errorWords } from '../rules/errors.ts';

/** The HTTP status of each kind of error, which is also the envelope's code. */
export const statusOf = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  notAllowed: 405,
  conflict: 409,
  tooLarge: 413,
  misdirected: 421,
  unprocessable: 422,
  tooBusy: 429,
  headersTooLarge: 431,
  internal: 500,
  unavailable: 503,
  timeout: 504,
} as const satisfies Record<ErrorKind, number>;

export const statusOfWord = (word: ErrorWord): number => statusOf[errorWords[word]];

/** The names of the headers that answers carry for clients. */
export const errorCodeHeader = 'x-error-code';
export const retryAfterHeader = 'retry-after';
/** The import that an answer is the report of. */
export const importIdHeader = 'x-import-id';
/** The tasks that an error is about: the ids of the newest, and how many tasks there are. */
export const taskIdsHeader = 'x-task-ids';
export const taskCountHeader = 'x-task-count';
/** Seconds until a request that was answered with 429 may be retried. */
export const retryAfterSeconds = '1';

/** The headers that CORS lets a page read. */
export const exposedHeaders = [
  'x-request-id',
  errorCodeHeader,
  retryAfterHeader,
  'content-disposition',
  'idempotent-replayed',
  importIdHeader,
  taskIdsHeader,
  taskCountHeader,
].join(',');

/** A browser that has reached the service over HTTPS uses nothing else for two years (HSTS). */
export const transportHeader = 'strict-transport-security';
export const transportSecurity = 'max-age=63072000';

/**
 * The types of answers, from their schemas. `FromSchema` would leave an object open where its
 * schema does not say otherwise, but all schemas of answers are closed.
 */
type Schema<K extends string, V = unknown> = { readonly [Name in K]: V };
type Plain = { string: string; integer: number; number: number; boolean: boolean; null: null };

/** The values that a schema of an answer allows. */
export type Answer<S> =
  S extends Schema<'enum', readonly (infer Value)[]>
    ? Value
    : S extends Schema<'type', infer T>
      ? OfType<S, T extends readonly (infer Each)[] ? Each : T>
      : unknown;

type OfType<S, T> = T extends keyof Plain
  ? Plain[T]
  : T extends 'array'
    ? readonly (S extends Schema<'items', infer Item> ? Answer<Item> : unknown)[]
    : S extends Schema<'properties', infer P>
      ? ObjectOf<P, S extends Schema<'required', readonly (infer Name)[]> ? Name : never>
      : {
          readonly [name: string]: S extends Schema<'additionalProperties', infer Value>
            ? Answer<Value>
            : unknown;
        };

type ObjectOf<P, Required> = { readonly [K in keyof P as K extends Required ? K : never]: Answer<P[K]> } & {
  readonly [K in keyof P as K extends Required ? never : K]?: Answer<P[K]>;
};

/** The names, at any depth, that the answer `A` has and the allowed values `D` lack. */
export type Unknown<A, D> = A extends readonly (infer Item)[]
  ? Unknown<Item, Extract<D, readonly unknown[]>[number]>
  : A extends object
    ? UnknownOf<A, Extract<D, object>>
    : never;
type UnknownOf<A, D> = [D] extends [never]
  ? never
  : {
      [K in keyof A & string]-?: K extends keyof D ? Unknown<A[K], D[K]> : string extends K ? never : K;
    }[keyof A & string];
