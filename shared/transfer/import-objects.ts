import { createHash } from 'node:crypto';
import { idFrom, isId } from '../domain/ids.ts';

/** Files below this prefix are imported when they arrive. */
export const importPrefix = 'imports/';
/** Files that came with a request wait here while they are imported. */
export const uploadPrefix = 'uploads/';
const resultSuffix = '.result.json';

/** Not the report of an import, nor the empty object with which S3's console makes a folder. */
export const isContactFile = (key: string) =>
  key.startsWith(importPrefix) && !key.endsWith(resultSuffix) && !key.endsWith('/');
/** Bytes; S3's limit. */
const longestKey = 1024;
const digestLength = 16;

/** The beginning of a text that fits, cut between characters. */
const begun = (text: string, bytes: number) =>
  Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, '');

/** Beside the file; where that would be too long a key, its own is shortened and told by its digest. */
export const resultKey = (key: string): string => {
  const room = longestKey - resultSuffix.length;
  if (Buffer.byteLength(key) <= room) return `${key}${resultSuffix}`;
  const digest = createHash('sha256').update(key).digest('hex').slice(0, digestLength);
  return `${begun(key, room - digestLength - 1)}-${digest}${resultSuffix}`;
};

const longestName = 100;
/** Never `.` or `..`, which URLs drop, nor the name of a report, whose arrival runs nothing. */
const safeName = (fileName: string) =>
  fileName
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-longestName)
    .replace(/^\.+|\.(?=result\.json$)/g, '_');

export const presignedKey = (dataSourceId: string, importId: string, fileName: string) =>
  `${importPrefix}${dataSourceId}/${importId}/${safeName(fileName)}`;

export const uploadKey = (dataSourceId: string, importId: string) =>
  `${uploadPrefix}${dataSourceId}/${importId}`;

/** The rows that the import rejected. */
export const rejectedKey = (dataSourceId: string, importId: string) =>
  `${uploadKey(dataSourceId, importId)}.rejected.json`;

export type ImportId = { dataSourceId: string; importId: string };

/** The import whose presigned upload this may be; a folder that an operator made can look the same. */
export const presignedImport = (key: string): ImportId | undefined => {
  const [, dataSourceId = '', importId = '', name] = key.split('/');
  return isId(importId) && name !== undefined ? { dataSourceId, importId } : undefined;
};

/** The import of a dropped file: key and sequencer are the same each time its event is delivered. */
export const droppedImport = (key: string, sequencer: string): ImportId => ({
  dataSourceId: key.split('/')[1] ?? '',
  importId: idFrom(createHash('sha256').update(`${key}\n${sequencer}`).digest()),
});
