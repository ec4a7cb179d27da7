import { forms } from '../domain/forms.ts';

export { priority, text } from '../domain/forms.ts';

/** Schemas that several routes share. The domain checks the length of a name after normalising it. */
export const id = { type: 'string', description: 'Opaque, URL-safe identifier' } as const;
export const name = { type: 'string', description: '1-100 characters after trimming; unique' } as const;
export const timestamp = {
  type: 'string',
  pattern: forms.timestamp.pattern,
  description: "YYYY-MM-DD HH:MM:SS in the service's time zone",
} as const;
export const optionalTimestamp = { ...timestamp, type: ['string', 'null'] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const rate = { type: 'number', minimum: 0, description: 'Fraction, rounded to 4 decimals' } as const;
export const seconds = { type: 'number', minimum: 0, description: 'Seconds' } as const;
export const status = { type: 'integer', minimum: 0, maximum: 6 } as const;

type WithoutDefault<S> = { readonly [K in Exclude<keyof S, 'default'>]: S[K] };

/** The same schemas without defaults: an absent value stays absent. */
export const withoutDefaults = <S extends Readonly<Record<string, object>>>(settings: S) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { default: _, ...schema }]: [string, { default?: unknown }]) => [
      name,
      schema,
    ]),
  ) as { readonly [K in keyof S]: WithoutDefault<S[K]> };

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

const pageNum = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 } as const;
const pageSize = { type: 'integer', minimum: 1, maximum: 500, default: 20 } as const;

export const paging = { pageNum, pageSize } as const;

export const pageOf = <const R>(row: R) =>
  ({
    type: 'object',
    properties: { total: count, rows: { type: 'array', items: row } },
    required: ['total', 'rows'],
    additionalProperties: false,
  }) as const;

export const fileFormat = { type: 'string', enum: ['csv', 'excel'], default: 'excel' } as const;
export const fileTypes = [
  'text/csv; charset=utf-8',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const;
