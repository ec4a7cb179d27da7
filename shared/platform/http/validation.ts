import type { Route, Validator, Violation } from '../api/route.ts';
import { type FieldCode, type FieldError, ServiceError } from '../rules/errors.ts';
import { wordsOfPattern } from '../rules/names.ts';

/** Characters of a name that a client made up. */
const longestShown = 80;

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
    words: ({ near }) =>
      near === undefined ? 'is not a name that this request knows' : `did you mean ${near}?`,
  },
  uniqueItems: { code: 'DUPLICATE', words: () => 'must not have the same entry twice' },
  pattern: { code: 'BAD_FORMAT', words: ({ pattern }) => wordsOfPattern(pattern) },
};
const otherMessage: KeywordMessage = { code: 'NOT_VALID', words: () => 'is not valid' };

const fieldError = (violation: Violation, part: string): FieldError => {
  const { code, words } = keywordMessages[violation.keyword] ?? otherMessage;
  return { field: fieldOf(violation, part), code, message: words(violation.params) };
};

const violationsOf = (validator: Validator | undefined, data: unknown): readonly Violation[] =>
  validator === undefined || validator(data) ? [] : (validator.errors ?? []);

/** @throws ServiceError invalid, naming at most 20 wrong fields */
const refuse = (violations: readonly Violation[], part: string): void => {
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

/** Whether `name` is `known` in another case, or with one letter missing, added, changed or swapped with its neighbour. */
const isNear = (name: string, known: string): boolean => {
  if (name.toLowerCase() === known.toLowerCase()) return true;
  const [short, long] = name.length < known.length ? [name, known] : [known, name];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  const [shortRest, longRest] = [short.slice(same), long.slice(same)];
  if (short.length < long.length) return longRest.slice(1) === shortRest;
  const [first = '', second = ''] = longRest;
  return shortRest.slice(1) === longRest.slice(1) || shortRest === second + first + longRest.slice(2);
};

/** The part of a schema that describes the value at this path. */
const schemaAt = (schema: ValueSchema, instancePath: string): ValueSchema =>
  instancePath
    .split('/')
    .slice(1)
    .reduce((at, step) => (at.items ?? at.properties?.[step] ?? {}) as ValueSchema, schema);

/** Too many names are like `id` by chance. */
const nearName = (name: string, { properties = {} }: ValueSchema): string | undefined =>
  Object.keys(properties).find((known) => known !== 'id' && isNear(name, known));

/**
 * The violations that a request is refused for. An unknown name of the body itself is none where the route ignores such
 * names, unless it is a near miss.
 */
const refused = (
  violations: readonly Violation[],
  schema: ValueSchema,
  ignoresUnknownNames = false,
): Violation[] =>
  violations.flatMap((violation) => {
    const { keyword, instancePath, params } = violation;
    if (keyword !== 'additionalProperties') return [violation];
    const near = nearName(String(params.additionalProperty), schemaAt(schema, instancePath));
    const isIgnored = ignoresUnknownNames && instancePath === '' && near === undefined;
    return isIgnored ? [] : [{ ...violation, params: { ...params, near } }];
  });

type Body = Pick<Route, 'body' | 'ignoresUnknownNames'>;

/** Drops what counts as not given, fills in defaults, and checks the rest. @throws ServiceError invalid */
export const assertBody = (
  { body: schema = {}, ignoresUnknownNames }: Body,
  validator: Validator | undefined,
  body: unknown,
): void => {
  dropNulls(schema as ValueSchema, body);
  refuse(refused(violationsOf(validator, body), schema as ValueSchema, ignoresUnknownNames), 'body');
};

/** The same rule for the names of a form's fields. @throws ServiceError invalid */
export const assertFormNames = (
  { form = {}, ignoresUnknownNames }: Pick<Route, 'form' | 'ignoresUnknownNames'>,
  names: readonly string[],
): void => {
  const schema = form as ValueSchema;
  const violations = names
    .filter((name) => !Object.hasOwn(schema.properties ?? {}, name))
    .map((name) => ({
      instancePath: '',
      keyword: 'additionalProperties',
      params: { additionalProperty: name },
    }));
  refuse(refused(violations, schema, ignoresUnknownNames), 'body');
};

const wholeNumber = /^[+-]?\d{1,20}$/;

type QuerySchema = { readonly properties?: Readonly<Record<string, unknown>> };

/**
 * Query values as their schema's types. Only plain whole numbers become numbers: '1.5', '1e3' and '0x10' stay
 * text and fail validation. An empty value counts as not given; unknown parameters are ignored.
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

type ValueSchema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly items?: unknown;
};

const allowsNull = ({ type }: ValueSchema) => type === undefined || [type].flat().includes('null');

/** Removes the optional fields of a body that are null: they count as not given. A type that allows null keeps it. */
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
