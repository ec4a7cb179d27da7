import type { BuildOptions, BuildResult, Plugin } from 'esbuild';

const module = 'shared/http/answer-once.ts';
const file = 'answer-once.mjs';

/**
 * A part that nearly every function may load on demand. Left to the bundler, each of them would have to be
 * built apart; so it is built once and put beside each bundle that asks for it.
 */
export const sharedPart: Plugin = {
  name: 'shared-part',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/answer-once\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: `./${file}`, external: true } : undefined,
    ),
};

type Outputs = NonNullable<BuildResult['metafile']>['outputs'];

export const asksForSharedPart = (outputs: Outputs, names: readonly string[]): boolean =>
  names.some((name) => outputs[name]?.imports.some(({ path, external }) => external && path === `./${file}`));

/** The files to put beside a bundle, by name. */
export const builtSharedPart = async (
  build: (options: BuildOptions & { write: false }) => Promise<BuildResult<{ write: false }>>,
): Promise<Map<string, Uint8Array>> => {
  const { outputFiles } = await build({ entryPoints: [module], outdir: 'shared-part', write: false });
  return new Map(outputFiles.map(({ path, contents }) => [path.slice(path.lastIndexOf('/') + 1), contents]));
};
