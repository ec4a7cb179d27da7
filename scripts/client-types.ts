import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const folder = new URL('../client/generated/', import.meta.url);
const file = new URL('schema.ts', folder);

/**
 * The types of the API's clients, made from its OpenAPI document. Loading the generator takes a second, so
 * that it is loaded only when the document has changed.
 */
export const writeClientTypes = async (document: string): Promise<void> => {
  const mark = `// Made from docs/openapi.json ${createHash('sha256').update(document).digest('hex')}\n`;
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present.startsWith(mark)) return;
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  const types = astToString(await openapiTS(document));
  await mkdir(folder, { recursive: true });
  await writeFile(file, mark + types);
};
