import { change } from '../../api/client.ts';
import { stopUpload } from './uploads.ts';

type SourceFields = { dataSourceName: string; dataSourceDesc?: string };

export const addSource = (body: SourceFields) => change('/api/dataSource/add', body);

export const updateSource = (id: string, fields: SourceFields) =>
  change('/api/dataSource/update', { id, ...fields });

export const deleteSource = (id: string) => change('/api/dataSource/delete', { id });

/** Ends an import, and the upload of its file. Rows that are visible stay. */
export const cancelImport = async (id: string, importId: string) => {
  await change('/api/dataSource/{id}/contact/import/{importId}/cancel', {}, { id, importId });
  stopUpload(importId);
};

/** A field that is `null` is removed. */
export type ContactFields = { phoneNumber: string } & Record<string, string | null>;

export const saveContact = (
  id: string,
  contactId: string | undefined,
  fields: ContactFields,
): Promise<unknown> =>
  contactId === undefined
    ? change('/api/dataSource/{id}/contact/add', fields as never, { id })
    : change('/api/dataSource/{id}/contact/update', { contactId, ...fields } as never, { id });

type Named = { contactIds: string[] } | { phoneNumbers: string[] };

/** At most 1,000. */
export const deleteContacts = (id: string, body: Named) =>
  change('/api/dataSource/{id}/contact/batchDelete', body, { id });

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
