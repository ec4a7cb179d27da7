import { invalid } from '../../platform/rules/errors.ts';
import { plainName } from '../../platform/rules/names.ts';
import { ownZoneOf, zoneField } from '../../platform/time/schedule.ts';
import { type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';
import { normalisePhone, readPhone, type SpellPhone } from './phone-number.ts';

/** The id contains the id of the data source, so it never means a contact of another one. */
export const contactId = (dataSourceId: string, seq: number) => `${dataSourceId}-${seq.toString(36)}`;

/** Sequence numbers have at most nine decimal digits, the width of their sort key. */
const maxSeq = 999_999_999;
const seqPattern = /^(?:0|[1-9a-z][0-9a-z]{0,5})$/;

/** The sequence number in an id. @returns undefined for other text */
export const parseSeq = (digits: string): number | undefined => {
  const seq = seqPattern.test(digits) ? Number.parseInt(digits, 36) : Number.POSITIVE_INFINITY;
  return seq <= maxSeq ? seq : undefined;
};

/**
 * The sequence number in the id.
 * @returns undefined if no contact of the data source can have this id
 */
export const parseContactId = (dataSourceId: string, id: string): number | undefined => {
  const prefix = `${dataSourceId}-`;
  return id.startsWith(prefix) ? parseSeq(id.slice(prefix.length)) : undefined;
};

/** A contact's `status`: its latest outcome in any task, or within one task in that task. */
export const contactStatus = { notDialed: 0, success: 1, failed: 2, noAnswer: 3, inCall: 4 } as const;
export type ContactStatus = (typeof contactStatus)[keyof typeof contactStatus];

/** Custom fields by name. Names such as `__proto__` are data: use Object.fromEntries. */
export type Fields = Readonly<Record<string, string>>;

/** Times are epoch milliseconds. */
export type Contact = {
  id: string;
  dataSourceId: string;
  seq: number;
  phoneNumber: string;
  fields: Fields;
  status: ContactStatus;
  callCount: number;
  createTime: number;
  updateTime?: number;
  /** A call to the contact may be in progress until then. */
  callUntil?: number;
};

/** The status that a client sees. A call in progress hides the latest outcome. */
export const statusAt = ({ status, callUntil = 0 }: Contact, now: number): ContactStatus =>
  callUntil > now ? contactStatus.inCall : status;

export type NewContact = { phoneNumber: string; fields: Fields };
/** A `null` value removes the field. */
export type ContactPatch = { phoneNumber?: string; changes: ReadonlyMap<string, string | null> };

/** Custom fields that the contract names. Every list row and export has them. */
export const knownFields = ['customerName', 'address', 'orderAmount'] as const;

/** All fields that have a meaning for the service. */
export const meaningfulFields = [
  'phoneNumber',
  ...knownFields,
  'timeZone',
  'callAfter',
  'callBefore',
] as const;
export type MeaningfulField = (typeof meaningfulFields)[number];
const byPlainName = new Map(meaningfulFields.map((field) => [plainName(field), field]));

/** The field of which the name is another spelling, such as `time_zone` for timeZone. */
export const fieldMisspelt = (name: string): MeaningfulField | undefined => {
  const field = byPlainName.get(plainName(name));
  return field === name ? undefined : field;
};

/**
 * Fields that the service sets. They are ignored in input, so that a client may send a whole
 * contact back.
 */
export const reservedFields: ReadonlySet<string> = new Set([
  'id',
  'contactId',
  'dataSourceId',
  'status',
  'callCount',
  'createTime',
  'updateTime',
]);

/** Reserved only in the export of a task. Elsewhere these are ordinary field names. */
export const outcomeTitles: ReadonlySet<string> = new Set([
  'callDuration',
  'lastCallTime',
  'callOutcome',
  'callReason',
]);

const maxFields = 50;
export const fieldNameAtMost = 64;
const maxBytes = 8 * 1024;
/** UTF-8 cannot encode lone surrogates, so neither the table nor a file can hold them. */
const loneSurrogate = /\p{Surrogate}/u;

/**
 * A character takes at most three bytes, so only long contacts must be encoded to be measured.
 * Encoding all of them would take a third of the time of reading a contact file.
 */
const mostBytes = 3;
const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

/** The name as it is stored. An export and a new import do not change it. */
const readName = (given: string): string => {
  const name = given.trim();
  const characters = [...name];
  if (characters.length < 1 || characters.length > fieldNameAtMost) {
    const shown = characters.slice(0, fieldNameAtMost).join('') || 'fields';
    throw invalid(shown, `a field name has 1 to ${fieldNameAtMost} characters`, 'TOO_LONG');
  }
  if (loneSurrogate.test(name)) throw invalid('fields', 'a field name is not valid Unicode', 'BAD_TEXT');
  if (name.includes('\0'))
    throw invalid('fields', 'a field name must not contain NUL characters', 'BAD_TEXT');
  if (name.toLowerCase() === 'phonenumber') throw invalid(name, 'write it phoneNumber', 'UNKNOWN');
  return name;
};

const readValue = (name: string, value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') throw invalid(name, 'must be a string, a number or a boolean', 'WRONG_TYPE');
  if (loneSurrogate.test(value)) throw invalid(name, 'is not valid Unicode', 'BAD_TEXT');
  // No contact file can contain it.
  if (value.includes('\0')) throw invalid(name, 'must not contain NUL characters', 'BAD_TEXT');
  return value;
};

const readFields = (input: object): Map<string, string | null> => {
  const fields = new Map<string, string | null>();
  for (const [given, value] of Object.entries(input)) {
    if (given === 'phoneNumber' || reservedFields.has(given.trim())) continue;
    const name = readName(given);
    if (fields.has(name)) throw invalid(name, 'is given twice', 'DUPLICATE');
    fields.set(name, readValue(name, value));
  }
  return fields;
};

/** @throws ServiceError invalid if the contact has too many fields or is too large */
const checkSize = (contact: NewContact): NewContact => {
  const entries = Object.entries(contact.fields);
  if (entries.length > maxFields)
    throw invalid('fields', `a contact has at most ${maxFields} fields`, 'TOO_MANY');
  const sizeBy = (measure: (text: string) => number) =>
    entries.reduce((sum, [name, value]) => sum + measure(name) + measure(value), contact.phoneNumber.length);
  if (sizeBy(({ length }) => mostBytes * length) > maxBytes && sizeBy(bytesOf) > maxBytes)
    throw invalid('fields', `a contact has at most ${maxBytes} bytes`, 'TOO_LARGE');
  return contact;
};

const given = (fields: ReadonlyMap<string, string | null>): Fields =>
  Object.fromEntries([...fields].filter((entry): entry is [string, string] => entry[1] !== null));

/** `removed`: fields that are null. They matter only if the contact exists. */
type SentContact = NewContact & { removed?: readonly string[] };

/** @throws ServiceError invalid, naming the field */
export const readSentContact = (input: object, spell?: SpellPhone): SentContact => {
  const phoneNumber = readPhone('phoneNumber' in input ? input.phoneNumber : undefined, spell);
  const fields = readFields(input);
  const removed = [...fields.keys()].filter((name) => fields.get(name) === null);
  const contact = checkSize({ phoneNumber, fields: given(fields) });
  return removed.length > 0 ? { ...contact, removed } : contact;
};

/** @throws ServiceError invalid, naming the field */
export const readNewContact = (input: object, spell?: SpellPhone): NewContact => {
  const { phoneNumber, fields } = readSentContact(input, spell);
  return { phoneNumber, fields };
};

/** @throws ServiceError invalid, naming the field */
export const readContactPatch = (input: object, spell?: SpellPhone): ContactPatch => ({
  ...('phoneNumber' in input && { phoneNumber: readPhone(input.phoneNumber, spell) }),
  changes: readFields(input),
});

/**
 * The contact after the patch.
 * @throws ServiceError invalid if it has too many fields or is too large
 */
export const patched = (contact: Contact, patch: ContactPatch): NewContact => {
  const merged = new Map<string, string | null>([...Object.entries(contact.fields), ...patch.changes]);
  return checkSize({
    phoneNumber: patch.phoneNumber ?? contact.phoneNumber,
    fields: given(merged),
  });
};

/**
 * The field names that are not in the contract. `timeZone` means that contacts have zones of their
 * own; an empty one does not count.
 */
export const customNames = (fields: Fields): string[] =>
  Object.keys(fields)
    .filter((name) => !(knownFields as readonly string[]).includes(name))
    .filter((name) => name !== zoneField || fields[name] !== '');

/** The zones of the contacts of a list, with an empty one for contacts without a zone. */
export const zonesAmong = (contacts: readonly { fields: Fields }[]): string[] => [
  ...new Set(contacts.map(({ fields }) => ownZoneOf(fields) ?? '')),
];

/**
 * A contact as a client names it, and how it may be found: by its sequence number, or by a spelling
 * of its phone number.
 */
export type NamedContact = { name: string; seqs: readonly number[]; phones: readonly string[] };

type Names = { contactIds?: readonly string[] | undefined; phoneNumbers?: readonly string[] | undefined };

/**
 * The contacts that a client names, each once. A number that was stored before the service had a
 * country is stored as it was written.
 * @throws ServiceError invalid
 */
export const readNamedContacts = (
  dataSourceId: string,
  { contactIds, phoneNumbers }: Names,
  spell: SpellPhone,
): NamedContact[] => {
  if (contactIds !== undefined && phoneNumbers !== undefined)
    throw invalid('phoneNumbers', 'must not be given together with contactIds');
  if (contactIds !== undefined) {
    return [...new Set(contactIds)].map((name) => {
      const seq = parseContactId(dataSourceId, name);
      return { name, seqs: seq === undefined ? [] : [seq], phones: [] };
    });
  }
  if (phoneNumbers === undefined) throw invalid('contactIds', 'or phoneNumbers is required', 'REQUIRED');
  return [...new Set(phoneNumbers)].map((name) => {
    const number = normalisePhone(name);
    return { name, seqs: [], phones: number === undefined ? [] : [...new Set([spell(number), number])] };
  });
};

/** The contract's nine fields, empty if the contact has no value, then its other custom fields. */
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

/** `now` is the update time of the contact, which its type allows to be missing. */
export const updatedContact = (contact: Contact, now: Instant, formatTime: FormatTime) => ({
  id: contact.id,
  dataSourceId: contact.dataSourceId,
  phoneNumber: contact.phoneNumber,
  ...contact.fields,
  updateTime: formatTime(contact.updateTime ?? now),
});
