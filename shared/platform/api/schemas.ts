import { patterns } from '../rules/names.ts';
import { reading } from './route.ts';

/**
 * Each field has an example in its schema, under `examples`. The examples of bodies and answers in
 * the documentation are composed of them.
 */
type Schema = {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  examples?: readonly unknown[];
};

/**
 * The schema with another example. The example of an object names only what it has beside its
 * required fields, or what differs from them.
 */
export const like = <const S extends object>(schema: S, example: unknown): S => ({
  ...schema,
  examples: [example],
});

const ofType = (type: string | undefined, { minimum = 0 }: Schema): unknown => {
  if (type === 'null') return null;
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return minimum;
  throw new Error('a schema has neither an example nor a value that is one');
};

/**
 * The schema's own example, or one composed of its parts.
 * @throws Error if a text has no example
 */
export const exampleOf = (schema: Schema): unknown => {
  const { type, properties, required = [], items, examples: [own] = [] } = schema;
  if (properties !== undefined && own !== null) {
    const fields = Object.entries(properties).filter(
      ([name]) => required.includes(name) && !Object.hasOwn(Object(own), name),
    );
    return { ...Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)])), ...Object(own) };
  }
  if (own !== undefined) return own;
  if (items !== undefined) return [exampleOf(items)];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  return ofType([type].flat().at(-1) as string | undefined, schema);
};

/**
 * Schemas that several routes share. A schema with a title is a component of the OpenAPI document,
 * under its title. The domain checks the length of a name after normalising it.
 */
export const id = {
  title: 'Id',
  type: 'string',
  description: 'Opaque, URL-safe identifier',
  examples: ['4k9x2m7q8t3vbn5c'],
} as const;
export const dataSourceId = like(id, '7d2h6w9rk4mz3pqa');
export const contactId = like(id, '7d2h6w9rk4mz3pqa-2s');
export const callId = {
  type: 'string',
  description: 'The call, as its lease named it',
  examples: ['4k9x2m7q8t3vbn5c-2s-h7w2k9'],
} as const;
export const name = {
  title: 'Name',
  type: 'string',
  description: '1-100 characters after trimming; unique',
  examples: ['Renewal reminders'],
} as const;
export const dataSourceName = like(name, 'June renewals');
export const phone = { type: 'string', examples: ['13800138000'] } as const;
export const timestamp = {
  title: 'Timestamp',
  type: 'string',
  pattern: patterns.timestamp.pattern,
  description: "YYYY-MM-DD HH:MM:SS in the service's time zone",
  examples: ['2026-05-01 10:00:00'],
} as const;
export const createTime = like(timestamp, '2026-05-01 09:00:00');
export const optionalTimestamp = {
  ...timestamp,
  title: 'OptionalTimestamp',
  type: ['string', 'null'],
  examples: [null],
} as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const rate = { type: 'number', minimum: 0, description: 'Fraction, rounded to 4 decimals' } as const;
export const seconds = { type: 'number', minimum: 0, description: 'Seconds', examples: [42] } as const;
export const status = {
  title: 'TaskStatus',
  type: 'integer',
  minimum: 0,
  maximum: 6,
  description: '0 DRAFT, 1 RUNNING, 2 PAUSED, 3 STOPPED, 4 COMPLETED, 5 FAILED, 6 CLOSED',
  examples: [1],
} as const;
export const optionalStatus = { ...status, title: 'OptionalTaskStatus', type: ['integer', 'null'] } as const;
export const contactStatus = {
  title: 'ContactStatus',
  type: 'integer',
  minimum: 0,
  maximum: 4,
  description: 'Latest outcome in any task: 0 not dialed, 1 success, 2 failed, 3 no answer, 4 in a call',
  examples: [1],
} as const;
export const customFields = {
  title: 'ContactFields',
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'The fields of a contact by name, without its phone number',
  examples: [{ customerName: 'Li Wei', plan: 'gold' }],
} as const;

type Untitled<S> = { readonly [K in Exclude<keyof S, 'title' | 'description'>]: S[K] };

/** A schema with its own description, and so without the title of the component. */
export const described = <const S extends { title?: string; description?: string }>(
  { title: _, description: __, ...schema }: S,
  description: string,
) => ({ ...schema, description }) as unknown as Untitled<S> & { readonly description: string };

type WithoutDefault<S> = { readonly [K in Exclude<keyof S, 'default'>]: S[K] };

/** The same schemas without defaults: an absent value stays absent. */
export const withoutDefaults = <S extends Readonly<Record<string, object>>>(settings: S) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { default: _, ...schema }]: [string, { default?: unknown }]) => [
      name,
      schema,
    ]),
  ) as { readonly [K in keyof S]: WithoutDefault<S[K]> };

/** `schema` as a component of the OpenAPI document. */
export const titled = <const T extends string, const S extends object>(title: T, schema: S) =>
  ({ title, ...schema }) as const;

/** The data of an answer that only confirms. */
export const nothing = titled('Nothing', { type: 'null' });

/** An object with exactly these fields, all present. */
export const exactly = <const P extends Record<string, unknown>>(properties: P) =>
  ({
    type: 'object',
    properties,
    required: Object.keys(properties) as (keyof P & string)[],
    additionalProperties: false,
  }) as const;

export const idParams = {
  type: 'object',
  properties: { id },
  required: ['id'],
} as const;
export const taskReference = { title: 'TaskReference', ...idParams } as const;

const pageNum = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 1,
  description: 'Number of the page, from 1',
} as const;
const pageSize = {
  type: 'integer',
  minimum: 1,
  maximum: 500,
  default: 20,
  description: 'Maximum number of rows in a page',
} as const;

export const paging = { pageNum, pageSize } as const;

export const pageOf = <const R>(row: R) =>
  ({
    type: 'object',
    properties: { total: like(count, 1), rows: { type: 'array', items: row } },
    required: ['total', 'rows'],
    additionalProperties: false,
  }) as const;

export const fileFormat = {
  title: 'FileFormat',
  type: 'string',
  description: 'excel is XLSX',
  enum: ['csv', 'excel'],
  default: 'excel',
} as const;
const fileTypes = [
  'text/csv; charset=utf-8',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const;
/** What routes that answer a file have in common. */
export const exporting = {
  ...reading,
  response: { file: fileTypes },
  memory: 1024,
  timeout: 900,
} as const;
