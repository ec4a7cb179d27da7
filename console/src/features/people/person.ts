import { queryOptions } from '@tanstack/preact-query';
import { useLocationProperty } from 'wouter-preact/use-browser-location';
import { doNotCall } from '../../../../shared/domain/contacts/data-source.ts';
import { api, dataOf, once } from '../../api/client.ts';
import { deleteContacts, saveContact } from '../../parts/lists/changes.ts';
import { sourceKeys } from '../../parts/lists/queries.ts';

const numberInAddress = (): string => {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const useNumberInAddress = (): string => useLocationProperty(numberInAddress);

/** Everything that shows the contacts of a number. */
export const personKeys = [...sourceKeys, 'person'];

/** Reads all contact lists: asked for when the page is opened, not every 5 seconds. */
export const personQuery = (phoneNumber: string) =>
  queryOptions({
    queryKey: ['person', phoneNumber],
    queryFn: ({ signal }) => dataOf(api.POST('/api/contact/find', { body: { phoneNumber }, signal })),
    refetchInterval: false,
  });

export const contactQuery = (id: string, contactId: string) =>
  queryOptions({
    queryKey: ['contact', id, contactId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/dataSource/{id}/contact/detail/{contactId}', {
          params: { path: { id, contactId } },
          signal,
        }),
      ),
    refetchInterval: false,
  });

export const blockNumber = (phoneNumber: string) => saveContact(doNotCall.id, undefined, { phoneNumber });

export const unblockNumber = (phoneNumber: string) =>
  deleteContacts(doNotCall.id, { phoneNumbers: [phoneNumber] });

export const eraseNumber = (phoneNumber: string, keepDoNotCall: boolean) =>
  dataOf(api.POST('/api/contact/erase', { body: { phoneNumber, keepDoNotCall }, ...once() }));
