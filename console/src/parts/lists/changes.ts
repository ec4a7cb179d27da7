import { api, dataOf, once } from '../../api/client.ts';
import { stopUpload } from './uploads.ts';

type SourceFields = { dataSourceName: string; dataSourceDesc?: string };

export const addSource = (body: SourceFields) => dataOf(api.POST('/api/dataSource/add', { body, ...once() }));

export const updateSource = (id: string, fields: SourceFields) =>
  dataOf(api.POST('/api/dataSource/update', { body: { id, ...fields }, ...once() }));

export const deleteSource = (id: string) =>
  dataOf(api.POST('/api/dataSource/delete', { body: { id }, ...once() }));

/** Ends an import, and the upload of its file. Rows that are visible stay. */
export const cancelImport = async (id: string, importId: string) => {
  const params = { path: { id, importId } };
  await dataOf(api.POST('/api/dataSource/{id}/contact/import/{importId}/cancel', { params, ...once() }));
  stopUpload(importId);
};

/** A field that is `null` is removed. */
export type ContactFields = { phoneNumber: string } & Record<string, string | null>;

export const saveContact = (
  id: string,
  contactId: string | undefined,
  fields: ContactFields,
): Promise<unknown> => {
  const params = { path: { id } };
  if (contactId === undefined) {
    return dataOf(api.POST('/api/dataSource/{id}/contact/add', { params, body: fields as never, ...once() }));
  }
  const body = { contactId, ...fields } as never;
  return dataOf(api.POST('/api/dataSource/{id}/contact/update', { params, body, ...once() }));
};

type Named = { contactIds: string[] } | { phoneNumbers: string[] };

/** At most 1,000. */
export const deleteContacts = (id: string, body: Named) =>
  dataOf(api.POST('/api/dataSource/{id}/contact/batchDelete', { params: { path: { id } }, body, ...once() }));

const deletedAtOnce = 1000;

/** Answers how many were deleted; the others were gone already. */
export const deleteAllContacts = async (id: string, contactIds: readonly string[]): Promise<number> => {
  let count = 0;
  for (let at = 0; at < contactIds.length; at += deletedAtOnce) {
    const part = contactIds.slice(at, at + deletedAtOnce);
    count += (await deleteContacts(id, { contactIds: part })).deleteCount;
  }
  return count;
};
