/**
 * Each field has an example in its schema, under `examples`. The examples of bodies and answers in the documentation are composed
 * of them.
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

/** The schema with another example. That of an object names only what it has beside its required fields, or differs in. */
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

/** The example of a schema: its own one, or composed of its parts. @throws Error where a text has none */
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
