import type { Contact, ContactStatus, Fields, NewContact } from '../../domain/contacts/contact.ts';
import { contactStatus } from '../../domain/contacts/contact.ts';
import { contactId } from '../../domain/contacts/contact-id.ts';
import { type Item, keys } from '../table/index.ts';

/**
 * Custom fields are one JSON string: smaller than a map, and no field name can clash with an attribute.
 * `v` is the version of fields and phone number; dialing changes `status`, `callCount` and `leases`, the number of leases so
 * far, without it.
 */
export const contactItem = (
  dataSourceId: string,
  seq: number,
  { phoneNumber, fields }: NewContact,
  now: number,
): Item => ({
  ...keys.contact(dataSourceId, seq),
  phone: phoneNumber,
  fields: JSON.stringify(fields),
  status: contactStatus.notDialed,
  callCount: 0,
  created: now,
  v: 1,
});

/** Each task has its own mark for its call to the contact, since several tasks may call it at once. */
const markPrefix = 'call#';
export const inCallMark = (taskId: string) => `${markPrefix}${taskId}`;

/** The tasks that have a mark at the contact. */
export const calledByTasks = (item: Item): string[] =>
  Object.keys(item)
    .filter((name) => name.startsWith(markPrefix))
    .map((name) => name.slice(markPrefix.length));

/** When the last open lease of the contact ends; `undefined` without one. */
const callUntilOf = (item: Item): number | undefined => {
  let until: number | undefined;
  for (const name in item) {
    if (name.startsWith(markPrefix)) until = Math.max(until ?? 0, item[name] as number);
  }
  return until;
};

export const contactOfItem = (dataSourceId: string, item: Item): Contact => {
  const seq = Number(item.sk);
  const callUntil = callUntilOf(item);
  return {
    id: contactId(dataSourceId, seq),
    dataSourceId,
    seq,
    phoneNumber: item.phone as string,
    fields: JSON.parse(item.fields as string) as Fields,
    status: item.status as ContactStatus,
    callCount: item.callCount as number,
    createTime: item.created as number,
    ...(item.updated === undefined ? {} : { updateTime: item.updated as number }),
    ...(callUntil === undefined ? {} : { callUntil }),
  };
};
