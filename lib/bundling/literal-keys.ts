import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const schemaFiles = /@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;
const constant = /^const (_\w+) = ("[^"\\]*");$/gm;
const computedKey = /\[(_\w+)\]:/g;

/** Writes `{ [_k]: 1 }` as `{ "key": 1 }` for constants that the text itself defines. */
export const withLiteralKeys = (text: string): string => {
  const values = new Map([...text.matchAll(constant)].map(([, name, value]) => [name, value]));
  return text.replace(computedKey, (key, name: string) => (values.has(name) ? `${values.get(name)}:` : key));
};

/**
 * The SDK writes the schemas of all operations with computed keys. esbuild must take those for code with side effects
 * and would keep 50 KB of S3 operations that no function calls.
 */
export const literalKeys: Plugin = {
  name: 'literal-keys',
  setup: (build) => {
    build.onLoad({ filter: schemaFiles }, async ({ path }) => ({
      contents: withLiteralKeys(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};
