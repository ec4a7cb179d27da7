import { api, dataOf, once } from '../api/client.ts';

export type SourceFields = { dataSourceName: string; dataSourceDesc?: string };

export const addSource = (body: SourceFields) => dataOf(api.POST('/api/dataSource/add', { body, ...once() }));

export const updateSource = (id: string, fields: SourceFields) =>
  dataOf(api.POST('/api/dataSource/update', { body: { id, ...fields }, ...once() }));

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

export const deleteContact = (id: string, contactId: string) =>
  dataOf(
    api.POST('/api/dataSource/{id}/contact/delete', {
      params: { path: { id } },
      body: { contactId },
      ...once(),
    }),
  );
