import { type FormatTime, formatOrNull, type Instant } from '../time.ts';
import { type Contact, statusAt } from './contact.ts';

/** The contract's nine fields, empty where the contact has no value, then its other custom fields. */
export const contactRow = (contact: Contact, now: Instant, formatTime: FormatTime) => ({
  id: contact.id,
  dataSourceId: contact.dataSourceId,
  customerName: '',
  phoneNumber: contact.phoneNumber,
  address: '',
  orderAmount: '',
  status: statusAt(contact, now),
  callCount: contact.callCount,
  createTime: formatTime(contact.createTime),
  ...contact.fields,
});

export const contactDetailView = (contact: Contact, now: Instant, formatTime: FormatTime) => ({
  ...contactRow(contact, now, formatTime),
  updateTime: formatOrNull(contact.updateTime, formatTime),
});

export const addedContact = (contact: Contact, formatTime: FormatTime) => ({
  id: contact.id,
  dataSourceId: contact.dataSourceId,
  phoneNumber: contact.phoneNumber,
  ...contact.fields,
  status: contact.status,
  createTime: formatTime(contact.createTime),
});

export const updatedContact = (contact: Contact, formatTime: FormatTime) => ({
  id: contact.id,
  dataSourceId: contact.dataSourceId,
  phoneNumber: contact.phoneNumber,
  ...contact.fields,
  updateTime: formatOrNull(contact.updateTime, formatTime),
});
