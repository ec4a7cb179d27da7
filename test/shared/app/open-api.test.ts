import { describe, expect, it } from 'vitest';
import { openApi } from '../../../shared/app/open-api/document.ts';

type Schema = {
  $ref?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
};
type Media = Record<
  string,
  { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
>;
type Response = { $ref?: string; headers: Record<string, object>; content: Media };
type Operation = {
  description: string;
  operationId: string;
  parameters: { name: string; schema?: Schema }[];
  requestBody?: { content: Media };
  responses: Record<string, Response>;
};

const document = openApi() as {
  servers: { url: string; variables: Record<string, { default: string }> }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const responseOf = (response: Response) =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1)!]!;

const schemasOf = (content: Media) => Object.values(content).map(({ schema }) => schema);
const within = (schema: Schema): Schema[] => [
  schema,
  ...[
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.allOf ?? []),
  ].flatMap(within),
];
const shown = [
  ...operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters.flatMap(({ schema = {} }) => schema),
    ...schemasOf(requestBody?.content ?? {}),
    ...schemasOf(responses['200']!.content),
  ]),
  ...Object.values(document.components.schemas),
].flatMap(within);

const typesOf = (schema: Schema): string[] => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? [schema.type ?? []].flat() : typesOf(document.components.schemas[name]!);
};

const referred = (schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name]!;
};
/** The inputs in a schema by their path, with those of its objects and lists. */
const inputsIn = (schema: Schema, path: string): { path: string; input: Schema }[] => {
  const { properties = {}, items, allOf = [] } = referred(schema);
  return [
    ...Object.entries(properties).flatMap(([name, input]) => [
      { path: `${path} ${name}`, input: referred(input) },
      ...inputsIn(input, `${path} ${name}`),
    ]),
    ...(items === undefined ? [] : inputsIn(items, path)),
    ...allOf.flatMap((part) => inputsIn(part, path)),
  ];
};

describe('the OpenAPI document', () => {
  it('describes every input', () => {
    const inputs = operations.flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters.map(({ name, schema = {} }) => ({
        path: `${operationId} ${name}`,
        input: referred(schema),
      })),
      ...schemasOf(requestBody?.content ?? {}).flatMap((schema) => inputsIn(schema, operationId)),
    ]);
    expect(inputs.length).toBeGreaterThan(300);
    expect(inputs.filter(({ input }) => !input.description).map(({ path }) => path)).toEqual([]);
  });

  it('names what is used twice', () => {
    const objects = shown.filter(({ properties = {} }) => Object.keys(properties).length > 1);
    const texts = objects.map((schema) => JSON.stringify(schema));
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
  });

  it('gives custom fields a type that covers the declared fields, none of which is optional', () => {
    for (const { properties, required = [], additionalProperties } of shown) {
      if (properties === undefined || typeof additionalProperties !== 'object') continue;
      expect(required).toEqual(expect.arrayContaining(Object.keys(properties)));
      const types = Object.values(properties).flatMap(typesOf);
      expect(typesOf(additionalProperties)).toEqual(expect.arrayContaining(types));
    }
  });

  it('marks each POST with its key, which is no parameter: a collection would send the same one each time', () => {
    const posts = Object.values(document.paths).flatMap(({ post }) => (post === undefined ? [] : [post]));
    expect(posts.length).toBeGreaterThan(0);
    for (const post of posts) expect(post).toMatchObject({ 'x-idempotency-key': true });
    expect(document).toMatchObject({ 'x-idempotency-key': { name: 'Idempotency-Key', in: 'header' } });
    expect(JSON.stringify(document).match(/"name":"Idempotency-Key"/g)).toHaveLength(1);
  });

  it('shows files as binary, and an absolute address', () => {
    const files = operations.flatMap(({ requestBody, responses }) => [
      ...schemasOf(requestBody?.content ?? {}).filter(({ $ref }) => $ref?.endsWith('FileForm')),
      ...schemasOf(responses['200']!.content).filter(({ format }) => format === 'binary'),
    ]);
    expect(files.length).toBeGreaterThanOrEqual(5);
    expect(document.components.schemas.ContactFileForm?.properties?.file?.format).toBe('binary');
    for (const { url, variables } of document.servers) {
      expect(URL.canParse(url.replace('{host}', variables.host!.default))).toBe(true);
      // orval takes the schema of OpenAPI 3.1 as it was first published, whose variables have no
      // description.
      expect(Object.keys(variables.host!)).toEqual(['default']);
    }
  });

  it('shows the words of every error, with an example as it is really answered', () => {
    for (const { responses } of operations) {
      for (const [status, reference] of Object.entries(responses)) {
        if (status === '200') continue;
        const { headers, content } = responseOf(reference);
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(['x-request-id', 'x-error-code']));
        expect('retry-after' in headers).toBe(status === '429');
        const examples = Object.entries(content['application/json']?.examples ?? {});
        expect(examples.length).toBeGreaterThan(0);
        for (const [word, { value }] of examples) {
          const code = word === 'INVALID' ? 'REQUIRED' : 'NOT_VALID';
          const data = status === '400' ? { errors: [expect.objectContaining({ code })] } : null;
          expect(value).toEqual({ code: Number(status), message: expect.any(String), data });
        }
      }
    }
  });
});
