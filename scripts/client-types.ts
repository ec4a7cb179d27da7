import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const folder = new URL('../client/generated/', import.meta.url);
const file = new URL('schema.ts', folder);

/**
 * Writes the client's types, made from the OpenAPI document. The generator takes a second to load, so it is
 * loaded only when the document has changed.
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
