import { conflict, notFound, ServiceError } from '../domain/errors.ts';
import type { ImportRecords } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import { type ExportFile, type ExportFormat, FileRenderer, type RenderTools } from './file-renderer.ts';
import { rejectedKey } from './import-objects.ts';
import type { RejectedRows } from './rejected-rows.ts';

type Tools = RenderTools & { imports: Pick<ImportRecords, 'find'>; objects: LazyObjects };

/** Gives out the rows that imports rejected, to be mended and imported again. */
export class Rejections {
  readonly #tools: Tools;
  readonly #renderer: FileRenderer;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#renderer = new FileRenderer(tools);
  }

  /**
   * `rejected_<importId>_<timestamp>.<extension>`. @throws ServiceError notFound when there is no such
   * import or its rows have expired, conflict while it runs or when its file was refused as a whole
   */
  async fileOf(
    dataSourceId: string,
    importId: string,
    format: ExportFormat,
    signal?: AbortSignal,
  ): Promise<ExportFile> {
    const found = await this.#tools.imports.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    if (found.status === 'FAILED') throw conflict(`the whole file was refused: ${found.message}`);
    if (found.status !== 'DONE') throw conflict('the import has not ended yet');
    const { titles, rows } = await this.#read(dataSourceId, importId);
    return this.#renderer.render(`rejected_${importId}`, format, titles, inOneBatch(rows), signal);
  }

  async #read(dataSourceId: string, importId: string): Promise<RejectedRows> {
    try {
      const objects = await this.#tools.objects();
      const bytes = await objects.get(rejectedKey(dataSourceId, importId), Number.POSITIVE_INFINITY);
      return JSON.parse(Buffer.from(bytes).toString()) as RejectedRows;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'notFound') throw error;
      throw new ServiceError('notFound', 'the rejected rows of this import are no longer kept');
    }
  }
}

async function* inOneBatch<T>(rows: T): AsyncGenerator<T> {
  yield rows;
}
