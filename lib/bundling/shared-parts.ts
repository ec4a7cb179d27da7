import path from 'node:path';
import type { BuildOptions, BuildResult, Metafile, Plugin } from 'esbuild';

/**
 * Parts that nearly every function may load on demand. With these in its build, each function would have to be built
 * separately. So the parts are built once and copied into each bundle that imports them.
 */
const modules = ['shared/http/answer-once.ts', 'shared/runtime/phone-plan.ts', '@smithy/core/event-streams'];

/** Modules that start a process, with the code of the process. Built once too; only some functions read files. */
const processes = new Map([['shared/files/excel/other-workbook.ts', 'shared/files/excel/sheetjs-child.mjs']]);

const nameOf = (module: string) => path.parse(module).name;
const names = modules.map(nameOf);

export const sharedParts: Plugin = {
  name: 'shared-parts',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`/(${names.join('|')})(\\.ts)?$`) }, ({ kind, path: module }) =>
      kind === 'dynamic-import' ? { path: `./${nameOf(module)}.mjs`, external: true } : undefined,
    ),
};

type Outputs = Metafile['outputs'];
type Inputs = Metafile['inputs'];

/** The parts that these outputs import or start. */
export const partsFor = (outputs: Outputs, loaded: readonly string[]): string[] => {
  const imported = names.filter((part) =>
    loaded.some((name) =>
      outputs[name]?.imports.some(({ path: asked, external }) => external && asked === `./${part}.mjs`),
    ),
  );
  const started = [...processes].filter(([starter]) =>
    loaded.some((name) => outputs[name]?.inputs[starter] !== undefined),
  );
  return [...imported, ...started.map(([, code]) => nameOf(code))];
};

export type SharedParts = ReadonlyMap<string, Uint8Array>;

/** The files of all parts, by name, for functions made from these inputs. */
export const builtSharedParts = async (
  build: (options: BuildOptions & { write: false }) => Promise<BuildResult<{ write: false }>>,
  inputs: Inputs,
): Promise<SharedParts> => {
  const started = [...processes].filter(([starter]) => inputs[starter] !== undefined);
  const parts = [...modules, ...started.map(([, code]) => code)];
  const entryPoints = parts.map((module) => ({ in: module, out: nameOf(module) }));
  const { outputFiles } = await build({ entryPoints, outdir: 'shared-parts', write: false });
  return new Map(outputFiles.map((file) => [path.basename(file.path), file.contents]));
};
