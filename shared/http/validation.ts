import type { Complaint, Validator } from '../api/validators.ts';
import { type FieldError, ServiceError } from '../domain/errors.ts';

const fieldOf = ({ instancePath, keyword, params }: Complaint, part: string): string => {
  const path = instancePath
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') path.push(String(params.missingProperty));
  return path.filter((step) => step !== '').join('.') || part;
};

const wordsOf = ({ keyword, message, params }: Complaint): string => {
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  return message ?? 'is not valid';
};

/** @throws ServiceError invalid, naming each field that is wrong */
export const assertValid = (validator: Validator | undefined, data: unknown, part: string): void => {
  if (validator === undefined || validator(data)) return;
  const errors: FieldError[] = (validator.errors ?? []).map((complaint) => ({
    field: fieldOf(complaint, part),
    message: wordsOf(complaint),
  }));
  const shown = errors.slice(0, 20);
  throw new ServiceError(
    'invalid',
    shown
      .slice(0, 3)
      .map(({ field, message }) => `${field}: ${message}`)
      .join('; '),
    shown,
  );
};

const wholeNumber = /^[+-]?\d{1,20}$/;

type QuerySchema = { readonly properties?: Readonly<Record<string, unknown>> };

/**
 * Query values as their schema's types. Only plain whole numbers become numbers: '', '1.5', '1e3' and
 * '0x10' stay text and fail validation. An empty filter is no filter.
 */
export const coerced = (
  schema: QuerySchema | undefined,
  query: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
      const value = Object.hasOwn(query, name) ? query[name] : undefined;
      const { type, default: fallback } = property as { type?: unknown; default?: unknown };
      if (value === undefined || (value === '' && fallback === undefined)) return [];
      return [[name, type === 'integer' && wholeNumber.test(value) ? Number(value) : value]];
    }),
  );
