import type { JSONSchema } from 'json-schema-to-ts';
import type { ErrorWord } from '../rules/errors.ts';
import type { importIdHeader } from './answers.ts';

/** The scopes of users, by their groups in the user pool. Users in no group have no access. */
export const scopesOfGroups = {
  viewers: ['outbound/read'],
  operators: ['outbound/read', 'outbound/write'],
} as const satisfies Record<string, readonly Scope[]>;

export const scopes = ['outbound/read', 'outbound/write', 'outbound/dial'] as const;
export type Scope = (typeof scopes)[number];

/** The chapters of the documentation, in their order. */
export const tags = {
  Tasks: 'Campaigns: settings, lifecycle, progress, statistics and export',
  'Data sources': 'Lists of contacts, which tasks dial',
  Calls: 'The record of every call, and what the dialer learned in it',
  Contacts: 'The contacts of a data source, one by one',
  'Contact files': 'Import and export of contacts as CSV or Excel files',
  People: 'A phone number in all data sources',
  Dialing: 'For dialers: lease calls and report their results',
  Events: 'What has happened: a list to read, and webhooks to receive',
  Service: 'The rules that hold for all tasks',
} as const;

/** What a function may do to the table: actions on items whose partition key matches `keys`. */
export type TableAccess = {
  readonly actions: readonly TableAction[];
  readonly keys: readonly string[];
  /** Whether the actions are allowed on the index too, or only there. */
  readonly index?: 'also' | 'only';
};
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem'
  | 'PartiQLInsert'
  | 'PartiQLUpdate';

/**
 * What a function may do to objects below a prefix of the bucket. Without ListBucket, S3 answers a
 * read of a missing object with "access denied" instead of "not found".
 */
export type BucketAccess = { readonly actions: readonly BucketAction[]; readonly prefix: string };
export type BucketAction = 'GetObject' | 'PutObject' | 'AbortMultipartUpload' | 'ListBucket' | 'DeleteObject';

export type Access = {
  readonly table?: readonly TableAccess[];
  readonly bucket?: readonly BucketAccess[];
  /** May put events on the service's event bus. */
  readonly eventBus?: true;
  /** May ask for deliveries to webhooks. */
  readonly deliveryQueue?: true;
  /** What the function may do to contacts of the Amazon Connect instance. */
  readonly connect?: readonly ConnectAction[];
  /** Checks access tokens. */
  readonly tokens?: true;
  /** Serves the console's page. */
  readonly page?: true;
};
/** A route or another function that declares these uses. Its environment has their variables. */
export type Using<U extends keyof Access> = { readonly access: Required<Pick<Access, U>> };
export type ConnectAction = 'StartOutboundVoiceContact' | 'DescribeContact' | 'GetContactAttributes';

/** Memory in megabytes, timeout in seconds. */
export type Resources = { readonly memory: number; readonly timeout: number };
/** The resources of a route that declares none. */
export const usualResources: Resources = { memory: 512, timeout: 29 };

/** One endpoint. Router, validation, types, documentation, stack and permissions follow from it. */
export type Route = Partial<Resources> & {
  readonly id: string;
  /** The file below functions/ that exports the endpoint under the route's id. */
  readonly file: string;
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  /** `null`: any valid token is accepted. */
  readonly scope: Scope | null;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  readonly params?: JSONSchema;
  readonly query?: JSONSchema;
  readonly body?: JSONSchema;
  /**
   * Routes of the contract ignore unknown names in their query, form and body, except near misses,
   * because a client may send a whole object back. Other routes refuse unknown names. So does
   * recall.
   */
  readonly ignoresUnknownNames?: true;
  /** Largest request body in bytes; `usualBodyLimit` where absent. */
  readonly bodyLimit?: number;
  /** The request is a multipart form with one file part of this name. */
  readonly upload?: string;
  /** The text fields that the form may have beside the file. */
  readonly form?: JSONSchema;
  /** The schema of `data`, or a file stream of these media types. */
  readonly response: { readonly data: JSONSchema } | { readonly file: readonly string[] };
  /** Headers of a successful answer, beside those of every answer. */
  readonly answerHeaders?: readonly (typeof importIdHeader)[];
  /** The errors of this endpoint. The errors of all endpoints are in `errorsOf`. */
  readonly errors: readonly ErrorWord[];
  /** A repeat under an Idempotency-Key gets the present values, and does nothing again. */
  readonly isAnsweredAnew?: true;
  readonly access: Access;
};

/** Most routes are of one of these kinds. */
export const reading = { method: 'GET', scope: 'outbound/read' } as const;
export const writing = { method: 'POST', scope: 'outbound/write' } as const;
export const dialing = { method: 'POST', scope: 'outbound/dial' } as const;

/** Bytes. Far above the size of any task, data source or contact. */
export const usualBodyLimit = 256 * 1024;

/** Bytes from which an answer is compressed for clients that accept gzip, unless streamed. */
export const compressedFrom = 1024;

const commonErrors = [
  'INVALID',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'STORAGE_FULL',
  'TIMEOUT',
] as const satisfies readonly ErrorWord[];

/** A POST may be too large, conflict with another change, or repeat an Idempotency-Key. */
const postErrors = [
  'TOO_LARGE',
  'TOO_MANY_CHANGES',
  'STILL_RUNNING',
  'KEY_REUSED',
] as const satisfies readonly ErrorWord[];

/** All errors that an endpoint can answer: those of any request, and its own. */
export const errorsOf = ({ method, errors }: Route): ErrorWord[] => [
  ...new Set<ErrorWord>([...errors, ...commonErrors, ...(method === 'POST' ? postErrors : [])]),
];

/** Compiled from a route's schema. It fills in defaults and leaves what is wrong in `errors`. */
export type Validator = {
  (data: unknown): boolean;
  errors?: readonly Violation[] | null;
};

/** A keyword of the schema that a value does not meet. */
export type Violation = {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
};

export type Validators = {
  readonly params: Validator | undefined;
  readonly query: Validator | undefined;
  readonly body: Validator | undefined;
};

/**
 * A grant is named after what a function does with it. `keys.ts` has the prefixes of the keys. The
 * tests run every function under a role made of its grants.
 */
export type Grant = TableAccess;

export const grant = (actions: readonly TableAction[], ...keys: readonly string[]): Grant => ({
  actions,
  keys,
});
export const objectGrant = (actions: readonly BucketAction[], prefix: string): BucketAccess => ({
  actions,
  prefix,
});

/**
 * Every function that uses the table checks the format before its first call. The numbered lists
 * show whether the table is new.
 */
export const checkFormat: readonly Grant[] = [
  grant(['GetItem'], 'FORMAT'),
  grant(['GetItem'], 'ROLL#dataSource', 'ROLL#task'),
];
/**
 * Records the format of a new table. A wrong format stops the service, so only two functions may do
 * it: a scheduled function, which runs soon after the first deployment, and addDataSource, which
 * adds the first data.
 */
export const setUpTable = grant(['PutItem'], 'FORMAT');

/** Stored answers and effect records of requests with an Idempotency-Key. */
const storeAnswers = grant(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], 'ONCE#*');

/** All that a route's function may do: the access it declares. A POST also stores its answers. */
export const accessOf = ({ method, access }: Pick<Route, 'method' | 'access'>): Access =>
  method === 'POST' ? { ...access, table: [...(access.table ?? []), storeAnswers] } : access;

/** Uploads a rendered file, and removes the parts of an upload that broke off. */
export const renderExport = objectGrant(['PutObject', 'GetObject', 'AbortMultipartUpload'], 'exports/');
