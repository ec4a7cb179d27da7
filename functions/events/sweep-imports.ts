import * as declared from '../../shared/api/event-functions.ts';
import { type FileRuntime, onFileLambda } from '../../shared/runtime/files.ts';

/** Finishes the imports whose runner died. */
export const sweepImports =
  ({ importer }: FileRuntime) =>
  async (): Promise<void> =>
    importer.sweep();

export const handler = onFileLambda(declared.sweepImports, sweepImports);
