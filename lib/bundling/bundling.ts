import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, type BuildResult, build, type Metafile } from 'esbuild';
import { builtConsole } from '../../console/build.ts';
import type { DeployedFunction } from '../deployed-functions.ts';
import { literalKeys } from './literal-keys.ts';
import { builtSharedParts, partsFor, type SharedParts, sharedParts } from './shared-parts.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const withinRepository = (name: string) => path.join(repository, name);

/** Where the stack keeps its bundles. The place never changes, so the assets' hashes do not change either. */
export const bundleFolder = withinRepository('dist/functions');

/**
 * The source maps of the bundles in a folder. They are not deployed: a function that reads its map takes a third longer
 * to load. `npm run trace` reads them.
 */
export const sourceMapFolder = (target = bundleFolder) => `${target}-maps`;

export type Bundle = {
  readonly id: string;
  /** Holds exactly what is deployed. */
  readonly folder: string;
  /** Bytes that Node reads before the first event, without the parts that are loaded on demand. */
  readonly startBytes: number;
  /** The modules in those bytes, by path from the repository. */
  readonly startModules: readonly string[];
};
export type Bundles = ReadonlyMap<string, Bundle>;
export type Bundled = Pick<DeployedFunction, 'id' | 'file' | 'carriesConsole'>;

const options = {
  absWorkingDir: repository,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // The SDK's ES modules shake off what is not used; its CommonJS form does not.
  mainFields: ['module', 'main'],
  alias: { '@aws-sdk/credential-provider-node': withinRepository('lib/bundling/lambda-credentials.ts') },
  plugins: [literalKeys, sharedParts],
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  write: false,
} satisfies BuildOptions & { write: false; metafile: true };

type Output = BuildResult<{ metafile: true; write: false }>;

type Extra = Pick<BuildOptions, 'splitting' | 'chunkNames' | 'banner' | 'minify' | 'sourcemap'>;

const entry = (id: string) => `${id}/index`;

const run = (functions: readonly Bundled[], target: string, more: Extra = {}): Promise<Output> =>
  build({
    ...options,
    ...more,
    outdir: target,
    entryPoints: functions.map(({ id, file }) => ({
      in: withinRepository(`functions/${file}.ts`),
      out: entry(id),
    })),
  });

/** CommonJS inside a bundle may still call `require`, which an ES module does not have. */
const requireBanner =
  "import{createRequire}from'node:module';const require=createRequire(import.meta.filename);";
/** esbuild's name for `require` in code that is not minified. Its wrapper function has the same name. */
const callsRequire = (text: string) => /(?<!function )__require\(/.test(text);

/** Modules of ours that are imported dynamically. */
const loadedOnDemand = ({ inputs }: Metafile): Set<string> =>
  new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports
        .filter(({ kind, path: name }) => kind === 'dynamic-import' && name.startsWith('shared/'))
        .map(({ path: name }) => name),
    ),
  );

type Written = Output['metafile']['outputs'];

const ownOutput = (outputs: Written, id: string): [string, Written[string]] =>
  Object.entries(outputs).find(([name]) => name.endsWith(`${entry(id)}.mjs`)) as [string, Written[string]];

type ImportKind = Written[string]['imports'][number]['kind'];

/** The outputs that a function loads by imports of these kinds, its entry first. */
const loadedBy = ({ metafile: { outputs } }: Output, id: string, kinds: readonly ImportKind[]): string[] => {
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path: next, kind, external } of outputs[name]?.imports ?? []) {
      if (kinds.includes(kind) && !external) load(next);
    }
  };
  load(ownOutput(outputs, id)[0]);
  return [...loaded];
};

/**
 * The options of a function that is built separately: its parts on demand become files of their own, or its CommonJS
 * code needs a `require`. `undefined` for a function that needs neither.
 */
const ownOptions = (survey: Output, { id }: Bundled): Extra | undefined => {
  const onDemand = loadedOnDemand(survey.metafile);
  const loaded = loadedBy(survey, id, ['import-statement', 'dynamic-import']);
  const modules = loaded.flatMap((name) => Object.keys(survey.metafile.outputs[name]?.inputs ?? {}));
  const paths = new Set(loaded.map((name) => path.join(repository, name)));
  const splitting = modules.some((module) => onDemand.has(module));
  const requires = survey.outputFiles.some((file) => paths.has(file.path) && callsRequire(file.text));
  if (!splitting && !requires) return undefined;
  return {
    splitting,
    chunkNames: `${id}/[name]-[hash]`,
    ...(requires ? { banner: { js: requireBanner } } : {}),
  };
};

const startOf = (output: Output, id: string) => {
  const { outputs } = output.metafile;
  const loaded = loadedBy(output, id, ['import-statement']);
  return {
    startBytes: loaded.reduce((sum, name) => sum + (outputs[name]?.bytes ?? 0), 0),
    startModules: loaded.flatMap((name) => Object.keys(outputs[name]?.inputs ?? {})),
  };
};

/** Writes a function's folder, without parts that only removed code imports. */
const writeBundle = async (
  output: Output,
  { id, carriesConsole }: Bundled,
  target: string,
  parts: SharedParts,
): Promise<Bundle> => {
  const folder = path.join(target, id);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const loaded = loadedBy(output, id, ['import-statement', 'dynamic-import']);
  const used = loaded.map((name) => path.join(repository, name));
  const maps = path.join(sourceMapFolder(target), id);
  await rm(maps, { recursive: true, force: true });
  await mkdir(maps, { recursive: true });
  const files = output.outputFiles.filter((file) => used.includes(file.path.replace(/\.map$/, '')));
  const placeOf = (name: string) => (name.endsWith('.map') ? path.join(maps, path.basename(name)) : name);
  await Promise.all(files.map((file) => writeFile(placeOf(file.path), file.contents)));
  if (carriesConsole) await cp(await builtConsole(), path.join(folder, 'site'), { recursive: true });
  const asked = partsFor(output.metafile.outputs, loaded);
  const placed = [...parts].filter(([name]) => asked.some((part) => name.startsWith(`${part}.mjs`)));
  await Promise.all(placed.map(([name, contents]) => writeFile(placeOf(path.join(folder, name)), contents)));
  return { id, folder, ...startOf(output, id) };
};

/**
 * Bundles each function, with everything it needs, into a folder of its own in `target`. One build for all functions is
 * ten times faster than a build for each. But in a common build a module that one function loads on demand is wrapped
 * for all of them, so functions with such modules are built separately.
 */
export const bundleAll = async (functions: readonly Bundled[], target = bundleFolder): Promise<Bundles> => {
  // The survey only finds out what each function needs. With shared files it takes a sixth of the time.
  const survey = await run(functions, target, { splitting: true, minify: false, sourcemap: false });
  const extras = new Map(functions.map((deployed) => [deployed.id, ownOptions(survey, deployed)]));
  const plain = functions.filter(({ id }) => extras.get(id) === undefined);
  const shared = await run(plain, target);
  const parts = await builtSharedParts((more) => build({ ...options, ...more }), survey.metafile.inputs);
  const outputOf = (deployed: Bundled) => {
    const extra = extras.get(deployed.id);
    return extra === undefined ? shared : run([deployed], target, extra);
  };
  return new Map(
    await Promise.all(
      functions.map(
        async (deployed): Promise<[string, Bundle]> => [
          deployed.id,
          await writeBundle(await outputOf(deployed), deployed, target, parts),
        ],
      ),
    ),
  );
};
