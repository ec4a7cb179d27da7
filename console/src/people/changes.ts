import { doNotCall } from '../../../shared/domain/contacts/data-source.ts';
import { api, dataOf, once } from '../api/client.ts';
import { deleteContacts, saveContact } from '../sources/changes.ts';

export const blockNumber = (phoneNumber: string) => saveContact(doNotCall.id, undefined, { phoneNumber });

export const unblockNumber = (phoneNumber: string) =>
  deleteContacts(doNotCall.id, { phoneNumbers: [phoneNumber] });

export const eraseNumber = (phoneNumber: string, keepDoNotCall: boolean) =>
  dataOf(api.POST('/api/contact/erase', { body: { phoneNumber, keepDoNotCall }, ...once() }));
