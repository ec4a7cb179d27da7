import { onTestFinished } from 'vitest';
import { withFiles } from '../../../shared/app/runtime/files.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { partLimits } from '../../../shared/imports/checked-rows.ts';
import type { ImportOptions } from '../../../shared/imports/rules/contact-import.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { anObjectStore } from '../service/object-store.ts';
import type { WholeBucket } from '../service/whole-bucket.ts';

/**
 * Parts of so few rows and characters that a small file has several, until the test has finished.
 */
export const withSmallParts = (rows: number, characters = partLimits.characters) => {
  const usual = { ...partLimits };
  Object.assign(partLimits, { rows, characters, whole: rows });
  onTestFinished(() => {
    Object.assign(partLimits, usual);
  });
};

/** The pieces that run imports, over that table and that bucket. */
export const importerOf = (database: Database, objects: WholeBucket, now = Date.now) => {
  const settings = { ...serviceSettings({ IMPORT_MAX_ROWS: '1000000' }), now };
  return withFiles(createRuntime(settings, database), { database, objects: async () => objects });
};

let made = 0;

/** A registered import of a file that lies in the bucket, and the pieces that run it. */
export const anImportOf = async (
  database: Database,
  dataSourceId: string,
  file: Uint8Array,
  options: ImportOptions = {},
  bucket?: WholeBucket,
) => {
  const objects = bucket ?? anObjectStore().objects;
  const { importer } = importerOf(database, objects);
  const importId = `${++made}`.padStart(16, '0');
  const objectKey = `imports/${dataSourceId}/${importId}/x`;
  const known = { dataSourceId, importId, objectKey, fileName: 'x', fileSize: file.length, options };
  await importer.register(known);
  await objects.put(objectKey, file, 'text/csv');
  return { importId, objects, objectKey, importer };
};

/**
 * Runs `act` just before the bucket stores an object whose key ends so; a failure of it keeps the
 * object away.
 */
export const beforePut = (objects: WholeBucket, ending: string, act: (key: string) => Promise<unknown>) => {
  const put = objects.put.bind(objects);
  objects.put = async (key, ...content) => {
    if (key.endsWith(ending)) await act(key);
    return put(key, ...content);
  };
  return { restore: () => Object.assign(objects, { put }) };
};
