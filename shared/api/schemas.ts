import { forms } from '../domain/forms.ts';

export { priority, text } from '../domain/forms.ts';

/** Schemas that several routes share. Lengths of names are checked by the domain, after normalising. */
export const id = { type: 'string', description: 'opaque, URL-safe identifier' } as const;
export const name = { type: 'string', description: '1-100 characters after trimming; unique' } as const;
export const timestamp = {
  type: 'string',
  pattern: forms.timestamp.pattern,
  description: 'YYYY-MM-DD HH:MM:SS in the service time zone',
} as const;
export const optionalTimestamp = { ...timestamp, type: ['string', 'null'] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const rate = { type: 'number', minimum: 0, description: 'a fraction, rounded to 4 decimals' } as const;
export const seconds = { type: 'number', minimum: 0, description: 'seconds' } as const;
export const status = { type: 'integer', minimum: 0, maximum: 6 } as const;

type WithoutDefault<S> = { readonly [K in Exclude<keyof S, 'default'>]: S[K] };

/** The same forms where a value that is absent stays absent. */
export const withoutDefaults = <S extends Readonly<Record<string, object>>>(settings: S) =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { default: _, ...form }]: [string, { default?: unknown }]) => [
      name,
      form,
    ]),
  ) as { readonly [K in keyof S]: WithoutDefault<S[K]> };

/** Exactly these fields, all of them present. */
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
