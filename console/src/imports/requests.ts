import type { ImportPreview, ImportReport } from '../../../client/answers.ts';
import { ServiceRefusal } from '../../../client/service-error.ts';
import { doNotCall } from '../../../shared/domain/contacts/data-source.ts';
import { api, dataOf, once, request } from '../api/client.ts';
import { FileChanged } from '../api/errors.ts';
import { settings } from '../api/page-settings.ts';

export type ImportOptions = {
  /** Found by the service where absent. */
  sheet?: string;
  headerRow?: number;
  /** Title of a column -> field, or an empty text to exclude the column. */
  mapping: Record<string, string>;
  onDuplicate: 'skip' | 'update';
};

const sourcePath = (id: string) => `/api/dataSource/${encodeURIComponent(id)}/contact`;

/** @throws FileChanged */
const assertUnchanged = async (file: File): Promise<void> => {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new FileChanged();
    });
};

const formOf = async (file: File, options: Partial<ImportOptions>, dryRun = false): Promise<FormData> => {
  await assertUnchanged(file);
  const form = new FormData();
  const { sheet, headerRow, mapping = {}, onDuplicate } = options;
  if (sheet !== undefined) form.set('sheet', sheet);
  if (headerRow !== undefined) form.set('headerRow', String(headerRow));
  if (Object.keys(mapping).length > 0) form.set('mapping', JSON.stringify(mapping));
  if (onDuplicate === 'update') form.set('onDuplicate', 'update');
  if (dryRun) form.set('dryRun', 'true');
  form.set('file', file, file.name);
  return form;
};

const post = async <T>(
  path: string,
  form: Promise<FormData>,
  headers: Record<string, string> = {},
): Promise<T> => {
  const response = await request(path, { method: 'POST', body: await form, headers });
  const answer = (await response.json()) as {
    code: number;
    message: string;
    data: T & { errors?: ServiceRefusal['errors'] };
  };
  if (response.ok) return answer.data;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  throw new ServiceRefusal(answer.code, answer.message, answer.data?.errors ?? [], requestId);
};

/** Where no title names phone numbers, the first row counts as titles: the reader says which column holds the numbers. */
export const preview = async (
  id: string,
  file: File,
  place: Pick<ImportOptions, 'sheet' | 'headerRow'>,
): Promise<ImportPreview> => {
  const of = (options: Partial<ImportOptions>) =>
    post<ImportPreview>(`${sourcePath(id)}/importPreview`, formOf(file, options));
  return of(place).catch((refusal) => {
    const mayBeMapped = refusal instanceof ServiceRefusal && refusal.code === 400;
    if (!mayBeMapped || place.headerRow !== undefined) throw refusal;
    return of({ ...place, headerRow: 1 }).catch(() => {
      throw refusal;
    });
  });
};

const checkIn = (id: string, file: File, options: ImportOptions): Promise<ImportReport> =>
  post(`${sourcePath(id)}/batchImport`, formOf(file, options, true));

/** For a list that does not exist yet the do-not-call list is asked; the numbers on it are no duplicates then. */
const checkNewImport = async (file: File, options: ImportOptions): Promise<ImportReport> => {
  const report = await checkIn(doNotCall.id, file, { ...options, onDuplicate: 'skip' });
  const details = report.details.filter(({ code }) => code !== 'DUPLICATE');
  const failCount = details.length;
  return { ...report, details, failCount, successCount: report.importCount - failCount };
};

/** The report of an import that stores nothing. `id` is absent for a list that does not exist yet. */
export const checkImport = (
  id: string | undefined,
  file: File,
  options: ImportOptions,
): Promise<ImportReport> => (id === undefined ? checkNewImport(file, options) : checkIn(id, file, options));

/** The file is too large for a form: it goes to storage, past the API. */
export const goesStraight = (file: File): boolean =>
  settings.formLimit !== undefined && file.size > settings.formLimit;

const pollMs = 1000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Larger files go to storage, past the API; their import begins when they have arrived. */
const upload = async (id: string, file: File, options: ImportOptions): Promise<ImportReport> => {
  await assertUnchanged(file);
  const { importId, uploadUrl, headers } = await dataOf(
    api.POST('/api/dataSource/{id}/contact/importUpload', {
      params: { path: { id } },
      body: { fileName: file.name, fileSize: file.size, ...options } as never,
      ...once(),
    }),
  );
  const sent = await fetch(uploadUrl, {
    method: 'PUT',
    body: file,
    headers: headers as Record<string, string>,
  });
  if (!sent.ok) throw new ServiceRefusal(sent.status, 'the file could not be stored');
  for (;;) {
    await pause(pollMs);
    const report = await dataOf(
      api.GET('/api/dataSource/{id}/contact/import/{importId}', { params: { path: { id, importId } } }),
    );
    if (report.status === 'FAILED') throw new ServiceRefusal(400, String(report.message));
    if (report.status === 'DONE') return report as unknown as ImportReport;
  }
};

export const runImport = (id: string, file: File, options: ImportOptions): Promise<ImportReport> =>
  goesStraight(file)
    ? upload(id, file, options)
    : post(`${sourcePath(id)}/batchImport`, formOf(file, options), once().headers);
