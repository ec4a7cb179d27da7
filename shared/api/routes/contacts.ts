import { addContacts, changeContacts, deleteContacts, readContacts } from '../access.ts';
import { type Route, reading, writing } from '../route.ts';
import {
  contactStatus,
  count,
  exactly,
  id,
  idParams,
  nothing,
  optionalTimestamp,
  pageOf,
  paging,
  timestamp,
  titled,
} from '../schemas.ts';
import { exampleContact, exampleSource } from './examples.ts';

const tag = 'Contacts';

/** What a client may send for a custom field. Numbers and booleans are stored as text. */
const value = { title: 'FieldValue', type: ['string', 'number', 'boolean', 'null'] } as const;
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
} as const;
const known = { customerName: value, address: value, orderAmount: value } as const;

const exampleFields = {
  customerName: 'Li Wei',
  phoneNumber: '13800138000',
  address: '1 Harbour Road',
  orderAmount: '128.50',
} as const;

const rowFields = {
  id,
  dataSourceId: id,
  customerName: { type: 'string' },
  phoneNumber: { type: 'string' },
  address: { type: 'string' },
  orderAmount: { type: 'string' },
  status: contactStatus,
  callCount: count,
  createTime: timestamp,
} as const;
/** The contract's fields, then the contact's custom fields. */
const row = {
  ...titled('Contact', exactly(rowFields)),
  additionalProperties: { type: 'string' },
} as const;
const exampleRow = {
  id: exampleContact,
  dataSourceId: exampleSource,
  ...exampleFields,
  status: 0,
  callCount: 0,
  createTime: '2026-05-01 08:05:00',
  plan: 'gold',
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
  response: { data: pageOf(row) },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND'],
  example: {
    data: {
      total: 1,
      rows: [exampleRow],
    },
  },
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
  params: { type: 'object', properties: { id, contactId: id }, required: ['id', 'contactId'] },
  response: {
    data: {
      ...titled('ContactDetail', exactly({ ...rowFields, updateTime: optionalTimestamp })),
      additionalProperties: { type: ['string', 'null'] },
    },
  },
  errors: ['DATA_SOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND'],
  example: { data: { ...exampleRow, updateTime: null } },
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
  },
  response: {
    data: {
      type: 'object',
      properties: {
        id,
        dataSourceId: id,
        phoneNumber: { type: 'string' },
        status: contactStatus,
        createTime: timestamp,
      },
      required: ['id', 'dataSourceId', 'phoneNumber', 'status', 'createTime'],
      additionalProperties: { type: 'string' },
    },
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'PHONE_NUMBER_TAKEN'],
  example: {
    body: { ...exampleFields, plan: 'gold' },
    data: {
      id: exampleContact,
      dataSourceId: exampleSource,
      ...exampleFields,
      plan: 'gold',
      status: 0,
      createTime: '2026-05-01 08:05:00',
    },
  },
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
    properties: { ...reserved, contactId: id, phoneNumber, ...known },
    required: ['contactId'],
    additionalProperties: value,
  },
  response: {
    data: {
      type: 'object',
      properties: { id, dataSourceId: id, phoneNumber: { type: 'string' }, updateTime: timestamp },
      required: ['id', 'dataSourceId', 'phoneNumber', 'updateTime'],
      additionalProperties: { type: 'string' },
    },
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND', 'PHONE_NUMBER_TAKEN'],
  example: {
    body: { contactId: exampleContact, address: '2 Harbour Road' },
    data: {
      id: exampleContact,
      dataSourceId: exampleSource,
      ...exampleFields,
      address: '2 Harbour Road',
      updateTime: '2026-05-01 08:06:00',
    },
  },
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
  body: { type: 'object', properties: { contactId: id }, required: ['contactId'] },
  response: { data: nothing },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND'],
  example: { body: { contactId: exampleContact }, data: null },
  access: { table: deleteContacts },
} as const satisfies Route;
