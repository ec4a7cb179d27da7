import { queryOptions } from '@tanstack/preact-query';
import { useLocationProperty } from 'wouter-preact/use-browser-location';
import type { FoundPerson } from '../../../../client/client.ts';
import { ServiceRefusal } from '../../../../client/service-error.ts';
import { doNotCall } from '../../../../shared/contacts/rules/data-source.ts';
import { ask, change, queryClient, read } from '../../api/client.ts';
import { tried } from '../../base/preferences.ts';
import { deleteContacts, saveContact } from '../../parts/lists/changes.ts';
import { sourceKeys } from '../../parts/lists/queries.ts';

const numberInAddress = (): string => {
  const text = location.hash.slice(1);
  return tried(() => decodeURIComponent(text)) ?? text;
};

export const useNumberInAddress = (): string => useLocationProperty(numberInAddress);

/** Everything that shows the contacts of a number. */
export const personKeys = [...sourceKeys, 'person'];

/** Reads all contact lists: asked for when the page is opened, not every 5 seconds. */
export const personQuery = (phoneNumber: string) =>
  queryOptions({
    queryKey: ['person', phoneNumber],
    queryFn: ({ signal }) => ask('/api/contact/find', { phoneNumber }, signal),
    refetchInterval: false,
  });

export const contactQuery = (id: string, contactId: string) =>
  queryOptions({
    queryKey: ['contact', id, contactId],
    queryFn: ({ signal }) =>
      read('/api/dataSource/{id}/contact/detail/{contactId}', { path: { id, contactId } }, signal),
    refetchInterval: false,
  });

/** The other spellings under which contact lists have the number. */
const otherSpellings = async ({ phoneNumber, contacts }: FoundPerson): Promise<string[]> => {
  const found = await Promise.all(
    contacts.map(async ({ dataSourceId, contactId }) => {
      try {
        return (await queryClient.fetchQuery(contactQuery(dataSourceId, contactId))).phoneNumber;
      } catch (error) {
        // The contact was deleted: only its calls are left.
        if (error instanceof ServiceRefusal && error.code === 404) return phoneNumber;
        throw error;
      }
    }),
  );
  return [...new Set(found)].filter((spelling) => spelling !== phoneNumber);
};

/** A list may stop only the spelling that it holds, so every spelling is added. */
export const blockNumber = async (person: FoundPerson) => {
  const contacts = (await otherSpellings(person)).map((phoneNumber) => ({ phoneNumber }));
  const body = { contacts, onDuplicate: 'skip' } as const;
  if (contacts.length > 0) await change('/api/dataSource/{id}/contact/batchAdd', body, { id: doNotCall.id });
  return saveContact(doNotCall.id, undefined, { phoneNumber: person.phoneNumber });
};

export const unblockNumber = async (person: FoundPerson) =>
  deleteContacts(doNotCall.id, { phoneNumbers: [person.phoneNumber, ...(await otherSpellings(person))] });

export const eraseNumber = (phoneNumber: string, keepDoNotCall: boolean) =>
  change('/api/contact/erase', { phoneNumber, keepDoNotCall });
