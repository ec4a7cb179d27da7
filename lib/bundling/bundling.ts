import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildResult, build } from 'esbuild';
import { builtConsole } from '../../console/build.ts';
import { type DeployedFunction, deployedFunctions } from '../deployed-functions.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Where the stack keeps its bundles. The folder never changes, nor do the hashes of the assets. */
export const bundleFolder = path.join(repository, 'dist/functions');

/**
 * The source maps of the bundles in a folder. They are not deployed, because a function that reads
 * its map takes a third longer to load. `npm run trace` reads them.
 */
export const sourceMapFolder = (target = bundleFolder) => `${target}-maps`;

export type Bundle = {
  readonly id: string;
  /** Has exactly what is deployed. */
  readonly folder: string;
  /** Bytes that Node reads before the first event, without the parts that are loaded on demand. */
  readonly startBytes: number;
  /** The modules in those bytes, by path from the repository. */
  readonly startModules: readonly string[];
};
export type Bundles = ReadonlyMap<string, Bundle>;

const options = {
  absWorkingDir: repository,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Unused code of the SDK is removed from its ES modules, but not from its CommonJS modules.
  mainFields: ['module', 'main'],
  // CommonJS in a bundle calls `require`, which an ES module does not have.
  banner: {
    js: "import{createRequire}from'node:module';globalThis.require??=createRequire(import.meta.filename);",
  },
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  write: false,
} satisfies BuildOptions & { write: false; metafile: true };

/** Code that a module starts as a process. esbuild does not see it. */
const started = {
  by: 'shared/files/readers/other-workbook.ts',
  code: 'shared/files/readers/sheetjs-child.mjs',
};

type Built = BuildResult<typeof options>;
type Outputs = Built['metafile']['outputs'];
type ImportKind = Outputs[string]['imports'][number]['kind'];

const sourceOf = ({ file }: DeployedFunction) => `functions/${file}.ts`;

const buildAll = (functions: readonly DeployedFunction[]): Promise<Built> =>
  build({
    ...options,
    outdir: '.',
    entryPoints: [
      ...functions.map((deployed) => ({ in: sourceOf(deployed), out: deployed.id })),
      { in: started.code, out: path.parse(started.code).name },
    ],
  });

/** The files that the file of a source loads by imports of these kinds, including itself. */
const loadedBy = (outputs: Outputs, source: string, kinds: readonly ImportKind[]): string[] => {
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path: next, kind, external } of outputs[name]?.imports ?? []) {
      if (kinds.includes(kind) && !external) load(next);
    }
  };
  load(Object.keys(outputs).find((name) => outputs[name]?.entryPoint === source) as string);
  return [...loaded];
};

const modulesIn = (outputs: Outputs, names: readonly string[]): string[] =>
  names.flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));

/** The files of a function: what it loads at its start and on demand, and what it starts. */
const filesOf = (outputs: Outputs, source: string): string[] => {
  const kinds: ImportKind[] = ['import-statement', 'dynamic-import'];
  const files = loadedBy(outputs, source, kinds);
  return modulesIn(outputs, files).includes(started.by)
    ? [...new Set([...files, ...loadedBy(outputs, started.code, kinds)])]
    : files;
};

const emptied = async (folder: string): Promise<string> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
};

const writeBundle = async (
  { outputFiles, metafile: { outputs } }: Built,
  deployed: DeployedFunction,
  target: string,
): Promise<Bundle> => {
  const { id, carriesConsole } = deployed;
  const folder = await emptied(path.join(target, id));
  const maps = await emptied(path.join(sourceMapFolder(target), id));
  const names = new Set(filesOf(outputs, sourceOf(deployed)));
  const files = outputFiles.filter((file) => names.has(path.basename(file.path).replace(/\.map$/, '')));
  const targetOf = (name: string) =>
    path.join(name.endsWith('.map') ? maps : folder, name.replace(new RegExp(`^${id}(?=\\.mjs)`), 'index'));
  await Promise.all(files.map((file) => writeFile(targetOf(path.basename(file.path)), file.contents)));
  if (carriesConsole) await cp(await builtConsole(), path.join(folder, 'site'), { recursive: true });
  const atStart = loadedBy(outputs, sourceOf(deployed), ['import-statement']);
  return {
    id,
    folder,
    startBytes: atStart.reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0),
    startModules: modulesIn(outputs, atStart),
  };
};

/**
 * Functions of one folder that use the same resources. Code that only some functions of a build use
 * becomes a file of its own, so each function of a large build loads many small files: see
 * docs/adr/0010-functions-built-together.md.
 */
const groups = (): DeployedFunction[][] => {
  const byUse = new Map<string, DeployedFunction[]>();
  for (const deployed of deployedFunctions) {
    const uses = [path.dirname(deployed.file), ...Object.keys(deployed.access).sort()].join();
    byUse.set(uses, [...(byUse.get(uses) ?? []), deployed]);
  }
  return [...byUse.values()];
};

/**
 * Bundles every function, with everything it needs, into a folder of its own in `target`. The names
 * of shared files depend on which functions are built together, so all functions are built,
 * whatever a stage deploys.
 */
export const bundleAll = async (target = bundleFolder): Promise<Bundles> => {
  const bundles = new Map<string, Bundle>();
  for (const functions of groups()) {
    const built = await buildAll(functions);
    for (const deployed of functions) bundles.set(deployed.id, await writeBundle(built, deployed, target));
  }
  return bundles;
};
