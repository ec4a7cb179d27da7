import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { allRoutes } from '../shared/api/all-routes.ts';
import { openApi } from '../shared/api/open-api.ts';
import type { Route } from '../shared/api/route.ts';

const folder = new URL('../shared/api/generated/', import.meta.url);
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
    const schema = route[part];
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
const types = `import type { Validators } from '../validators.ts';\n${allRoutes
  .map(({ id }) => `export declare const ${id}: Validators;`)
  .join('\n')}\n`;

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await Promise.all([
  ...allRoutes.map((route) => writeFile(new URL(`${route.id}.js`, folder), validatorModule(route))),
  writeFile(new URL('index.js', folder), index),
  writeFile(new URL('index.d.ts', folder), types),
  writeFile(new URL('../docs/openapi.json', import.meta.url), `${JSON.stringify(openApi(), null, 2)}\n`),
]);
