import { type ImportRuntime, onImportLambda } from '../../shared/runtime/imports.ts';

/** Finishes the imports whose runner died. */
export const sweepImports =
  ({ importer }: Pick<ImportRuntime, 'importer'>) =>
  async (): Promise<void> =>
    importer.sweep();

export const handler = onImportLambda(sweepImports);
