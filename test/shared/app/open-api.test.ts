import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../../shared/app/open-api/document.ts';

type Schema = {
  $ref?: string;
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
  parameters: { schema?: Schema }[];
  requestBody?: { content: Media };
  responses: Record<string, Response>;
};

const root = path.join(import.meta.dirname, '../../..');
const resolve = createRequire(import.meta.url).resolve;
/** The program of a package, without a shell or npx around it. */
const run = (program: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 10 ** 8,
  });

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

describe('the OpenAPI document', () => {
  it('passes the linter without a warning', async () => {
    const { stdout } = await run(resolve('@redocly/cli/bin/cli.js'), [
      ...['lint', 'docs/openapi.json', '--format', 'json'],
    ]);
    expect((JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: unknown[] }).problems).toEqual([]);
  });

  it('makes a client that compiles', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'outbound-client-'));
    const generator = path.join(path.dirname(resolve('@hey-api/openapi-ts/package.json')), 'bin/run.js');
    await run(generator, ['-i', './docs/openapi.json', '-o', path.join(folder, 'client'), '--silent']);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
      ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await writeFile(
      path.join(folder, 'use.ts'),
      `import { addContact, batchImport, type Contact, type ErrorCode } from './client/index.ts';
       export const add = () => addContact({ path: { id: 'x' }, body: { phoneNumber: '123', plan: 'gold' } });
       export const send = (file: Blob) => batchImport({ path: { id: 'x' }, body: { file, dryRun: true } });
       export const status = ({ status }: Contact): number => status;
       export const code: ErrorCode = 'NAME_TAKEN';\n`,
    );
    const compiler = path.join(path.dirname(resolve('@typescript/native/package.json')), 'bin/tsc');
    const { stdout } = await run(compiler, ['-p', folder, '--allowImportingTsExtensions']).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toBe('');
    await rm(folder, { recursive: true });
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
      // orval takes the schema of OpenAPI 3.1 as it was first published, whose variables have no description.
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
