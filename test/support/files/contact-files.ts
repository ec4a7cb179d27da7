import { expect } from 'vitest';
import type { Answer } from '../service/answers.ts';
import { type Api, succeeded } from '../service/api.ts';
import { until } from '../service/object-store.ts';
import { csvFile } from './file-rows.ts';

export type Outcome = {
  importCount: number;
  successCount: number;
  failCount: number;
  details: {
    row: number;
    phoneNumber: string;
    code: string;
    message: string;
    cell?: string;
    sheet?: string;
    firstRow?: number;
  }[];
};
export type Part = { name: string; fileName?: string; content: Uint8Array | string };

const boundary = '----contact-files-of-a-test';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** A form as a browser or curl sends it. */
export const formOf = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, fileName, content }) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
          `${fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`}\r\n\r\n`,
      ),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

export const sendForm = (api: Api, id: string, body: Buffer, contentType = formType): Promise<Answer> =>
  api.send({
    method: 'POST',
    path: `/api/dataSource/${id}/contact/batchImport`,
    headers: { 'content-type': contentType },
    body,
  });

export const sendFile = (api: Api, id: string, content: Uint8Array | string, fileName = 'contacts.csv') =>
  sendForm(api, id, formOf([{ name: 'file', fileName, content }]));

export const imported = async (api: Api, id: string, content: Uint8Array | string, fileName?: string) =>
  succeeded(await sendFile(api, id, content, fileName)) as unknown as Outcome;

export type ListedContact = Record<string, unknown> & { phoneNumber: string };

/** Every contact in list order, and that the totals of all pages agree with them. */
export const listed = async (api: Api, id: string): Promise<ListedContact[]> => {
  const rows: ListedContact[] = [];
  for (let pageNum = 1; ; pageNum++) {
    const page = succeeded(await api.get(`/api/dataSource/${id}/contacts`, { pageNum, pageSize: 500 }));
    rows.push(...(page.rows as unknown as ListedContact[]));
    if (page.rows.length === 0) {
      if (page.total !== rows.length) throw new Error(`total ${page.total}, but ${rows.length} rows`);
      return rows;
    }
  }
};

export const phones = (rows: readonly { phoneNumber: string }[]) =>
  rows.map(({ phoneNumber }) => phoneNumber);

/** What stays the same when a contact moves to another data source. */
export const moved = (rows: readonly ListedContact[]) =>
  rows.map(({ id: _id, dataSourceId: _dataSource, createTime: _created, ...row }) => row);

export const phoneAt = (at: number) => String(13_800_000_000 + at);

/** A CSV file of `count` contacts; the phone numbers begin at `first`. */
export const contactsCsv = (count: number, first = 0): Promise<Buffer> =>
  csvFile(
    ['phoneNumber', 'customerName', 'city'],
    Array.from({ length: count }, (_, at) => [phoneAt(first + at), `Customer ${first + at}`, 'Berlin']),
  );

const contactPath = (id: string) => `/api/dataSource/${id}/contact`;

type Status = Record<string, unknown>;

export const statusOf = async (api: Api, id: string, importId: unknown): Promise<Status> =>
  succeeded(await api.get(`${contactPath(id)}/import/${importId}`));

/** Where a file may be sent to, and the import that is made of it. */
export const anUpload = async (api: Api, id: string, size: number, options: object = {}) =>
  succeeded(
    await api.post(`${contactPath(id)}/importUpload`, { fileName: 'x', fileSize: size, ...options }),
  ) as unknown as { importId: string; uploadUrl: string; method: string; headers: object };

/** As `curl -T file url` does: the length comes from the file. */
export const put = async (url: string, body: Uint8Array | string) =>
  expect((await fetch(url, { method: 'PUT', body: body as never })).status).toBe(200);

export const ended = async (api: Api, id: string, importId: string): Promise<Status> => {
  let found = await statusOf(api, id, importId);
  await until(async () => {
    found = await statusOf(api, id, importId);
    return found.status === 'DONE' || found.status === 'FAILED';
  });
  return found;
};

/** Uploads a file, and waits until its import has ended. */
export const uploaded = async (api: Api, id: string, file: Uint8Array | string, options: object = {}) => {
  const { importId, uploadUrl } = await anUpload(api, id, Buffer.byteLength(file), options);
  await put(uploadUrl, file);
  return { ...(await ended(api, id, importId)), importId } as Status & { importId: string };
};

export const rejectedFile = (api: Api, id: string, importId: unknown, format: string): Promise<Response> =>
  api.file(`${contactPath(id)}/import/${importId}/rejected`, { format });
