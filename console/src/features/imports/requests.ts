import { keepPreviousData, queryOptions } from '@tanstack/preact-query';
import type { ImportPreview, ImportReport } from '../../../../client/client.ts';
import { NoAnswer, ServiceRefusal } from '../../../../client/service-error.ts';
import { maxFileBytes } from '../../../../shared/platform/rules/files.ts';
import { askedOnce, change, dataIn, once, request } from '../../api/client.ts';
import { FileChanged, UploadCancelled } from '../../api/errors.ts';
import { apiBase, settings } from '../../base/page-settings.ts';
import { contactPath } from '../../parts/lists/queries.ts';
import { noteUpload } from '../../parts/lists/uploads.ts';

/** Of a CSV file, so much is read in the browser: enough to recognise its columns. */
const headBytes = 512 * 1024;
const headLines = 5000;
const newLine = 0x0a;

/** What of a file is sent to be previewed. `isPart`: the file has more rows. */
type FileHead = { file: File; isPart: boolean };

const readUpTo = async (stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> => {
  const reader = stream.getReader();
  const read = new Uint8Array(most);
  let length = 0;
  while (length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    const taken = value.subarray(0, most - length);
    read.set(taken, length);
    length += taken.length;
  }
  await reader.cancel();
  return read.subarray(0, length);
};

/** Where the lines end that are read, or the last whole line of them. UTF-16 has another byte behind the line break. */
const endOfLines = (bytes: Uint8Array): number => {
  const [first, second] = bytes;
  const behind = first === 0xff && second === 0xfe ? 2 : 1;
  let end = 0;
  let lines = 0;
  for (let at = bytes.indexOf(newLine); at >= 0 && lines < headLines; at = bytes.indexOf(newLine, at + 1)) {
    end = at + behind;
    lines++;
  }
  return end === 0 ? bytes.length : end;
};

/** The beginning of a CSV file, packed or not; a workbook as a whole. `undefined`: a workbook too large to be sent. */
const headOf = async (file: File, formLimit = maxFileBytes): Promise<FileHead | undefined> => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isWorkbook = (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf);
  if (isWorkbook) return file.size > formLimit ? undefined : { file, isPart: false };
  const isPacked = first === 0x1f && second === 0x8b;
  const text = isPacked ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const bytes = await readUpTo(text as ReadableStream<Uint8Array>, headBytes);
  const end = endOfLines(bytes);
  // What follows the last line break is a line too.
  const isWhole = bytes.length < headBytes && bytes.indexOf(newLine, end) < 0;
  if (isWhole && !isPacked) return { file, isPart: false };
  const head = isWhole ? bytes : bytes.slice(0, end);
  return { file: new File([head as BlobPart], file.name.replace(/\.gz$/i, '')), isPart: true };
};

/** How a file is read. What is absent is found by the service. */
export type Reading = {
  sheet?: string;
  /** 0: the file has no titles. */
  headerRow?: number;
  /** Title of a column -> field, or an empty text to exclude the column. */
  mapping: Record<string, string>;
  /** Rows whose number has fewer digits are rejected. */
  minDigits?: number;
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
  const { importId, uploadUrl, headers } = await change(
    '/api/dataSource/{id}/contact/importUpload',
    { fileName: file.name, fileSize: file.size, ...options },
    { id },
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
