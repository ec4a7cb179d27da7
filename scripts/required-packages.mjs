import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest package.json above the file says what its `.js` files are. */
const isModule = (file) => {
  if (extname(file) !== '.js') return extname(file) === '.mjs';
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module';
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
};

/**
 * For esbuild: packages in CommonJS stay out of the bundle and are required when what imports them runs. Node
 * reads one that is imported twice, the first time for the names it exports: a third of the start of a program.
 * Those that are modules become part of the bundle; what is imported in the middle of a program stays outside.
 */
export const requiredPackages = (root) => {
  const require = createRequire(join(root, 'package.json'));
  /** Whether `import` and `require` give the same file, which then is no module. */
  const isCommonJs = (name) => {
    try {
      const file = fileURLToPath(import.meta.resolve(name));
      return !isModule(file) && require.resolve(name) === file;
    } catch {
      return false;
    }
  };
  return {
    name: 'required-packages',
    setup: ({ initialOptions, onResolve, onLoad }) => {
      initialOptions.banner = {
        js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(join(root, 'package.json'))});`,
      };
      onResolve({ filter: /^[^./]/ }, ({ path, kind, namespace, importer }) => {
        if (kind === 'dynamic-import' || namespace === 'required') return { path, external: true };
        const isOurs = kind === 'import-statement' && !importer.includes('node_modules');
        return isOurs && isCommonJs(path) ? { path, namespace: 'required' } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
    },
  };
};
