import type { PhoneForm } from '../domain/contacts/phone-number.ts';
import { ServiceError } from '../domain/errors.ts';
import type {
  ContactImport,
  ImportOutcome,
  ImportStatus,
  NewImport,
} from '../domain/imports/contact-import.ts';
import type { FailedRow } from '../domain/imports/failed-row.ts';
import type { FormatTime, Instant } from '../domain/time.ts';
import { MAX_FILE_BYTES } from '../files/limits.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import { type CheckedFile, checkContactFile } from './contact-rows.ts';
import { rejectedKey, resultKey, uploadKey } from './import-objects.ts';
import { rejectedRowsOf } from './rejected-rows.ts';

type Tools = {
  objects: LazyObjects;
  now: () => Instant;
  formatTime: FormatTime;
  phoneForm: () => Promise<PhoneForm>;
};

const isMissing = (error: unknown) => error instanceof ServiceError && error.code === 'notFound';

/** What an import reads from the bucket and leaves there. */
export class ImportFiles {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /**
   * The file as it was when the import first ran. Its own key may be written again at any time, and an
   * import that goes on with other rows than it began with would lose some.
   * @throws ServiceError notFound, invalid, tooLarge
   */
  async check({ dataSourceId, importId, objectKey, options }: ContactImport): Promise<CheckedFile> {
    const objects = await this.#tools.objects();
    const form = await this.#tools.phoneForm();
    const kept = uploadKey(dataSourceId, importId);
    if ((await objects.head(kept)) !== undefined) {
      return checkContactFile(await objects.get(kept, MAX_FILE_BYTES), options, form);
    }
    const file = await objects.get(objectKey, MAX_FILE_BYTES);
    await objects.put(kept, file, 'application/octet-stream');
    return checkContactFile(file, options, form);
  }

  /** Writes beside the file what came of it. */
  async report(
    { importId, dataSourceId, objectKey, fileName, createTime }: NewImport,
    status: ImportStatus,
    message: string,
    outcome: ImportOutcome,
  ): Promise<void> {
    const { now, formatTime } = this.#tools;
    const objects = await this.#tools.objects();
    const times = { createTime: formatTime(createTime), updateTime: formatTime(now()) };
    const result = { importId, dataSourceId, fileName, status, message, ...outcome, ...times };
    await objects.put(resultKey(objectKey), JSON.stringify(result), 'application/json');
  }

  /** Keeps the rows that were not imported as they stood in the file, to be mended. */
  async keepRejected(
    { dataSourceId, importId }: ContactImport,
    file: CheckedFile,
    failures: readonly FailedRow[],
  ): Promise<void> {
    const objects = await this.#tools.objects();
    const rejected = JSON.stringify(rejectedRowsOf(file, failures));
    await objects.put(rejectedKey(dataSourceId, importId), rejected, 'application/json');
  }

  /** The rows not imported, as reported; none once the report has expired or another file's took its place. */
  async details({ importId, objectKey }: ContactImport): Promise<FailedRow[]> {
    try {
      const objects = await this.#tools.objects();
      const bytes = await objects.get(resultKey(objectKey));
      const report = JSON.parse(Buffer.from(bytes).toString()) as ImportOutcome & { importId: string };
      return report.importId === importId ? report.details : [];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}
