import type { ContactImport, ImportOptions } from '../domain/imports/contact-import.ts';
import type { Instant } from '../domain/time.ts';
import type { ImportRecords } from '../store/imports/index.ts';
import type { RequestKey } from '../store/requests/index.ts';
import type { ImportId } from './import-objects.ts';

export const dayMs = 24 * 60 * 60 * 1000;
/** Long after the sweep has given up an import without its file: one that expires first would wait for ever. */
const forgottenMs = 2 * dayMs;

export type NewFile = {
  dataSourceId: string;
  importId: string;
  objectKey: string;
  fileName: string;
  fileSize: number;
  options?: ImportOptions;
};

type Tools = { imports: ImportRecords; now: () => Instant; newId: () => string };

/** Takes down which imports are to come. Apart from what runs them, so that functions that only register are small. */
export class ImportRegister {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** For an import that a client asks for. */
  newId(requestKey: RequestKey | undefined): Promise<string> {
    const { imports, newId } = this.#tools;
    return imports.newId(newId, requestKey);
  }

  /** Registers an import whose file is there or will arrive; an id that is known already stays as it is. */
  async register(file: NewFile): Promise<ContactImport> {
    const createTime = this.#tools.now();
    return this.#tools.imports.create({ ...file, createTime }, Math.ceil((createTime + forgottenMs) / 1000));
  }

  /** Whether the import was registered for an upload to that very key. */
  async awaits({ dataSourceId, importId }: ImportId, key: string): Promise<boolean> {
    return (await this.#tools.imports.find(dataSourceId, importId))?.objectKey === key;
  }
}
