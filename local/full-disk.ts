import { log } from '../shared/platform/observability/index.ts';
import { ServiceError } from '../shared/platform/rules/index.ts';

/** Of Node.js, and of LevelDB, which has no codes. A quota and a limit of file sizes are the same to a client. */
const words = /no space left on device|disk quota exceeded|file too large/i;

/** Whether the cause of a failed write is a full disk. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (words.test(error.message) || isDiskFull(error.cause));

/** What a client is told. */
export const storageFull = () =>
  new ServiceError('STORAGE_FULL', 'the disk of the service is full; retry when there is room');

export const logFullDisk = (folder: string) => log.error('the disk is full', { folder });
