import { type FileRuntime, onFileLambda } from '../../shared/file-runtime.ts';

/** Rolls forward the imports whose runner died. */
export const sweepImports =
  ({ importer }: Pick<FileRuntime, 'importer'>) =>
  async (): Promise<void> =>
    importer.sweep();

export const handler = onFileLambda(sweepImports);
