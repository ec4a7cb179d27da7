import type { Route, Validator, Violation } from '../api/route.ts';
import { invalid } from '../rules/errors.ts';
import { plainName } from '../rules/names.ts';
import type { EndpointEvent } from './request.ts';
import { dropNulls, longestShown, refuse, type ValueSchema, violationsOf } from './validation.ts';

/**
 * Names that a request does not know, in its query, its form and its body. A misspelt name would be
 * lost in silence, and its setting or filter with it. So a route refuses every name that it does
 * not know. The contract's own routes ignore such names, because a client may send a whole object
 * back. They refuse only near misses: names that differ from a known one in case, `_`, `-` and
 * spaces, or in one letter of five.
 */
type Names = Pick<Route, 'ignoresUnknownNames'>;

/** Whether at most `edits` letters are missing, added, changed or swapped with a neighbour. */
const differsBy = (edits: number, one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > edits) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const a = one.slice(same);
  const b = other.slice(same);
  if (a === b) return true;
  if (edits === 0) return false;
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0];
  return (
    differsBy(edits - 1, a.slice(1), b.slice(1)) ||
    differsBy(edits - 1, a.slice(1), b) ||
    differsBy(edits - 1, a, b.slice(1)) ||
    (isSwapped && differsBy(edits - 1, a.slice(2), b.slice(2)))
  );
};

const lettersPerEdit = 5;

/** A known name, its letters, and how many of them may be wrong in a near miss. */
type KnownName = { name: string; letters: string; mostEdits: number };

/** Nothing is a near miss of `id`: too many names resemble it by chance. */
const mistakable = (known: readonly string[]): KnownName[] =>
  known
    .filter((name) => name !== 'id')
    .map((name) => {
      const letters = plainName(name);
      return { name, letters, mostEdits: Math.max(1, Math.floor(letters.length / lettersPerEdit)) };
    });

/** The nearest known name of which `name` is a near miss. */
const nearestName = (name: string, known: readonly KnownName[]): string | undefined => {
  const given = plainName(name);
  const alike = known.filter(
    ({ letters, mostEdits }) => Math.abs(letters.length - given.length) <= mostEdits,
  );
  const mostEdits = Math.max(0, ...alike.map((each) => each.mostEdits));
  for (let edits = 0; edits <= mostEdits; edits++) {
    const near = alike.find((each) => edits <= each.mostEdits && differsBy(edits, given, each.letters));
    if (near !== undefined) return near.name;
  }
  return undefined;
};

/** @returns what the client is told about an unknown name; undefined if the name is ignored */
const adviceOn = (
  name: string,
  known: readonly KnownName[],
  { ignoresUnknownNames }: Names,
): string | undefined => {
  const near = nearestName(name, known);
  if (near !== undefined) return `did you mean ${near}?`;
  return ignoresUnknownNames ? undefined : 'is not a name that this request knows';
};

const unknownName = (name: string, advice: string | undefined): Violation[] =>
  advice === undefined
    ? []
    : [
        {
          instancePath: '',
          keyword: 'additionalProperties',
          params: { additionalProperty: name, advice },
        },
      ];

const namesIn = (schema: unknown): string[] => Object.keys((schema as ValueSchema).properties ?? {});

/** The part of a schema that describes the value at this path. */
const schemaAt = (schema: ValueSchema, instancePath: string): ValueSchema =>
  instancePath
    .split('/')
    .slice(1)
    .reduce((at, step) => (at.items ?? at.properties?.[step] ?? {}) as ValueSchema, schema);

/**
 * Drops values that count as not given, fills in defaults, and checks the rest.
 * @throws ServiceError invalid
 */
export const assertBody = (
  { body: schema = {}, ...names }: Pick<Route, 'body'> & Names,
  validator: Validator | undefined,
  body: unknown,
): void => {
  dropNulls(schema as ValueSchema, body);
  const knownAt = new Map<string, KnownName[]>();
  const refused = violationsOf(validator, body).flatMap((violation) => {
    const { keyword, instancePath, params } = violation;
    if (keyword !== 'additionalProperties') return [violation];
    // Names inside an object are never ignored.
    const rule = instancePath === '' ? names : {};
    const known =
      knownAt.get(instancePath) ?? mistakable(namesIn(schemaAt(schema as ValueSchema, instancePath)));
    knownAt.set(instancePath, known);
    const advice = adviceOn(String(params.additionalProperty), known, rule);
    return advice === undefined ? [] : [{ ...violation, params: { ...params, advice } }];
  });
  refuse(refused, 'body');
};

/** Applies the same rule to the names of a form's parts. @throws ServiceError invalid */
export const assertFormNames = (
  { form = {}, upload, ...names }: Pick<Route, 'form' | 'upload'> & Names,
  given: readonly string[],
): void => {
  const known = [...(upload === undefined ? [] : [upload]), ...namesIn(form)];
  const unknown = given.filter((name) => !known.includes(name));
  refuse(
    unknown.flatMap((name) => unknownName(name, adviceOn(name, mistakable(known), names))),
    'body',
  );
};

/** Page parameters of other services. If they were ignored, a client would read page 1 for ever. */
const otherPageNames = ['page', 'pageno', 'pageindex', 'size', 'limit', 'offset'];

const adviceOnQuery = (name: string, known: readonly string[], names: Names): string | undefined => {
  const isPageName = known.includes('pageNum') && otherPageNames.includes(plainName(name));
  const advice = isPageName
    ? 'did you mean pageNum? A page is chosen with pageNum and pageSize'
    : adviceOn(name, mistakable(known), names);
  return names.ignoresUnknownNames ? advice : `${advice} (known: ${known.join(', ') || 'none'})`;
};

type SentQuery = Pick<EndpointEvent, 'queryStringParameters' | 'multiValueQueryStringParameters'>;

/**
 * Applies the same rule to the names of a query. Each may be given once.
 * @throws ServiceError invalid
 */
export const assertQueryNames = (
  { query = {}, ...names }: Pick<Route, 'query'> & Names,
  { queryStringParameters, multiValueQueryStringParameters }: SentQuery,
): void => {
  for (const [name, values = []] of Object.entries(multiValueQueryStringParameters ?? {}))
    if (values.length > 1)
      throw invalid(name.slice(0, longestShown) || 'query', 'is given twice', 'DUPLICATE');
  const known = namesIn(query);
  const unknown = Object.keys(queryStringParameters ?? {}).filter((name) => !known.includes(name));
  refuse(
    unknown.flatMap((name) => unknownName(name, adviceOnQuery(name, known, names))),
    'query',
  );
};
