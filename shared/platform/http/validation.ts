import type { Validator, Violation } from '../api/route.ts';
import { type FieldCode, type FieldError, ServiceError } from '../rules/errors.ts';
import { wordsOfPattern } from '../rules/names.ts';

/** Characters that are shown of a name from a request. */
export const longestShown = 80;

const fieldOf = ({ instancePath, keyword, params }: Violation, part: string): string => {
  const path = instancePath
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty).slice(0, longestShown));
  return path.filter((step) => step !== '').join('.') || part;
};

const counted = (limit: unknown, thing: 'character' | 'entry') => {
  const several = thing === 'entry' ? 'entries' : 'characters';
  return `${limit} ${limit === 1 ? thing : several}`;
};

const article: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const typeWords = (type: unknown) => {
  const words = [type].flat().map((name) => article[String(name)] ?? String(name));
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
};

type KeywordMessage = { code: FieldCode; words: (params: Record<string, unknown>) => string };

/** The code and the message for each schema keyword that a value does not meet. */
export const keywordMessages: Record<string, KeywordMessage> = {
  required: { code: 'REQUIRED', words: () => 'is required' },
  type: { code: 'WRONG_TYPE', words: ({ type }) => `must be ${typeWords(type)}` },
  enum: {
    code: 'NOT_A_CHOICE',
    words: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  },
  minimum: { code: 'TOO_SMALL', words: ({ limit }) => `must be at least ${limit}` },
  maximum: { code: 'TOO_LARGE', words: ({ limit }) => `must be at most ${limit}` },
  minLength: { code: 'TOO_SHORT', words: ({ limit }) => `must have at least ${counted(limit, 'character')}` },
  maxLength: { code: 'TOO_LONG', words: ({ limit }) => `must have at most ${counted(limit, 'character')}` },
  minItems: { code: 'TOO_FEW', words: ({ limit }) => `must have at least ${counted(limit, 'entry')}` },
  maxItems: { code: 'TOO_MANY', words: ({ limit }) => `must have at most ${counted(limit, 'entry')}` },
  maxProperties: { code: 'TOO_MANY', words: ({ limit }) => `must have at most ${counted(limit, 'entry')}` },
  propertyNames: {
    code: 'BAD_FORMAT',
    words: ({ propertyName }) => `must not have the name "${String(propertyName).slice(0, longestShown)}"`,
  },
  additionalProperties: {
    code: 'UNKNOWN',
    words: ({ advice }) => String(advice),
  },
  uniqueItems: { code: 'DUPLICATE', words: () => 'must not have the same entry twice' },
  pattern: { code: 'BAD_FORMAT', words: ({ pattern }) => wordsOfPattern(pattern) },
};
const otherMessage: KeywordMessage = { code: 'NOT_VALID', words: () => 'is not valid' };

const fieldError = (violation: Violation, part: string): FieldError => {
  const { code, words } = keywordMessages[violation.keyword] ?? otherMessage;
  return { field: fieldOf(violation, part), code, message: words(violation.params) };
};

export const violationsOf = (validator: Validator | undefined, data: unknown): readonly Violation[] =>
  validator === undefined || validator(data) ? [] : (validator.errors ?? []);

/** @throws ServiceError invalid, naming at most 20 wrong fields */
export const refuse = (violations: readonly Violation[], part: string): void => {
  if (violations.length === 0) return;
  const shown = violations.slice(0, 20).map((violation) => fieldError(violation, part));
  throw new ServiceError(
    'INVALID',
    shown
      .slice(0, 3)
      .map(({ field, message }) => `${field}: ${message}`)
      .join('; '),
    shown,
  );
};

/** @throws ServiceError invalid */
export const assertValid = (validator: Validator | undefined, data: unknown, part: string): void =>
  refuse(violationsOf(validator, data), part);

const wholeNumber = /^[+-]?\d{1,20}$/;

type QuerySchema = { readonly properties?: Readonly<Record<string, unknown>> };

/**
 * Converts query values to the types of their schema. Only plain whole numbers become numbers:
 * '1.5', '1e3' and '0x10' stay text and fail validation. An empty value counts as not given.
 */
export const coerced = (
  schema: QuerySchema | undefined,
  query: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
      const value = Object.hasOwn(query, name) ? query[name] : undefined;
      const { type } = property as { type?: unknown };
      return value === undefined || value === '' ? [] : [[name, typedValue(type, value)]];
    }),
  );

const typedValue = (type: unknown, text: string): unknown => {
  if (type === 'integer' && wholeNumber.test(text)) return Number(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
};

export type ValueSchema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly items?: unknown;
};

const allowsNull = ({ type }: ValueSchema) => type === undefined || [type].flat().includes('null');

/**
 * Removes the optional fields of a body that are null, because they count as not given. A field
 * whose type allows null stays.
 */
export const dropNulls = (schema: ValueSchema, value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const entry of value) dropNulls(schema.items as ValueSchema, entry);
  }
  const fields = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(fields, name)) continue;
    const isOptional = !schema.required?.includes(name) && !allowsNull(property as ValueSchema);
    if (fields[name] === null && isOptional) delete fields[name];
    else dropNulls(property as ValueSchema, fields[name]);
  }
};
