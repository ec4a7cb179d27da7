import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { allRoutes } from '../shared/app/all-routes.ts';
import { openApi } from '../shared/app/open-api/document.ts';
import { checkedBody } from '../shared/platform/api/body-names.ts';
import type { Route } from '../shared/platform/api/route.ts';

const folder = new URL('../shared/app/generated/', import.meta.url);
const parts = ['params', 'query', 'body'] as const;

/** One module for each route, so that a function is bundled with its own validators only. */
const validatorModule = (route: Route): string => {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    strictTypes: false,
    logger: false,
    // Lengths in UTF-16 units need no helper module; the domain counts code points where it matters.
    unicode: false,
    code: { source: true, esm: true, lines: false },
  });
  const schemas: Record<string, string> = {};
  for (const part of parts) {
    const schema = part === 'body' ? checkedBody(route, allRoutes) : route[part];
    if (schema === undefined) continue;
    ajv.addSchema(schema as object, part);
    schemas[part] = part;
  }
  const absent = parts
    .filter((part) => !(part in schemas))
    .map((part) => `export const ${part} = undefined;`);
  const present = Object.keys(schemas).length === 0 ? '' : standalone(ajv, schemas);
  return `${present}\n${absent.join('\n')}\n`;
};

const index = `${allRoutes.map(({ id }) => `export * as ${id} from './${id}.js';`).join('\n')}\n`;
const types = `import type { Validators } from '../../platform/api/route.ts';\n${allRoutes
  .map(({ id }) => `export declare const ${id}: Validators;`)
  .join('\n')}\n`;

/** A concurrent reader finds the whole file, old or new. */
const replaceFile = async (file: URL, content: string): Promise<void> => {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === content) return;
  const unfinished = `${fileURLToPath(file)}.${process.pid}.tmp`;
  await writeFile(unfinished, content);
  await rename(unfinished, file);
};

const modules = new Map(allRoutes.map((route) => [`${route.id}.js`, validatorModule(route)]));
const indexes = new Map([
  ['index.js', index],
  ['index.d.ts', types],
]);

/** Writes the client's types. Their generator takes a second to load, so it runs only for a changed document. */
const writeClientTypes = async (document: string): Promise<void> => {
  const clientFolder = new URL('../client/generated/', import.meta.url);
  const file = new URL('schema.ts', clientFolder);
  const mark = `// Made from docs/openapi.json ${createHash('sha256').update(document).digest('hex')}\n`;
  if ((await readFile(file, 'utf8').catch(() => '')).startsWith(mark)) return;
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  const types = astToString(await openapiTS(document));
  await mkdir(clientFolder, { recursive: true });
  await replaceFile(file, mark + types);
};

// In this order no reader misses a file: the modules, then the index that names them, then the removal of old modules.
await mkdir(folder, { recursive: true });
for (const files of [modules, indexes]) {
  await Promise.all([...files].map(([name, content]) => replaceFile(new URL(name, folder), content)));
}
for (const name of await readdir(folder)) {
  if (name.endsWith('.js') && !modules.has(name) && !indexes.has(name))
    await rm(new URL(name, folder), { force: true });
}
const document = `${JSON.stringify(openApi(), null, 2)}\n`;
await replaceFile(new URL('../docs/openapi.json', import.meta.url), document);
await writeClientTypes(document);
