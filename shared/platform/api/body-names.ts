import type { JSONSchema } from 'json-schema-to-ts';
import type { Route } from './route.ts';

/**
 * Which names a body may have. Objects and list entries in a body have the names of their schema
 * and no others, unless the schema says what other names may be (`additionalProperties`). The same
 * holds for the body itself, unless its route `ignoresUnknownNames`. Such a body may have any name
 * except a near miss of an input.
 */
type Schema = {
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
};

/** Writes this rule out in every object of the schema. */
export const closed = <S extends JSONSchema>(schema: S): S => closedObject(schema as Schema) as S;

const closedObject = (schema: Schema): Schema => {
  const { properties, items, additionalProperties = false } = schema;
  return {
    ...schema,
    ...(items === undefined ? {} : { items: closedObject(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, closedObject(property)]),
          ),
          additionalProperties,
        }),
  };
};

/** A body whose schema says what other names may be, such as a contact, has no names to ignore. */
const ignoresNamesOf = ({ additionalProperties }: Schema, { ignoresUnknownNames }: Route) =>
  ignoresUnknownNames === true && additionalProperties === false;

/** The body as the documentation shows it. It is open where other names are ignored. */
export const shownBody = (route: Route): JSONSchema => {
  const body = closed(route.body ?? {}) as Schema;
  const { additionalProperties: _, ...open } = body;
  return (ignoresNamesOf(body, route) ? open : body) as JSONSchema;
};

const chaptersOfObjects: readonly Route['tag'][] = ['Tasks', 'Data sources'];

/** The fields of tasks and data sources in all answers. A client may send such an object back. */
const answeredNames = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ tag, response }) => {
    if (!chaptersOfObjects.includes(tag) || !('data' in response)) return [];
    const { properties = {} } = response.data as Schema;
    return Object.keys({ ...properties, ...properties.rows?.items?.properties });
  });

/**
 * The body as its validator checks it. The validator reports each unknown name. On a route that
 * ignores unknown names, the names of answers are known, so they are never a near miss.
 */
export const checkedBody = (route: Route, routes: readonly Route[]): JSONSchema | undefined => {
  if (route.body === undefined) return undefined;
  const body = closed(route.body) as Schema;
  if (!ignoresNamesOf(body, route)) return body as JSONSchema;
  const known = Object.fromEntries(answeredNames(routes).map((name) => [name, {}]));
  return { ...body, properties: { ...known, ...body.properties } } as JSONSchema;
};
