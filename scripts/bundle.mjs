import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const require = createRequire(join(root, 'package.json'));

/**
 * Keeps `import.meta.url` and `import.meta.dirname` those of the source file, so that a program
 * finds the files beside it.
 */
const sourcePlace = {
  name: 'source-place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!/import\.meta\.(url|dirname)/.test(source)) return undefined;
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    }),
};

/** The nearest package.json above a `.js` file decides what it is. */
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

/** True if `import` and `require` find the same file, and that file is no ES module. */
const isCommonJs = (name) => {
  try {
    const file = fileURLToPath(import.meta.resolve(name));
    return !isModule(file) && require.resolve(name) === file;
  } catch {
    return false;
  }
};

/**
 * CommonJS packages are required, and not part of the bundle. If they were imported, Node would
 * read each of them twice, the first time for its export names, which takes a third of the start of
 * a program. ES modules become part of the bundle. A package that is imported dynamically stays
 * outside.
 */
const requiredPackages = {
  name: 'required-packages',
  setup: ({ onResolve, onLoad }) => {
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

const requireBanner = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(join(root, 'package.json'))});`;

const replaceFile = async (path, contents) => {
  const unfinished = `${path}.${process.pid}.tmp`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
};

/**
 * Bundles a program and all of our modules that it imports into one JavaScript file. It starts in
 * less than half the time that a TypeScript loader takes, and dynamic imports still run when they
 * are reached.
 * @returns the file
 */
export const bundle = async (entry) => {
  const name = relative(root, resolve(root, entry));
  const folder = join(root, '.cache/run', name.replaceAll(/[\\/]/g, '-'));
  const file = join(folder, basename(name).replace(/\.ts$/, '.mjs'));
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [name],
    outfile: file,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'linked',
    logLevel: 'error',
    banner: { js: requireBanner },
    plugins: [sourcePlace, requiredPackages],
  });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) await replaceFile(path, contents);
  return file;
};
