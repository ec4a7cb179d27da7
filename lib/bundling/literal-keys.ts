import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const schemaFiles = /@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;
const constant = /^const (_\w+) = ("[^"\\]*");$/gm;
const computedKey = /\[(_\w+)\]:/g;

/** `{ [_k]: 1 }` as `{ "key": 1 }`, for the constants that the text itself defines. */
export const withLiteralKeys = (text: string): string => {
  const values = new Map([...text.matchAll(constant)].map(([, name, value]) => [name, value]));
  return text.replace(computedKey, (key, name: string) => (values.has(name) ? `${values.get(name)}:` : key));
};

/**
 * The SDK writes the schemas of all operations with computed keys, which esbuild must take for code with
 * effects and keep: 50 KB of S3 operations that nobody calls.
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
