import type { FormatTime, Instant } from '../time.ts';
import { type Contact, statusAt } from './contact.ts';

const updateTimeOf = ({ updateTime }: Contact, formatTime: FormatTime) =>
  updateTime === undefined ? null : formatTime(updateTime);

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
  updateTime: updateTimeOf(contact, formatTime),
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
  updateTime: updateTimeOf(contact, formatTime),
});
