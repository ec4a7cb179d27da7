import type { Context } from 'aws-lambda';
import * as declared from '../../shared/app/event-functions.ts';
import { type FileRuntime, onFileLambda } from '../../shared/app/runtime/files.ts';
import { droppedImport, isContactFile, presignedImport } from '../../shared/imports/import-objects.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import { secondMs } from '../../shared/platform/time/time.ts';

/** EventBridge's event of a new object in the bucket, as far as it is read here. */
type ObjectCreated = { detail: { object: { key: string; size?: number; sequencer?: string } } };

/** Milliseconds for one more part of a large file. The schedule imports the other parts. */
const partMs = 60 * secondMs;

/** Imports a file that arrived below imports/, by a presigned upload or from an operator. */
export const importFile =
  ({ importer }: Pick<FileRuntime, 'importer'>) =>
  async (
    { detail: { object } }: ObjectCreated,
    context?: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<void> => {
    const { key, size = 0, sequencer = '' } = object;
    if (!isContactFile(key)) return;
    const presigned = presignedImport(key);
    const { dataSourceId, importId } =
      presigned && (await importer.awaits(presigned, key)) ? presigned : droppedImport(key, sequencer);
    const fileName = key.slice(key.lastIndexOf('/') + 1);
    const file = { dataSourceId, importId, objectKey: key, fileName, fileSize: size };
    try {
      await importer.register(file);
    } catch (error) {
      // Only an unknown data source is final. After any other error the event is delivered again.
      if (!(error instanceof ServiceError) || error.code !== 'notFound') throw error;
      await importer.refuse(file, error.message);
      return;
    }
    const isTimeUp = () => (context?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY) < partMs;
    await importer.run(dataSourceId, importId, { isTimeUp });
  };

export const handler = onFileLambda(declared.importFile, importFile);
