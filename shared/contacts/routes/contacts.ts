import { type Route, reading, writing } from '../../platform/api/route.ts';
import {
  contactId,
  contactStatus,
  count,
  createTime,
  dataSourceId,
  exactly,
  idParams,
  like,
  nothing,
  optionalTimestamp,
  pageOf,
  paging,
  phone,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { addContacts, changeContacts, deleteContacts, readContacts } from './access.ts';

const tag = 'Contacts';

/** Values that a client may send for a custom field. Numbers and booleans are stored as text. */
const value = {
  title: 'FieldValue',
  type: ['string', 'number', 'boolean', 'null'],
  description: 'Stored as text. null: the contact does not have the field',
} as const;
/** Ignored, because a client may send a whole contact back. */
const reserved = {
  id: {},
  dataSourceId: {},
  status: {},
  callCount: {},
  createTime: {},
  updateTime: {},
} as const;

const phoneNumber = {
  title: 'PhoneNumber',
  type: 'string',
  description: 'An optional + and 3-15 digits; spaces, - . / ( ) are dropped. Unique in its data source',
  examples: ['13800138000'],
} as const;
const known = { customerName: value, address: value, orderAmount: value } as const;
/** What a contact has beside its required fields. */
const ownFields = {
  customerName: 'Li Wei',
  address: '1 Harbour Road',
  orderAmount: '128.50',
  plan: 'gold',
} as const;

const text = { type: 'string' } as const;
const rowFields = {
  id: contactId,
  dataSourceId,
  customerName: text,
  phoneNumber: phone,
  address: text,
  orderAmount: text,
  status: like(contactStatus, 0),
  callCount: count,
  createTime,
} as const;
/** The contract's fields, then the contact's custom fields. */
const row = {
  ...titled('Contact', exactly(rowFields)),
  examples: [ownFields],
  additionalProperties: { type: 'string' },
} as const;
export const listContacts = {
  id: 'listContacts',
  file: 'contact/list',
  ...reading,
  path: '/api/dataSource/{id}/contacts',
  tag,
  summary: 'List the contacts of a data source in the order they were added',
  description: 'The known fields are always present, empty where the contact has none. Custom fields follow.',
  params: idParams,
  query: {
    type: 'object',
    properties: {
      ...paging,
      phoneNumber: { type: 'string', description: 'Only contacts whose number contains this text' },
    },
  },
  ignoresUnknownNames: true,
  response: { data: pageOf(row) },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND'],
  access: { table: [readContacts] },
} as const satisfies Route;

export const contactDetail = {
  id: 'contactDetail',
  file: 'contact/detail',
  ...reading,
  path: '/api/dataSource/{id}/contact/detail/{contactId}',
  tag,
  summary: 'One contact',
  description: 'The fields of a list row and updateTime, which is null until the contact is changed.',
  params: { type: 'object', properties: { id: dataSourceId, contactId }, required: ['id', 'contactId'] },
  response: {
    data: {
      ...titled('ContactDetail', exactly({ ...rowFields, updateTime: optionalTimestamp })),
      examples: [ownFields],
      additionalProperties: { type: ['string', 'null'] },
    },
  },
  errors: ['DATA_SOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND'],
  access: { table: [readContacts] },
} as const satisfies Route;

export const addContact = {
  id: 'addContact',
  file: 'contact/add',
  ...writing,
  path: '/api/dataSource/{id}/contact/add',
  tag,
  summary: 'Add a contact',
  description:
    'Every field that is not reserved is a custom field. A contact has at most 50 custom fields and 8 KB.',
  params: idParams,
  body: {
    title: 'NewContact',
    type: 'object',
    properties: { ...reserved, contactId: {}, phoneNumber, ...known },
    required: ['phoneNumber'],
    additionalProperties: value,
    examples: [ownFields],
  },
  ignoresUnknownNames: true,
  response: {
    data: {
      type: 'object',
      properties: {
        id: contactId,
        dataSourceId,
        phoneNumber: phone,
        status: like(contactStatus, 0),
        createTime,
      },
      required: ['id', 'dataSourceId', 'phoneNumber', 'status', 'createTime'],
      additionalProperties: { type: 'string' },
      examples: [ownFields],
    },
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'PHONE_NUMBER_TAKEN'],
  access: { table: addContacts },
} as const satisfies Route;

export const updateContact = {
  id: 'updateContact',
  file: 'contact/update',
  ...writing,
  path: '/api/dataSource/{id}/contact/update',
  tag,
  summary: 'Change a contact',
  description: 'Only the fields in the body change. null removes a custom field.',
  params: idParams,
  body: {
    title: 'ContactChanges',
    type: 'object',
    properties: { ...reserved, contactId, phoneNumber, ...known },
    required: ['contactId'],
    additionalProperties: value,
    examples: [{ address: '2 Harbour Road' }],
  },
  ignoresUnknownNames: true,
  response: {
    data: {
      type: 'object',
      properties: { id: contactId, dataSourceId, phoneNumber: phone, updateTime: timestamp },
      required: ['id', 'dataSourceId', 'phoneNumber', 'updateTime'],
      additionalProperties: { type: 'string' },
      examples: [{ ...ownFields, address: '2 Harbour Road' }],
    },
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND', 'PHONE_NUMBER_TAKEN'],
  access: { table: changeContacts },
} as const satisfies Route;

export const deleteContact = {
  id: 'deleteContact',
  file: 'contact/delete',
  ...writing,
  path: '/api/dataSource/{id}/contact/delete',
  tag,
  summary: 'Delete a contact',
  description: 'Running tasks no longer call the contact.',
  params: idParams,
  body: { type: 'object', properties: { contactId }, required: ['contactId'] },
  ignoresUnknownNames: true,
  response: { data: nothing },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND'],
  access: { table: deleteContacts },
} as const satisfies Route;
