import type { JSONSchema } from 'json-schema-to-ts';

export type Json = Record<string, unknown>;

type ObjectSchema = {
  title?: string;
  examples?: unknown;
  type?: unknown;
  properties?: Record<string, ObjectSchema>;
  required?: readonly string[];
  items?: ObjectSchema;
  oneOf?: readonly ObjectSchema[];
  const?: unknown;
  additionalProperties?: boolean | ObjectSchema;
};

const mapped = (schemas: Record<string, ObjectSchema>, map: (schema: ObjectSchema) => Json) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]));

const typesOf = (schemas: readonly ObjectSchema[]) => [...new Set(schemas.flatMap(({ type }) => type))];

/**
 * Declared fields beside custom fields. TypeScript has one index signature for both, which must
 * cover the declared fields too, and no optional field fits it. So the custom fields get the types
 * of all fields, and stand apart if a field is optional. A field without a type is ignored by the
 * service and not documented.
 */
const openObject = (schema: ObjectSchema, custom: ObjectSchema): ObjectSchema | { allOf: ObjectSchema[] } => {
  const { additionalProperties: _, ...closed } = schema;
  const declared = Object.entries(schema.properties ?? {}).filter(([, { type }]) => type !== undefined);
  const properties = Object.fromEntries(declared);
  const types = typesOf([custom, ...Object.values(properties)]);
  const { title: __, ...rest } = custom;
  const additionalProperties = { ...rest, type: types.length === 1 ? types[0] : types };
  const isWhole = declared.every(([name]) => schema.required?.includes(name));
  if (isWhole) return { ...closed, properties, additionalProperties };
  return {
    allOf: [
      { ...closed, properties },
      { type: 'object', additionalProperties },
    ],
  };
};

/** The route table's schemas as the document shows them, and the components they refer to. */
export class DocumentSchemas {
  readonly #components = new Map<string, Json>();

  /** A schema with a title becomes a component, and a reference to it. */
  shown(schema: JSONSchema): Json {
    return this.#shown(schema as ObjectSchema);
  }

  /** @returns the components by name @throws Error if two schemas have the same title */
  get components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #shown(schema: ObjectSchema): Json {
    const { title, examples: _, ...rest } = schema;
    const content = this.#content(rest);
    if (title === undefined) return content;
    const known = this.#components.get(title) ?? content;
    if (JSON.stringify(known) !== JSON.stringify(content)) throw new Error(`two schemas are called ${title}`);
    this.#components.set(title, known);
    return { $ref: `#/components/schemas/${title}` };
  }

  #content(schema: ObjectSchema): Json {
    const { properties, additionalProperties } = schema;
    if (properties !== undefined && typeof additionalProperties === 'object') {
      const open = openObject(schema, additionalProperties);
      return 'allOf' in open ? { allOf: open.allOf.map((part) => this.#parts(part)) } : this.#parts(open);
    }
    return this.#parts(schema);
  }

  /** Schemas with a title that are told apart by their `type`. */
  #variants(oneOf: readonly ObjectSchema[]): Json {
    const shown = oneOf.map((each) => this.#shown(each));
    const typed = oneOf.map(({ properties }, i) => [properties?.type?.const, shown[i]?.$ref]);
    return { oneOf: shown, discriminator: { propertyName: 'type', mapping: Object.fromEntries(typed) } };
  }

  #parts(schema: ObjectSchema): Json {
    const { properties, items, oneOf, additionalProperties } = schema;
    return {
      ...schema,
      ...(oneOf === undefined ? {} : this.#variants(oneOf)),
      ...(properties === undefined ? {} : { properties: mapped(properties, (each) => this.#shown(each)) }),
      ...(items === undefined ? {} : { items: this.#shown(items) }),
      ...(typeof additionalProperties === 'object'
        ? { additionalProperties: this.#shown(additionalProperties) }
        : {}),
    };
  }
}

/** A file. `format` is for generators of OpenAPI 3.0, which do not know `contentMediaType`. */
export const binary = (contentMediaType: string): Json => ({
  type: 'string',
  format: 'binary',
  contentMediaType,
});
