import { keepPreviousData, queryOptions } from '@tanstack/preact-query';
import type { ImportPreview, ImportReport } from '../../../../client/answers.ts';
import { NoAnswer, ServiceRefusal } from '../../../../client/service-error.ts';
import { api, dataIn, dataOf, once, request } from '../../api/client.ts';
import { FileChanged, UploadCancelled } from '../../api/errors.ts';
import { askedOnce } from '../../api/query-client.ts';
import { apiBase, settings } from '../../base/page-settings.ts';
import { contactPath } from '../../parts/lists/queries.ts';
import { noteUpload } from '../../parts/lists/uploads.ts';
import { headOf } from './file-head.ts';

/** How a file is read. What is absent is found by the service. */
export type Reading = {
  sheet?: string;
  /** 0: the file has no titles. */
  headerRow?: number;
  /** Title of a column -> field, or an empty text to exclude the column. */
  mapping: Record<string, string>;
};
export type OnDuplicate = 'skip' | 'update';
type ImportOptions = Reading & { onDuplicate: OnDuplicate };

/** @throws FileChanged */
const assertUnchanged = async (file: File): Promise<void> => {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new FileChanged();
    });
};

/** Sends a file with its options as a form. @throws FileChanged, NoAnswer */
const post = async (
  path: string,
  file: File,
  { mapping, ...options }: Partial<ImportOptions> & { dryRun?: true },
  init: RequestInit = {},
): Promise<Response> => {
  await assertUnchanged(file);
  const form = new FormData();
  for (const [name, value] of Object.entries(options)) form.set(name, String(value));
  if (mapping !== undefined) form.set('mapping', JSON.stringify(mapping));
  form.set('file', file, file.name);
  return request(path, { ...init, method: 'POST', body: form });
};

const keyOf = ({ name, lastModified, size }: File) => [name, lastModified, size];

/** How a file would be read. Without `preview`, the service finds its columns when it is uploaded. */
type Seen = { preview?: ImportPreview; isPart: boolean };

const isTooLarge = (error: unknown) =>
  error instanceof ServiceRefusal && error.errorCode === 'FILE_TOO_LARGE';

/** `mayBeLarge`: the service takes more rows of an uploaded file than it previews. */
export const previewQuery = (file: File, reading: Reading, enabled: boolean, mayBeLarge: boolean) =>
  queryOptions({
    queryKey: ['preview', ...keyOf(file), reading],
    queryFn: async ({ signal }): Promise<Seen> => {
      await assertUnchanged(file);
      const head = await headOf(file, settings.formLimit);
      if (head === undefined) return { isPart: true };
      try {
        const sent = await post(
          '/api/contact/importPreview',
          head.file,
          { ...reading, dryRun: true },
          { signal },
        );
        return { preview: await dataIn<ImportPreview>(sent), isPart: head.isPart };
      } catch (error) {
        if (mayBeLarge && isTooLarge(error)) return { isPart: true };
        throw error;
      }
    },
    enabled,
    retry: false,
    placeholderData: keepPreviousData,
    ...askedOnce,
  });

/** What an import into this list would come to. */
export const checkQuery = (id: string, file: File, options: ImportOptions, enabled: boolean) =>
  queryOptions({
    queryKey: ['imports', id, 'check', ...keyOf(file), options],
    queryFn: async ({ signal }): Promise<ImportReport> =>
      dataIn(await post(`${contactPath(id)}/batchImport`, file, { ...options, dryRun: true }, { signal })),
    enabled,
    retry: false,
    ...askedOnce,
  });

/** Rows: the import of a longer file takes long enough to be followed. */
const followedFrom = 1000;

/** `fetch` does not tell how much it has sent. @throws NoAnswer, UploadCancelled */
const send = (importId: string, address: string, file: File, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open('PUT', address);
    // A browser sets the length itself.
    for (const [name, value] of Object.entries(headers))
      if (name.toLowerCase() !== 'content-length') sent.setRequestHeader(name, value);
    const stop = () => sent.abort();
    noteUpload(importId, { loaded: 0, total: file.size, stop });
    sent.upload.onprogress = ({ loaded, total }) => noteUpload(importId, { loaded, total, stop });
    sent.onload = () => {
      noteUpload(importId, { loaded: file.size, total: file.size, stop });
      resolve(sent.status);
    };
    sent.onerror = () => reject(new NoAnswer('the file was not sent'));
    sent.onabort = () => reject(new UploadCancelled());
    sent.send(file);
  }).catch((error: unknown) => {
    noteUpload(importId, undefined);
    throw error;
  });

/** Sends the file to storage, past the API: its import begins when it has arrived. */
const upload = async (
  id: string,
  file: File,
  options: ImportOptions,
  onBegin: (importId: string) => void,
): Promise<string> => {
  await assertUnchanged(file);
  const { importId, uploadUrl, headers } = await dataOf(
    api.POST('/api/dataSource/{id}/contact/importUpload', {
      params: { path: { id } },
      body: { fileName: file.name, fileSize: file.size, ...options },
      ...once(),
    }),
  );
  const { pathname, search } = new URL(uploadUrl);
  // A service that stores files itself may be known to the reader by another name.
  const address = settings.uploadOrigin === undefined ? `${apiBase}${pathname}${search}` : uploadUrl;
  onBegin(importId);
  const status = await send(importId, address, file, headers);
  if (status !== 200) throw new ServiceRefusal(status, `the file could not be stored: ${status}`);
  return importId;
};

/** Begins an import and answers its id. An import of a short file has ended by then. */
export const beginImport = async (
  id: string,
  file: File,
  options: ImportOptions,
  { preview, isPart }: Seen,
  onBegin: (importId: string) => void,
): Promise<string> => {
  const isLong = isPart || (preview?.rowCount ?? 0) > followedFrom;
  const isLarge = settings.formLimit !== undefined && file.size > settings.formLimit;
  if (isLong || isLarge) return upload(id, file, options, onBegin);
  const response = await post(`${contactPath(id)}/batchImport`, file, options, once());
  await dataIn(response);
  return response.headers.get('x-import-id') ?? '';
};
