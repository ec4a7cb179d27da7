import path from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';

/**
 * Parts that nearly every function may load on demand. Left to the bundler, each of these functions would have
 * to be built apart; so the parts are built once and put beside each bundle that asks for them.
 */
const modules = ['shared/http/answer-once.ts', 'shared/runtime/phone-form.ts', '@smithy/core/event-streams'];

const nameOf = (module: string) => path.parse(module).name;
const names = modules.map(nameOf);

export const sharedParts: Plugin = {
  name: 'shared-parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`/(${names.join('|')})(\\.ts)?$`) }, ({ kind, path: module }) =>
      kind === 'dynamic-import' ? { path: `./${nameOf(module)}.mjs`, external: true } : undefined,
    ),
};

type Outputs = NonNullable<BuildResult['metafile']>['outputs'];

/** The parts that these outputs ask for. */
export const partsFor = (outputs: Outputs, loaded: readonly string[]): string[] =>
  names.filter((part) =>
    loaded.some((name) =>
      outputs[name]?.imports.some(({ path: asked, external }) => external && asked === `./${part}.mjs`),
    ),
  );

export type SharedParts = ReadonlyMap<string, Uint8Array>;

/** The files of all parts, by name. */
export const builtSharedParts = async (
  build: (options: BuildOptions & { write: false }) => Promise<BuildResult<{ write: false }>>,
): Promise<SharedParts> => {
  const entryPoints = modules.map((module) => ({ in: module, out: nameOf(module) }));
  const { outputFiles } = await build({ entryPoints, outdir: 'shared-parts', write: false });
  return new Map(outputFiles.map((file) => [path.basename(file.path), file.contents]));
};
