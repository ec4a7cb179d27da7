import {
  countContacts,
  deleteDataSource as deleteDataSourceItems,
  findDataSource,
  freeDataSourceName,
  listDataSourceHeaders,
  numberDataSources,
  putDataSource,
  setUpTable,
  takeDataSourceName,
} from '../access.ts';
import { type Route, reading, writing } from '../route.ts';
import {
  count,
  exactly,
  id,
  idParams,
  name,
  nothing,
  optionalTimestamp,
  pageOf,
  paging,
  text,
  timestamp,
  titled,
} from '../schemas.ts';
import { exampleSource } from './examples.ts';

const tag = 'Data sources';

const fields = { id, dataSourceName: name, dataSourceDesc: text, contactCount: count } as const;
const dataSource = titled(
  'DataSource',
  exactly({ ...fields, createTime: timestamp, updateTime: optionalTimestamp }),
);

const exampleFields = {
  id: exampleSource,
  dataSourceName: 'June renewals',
  dataSourceDesc: 'From the billing system',
} as const;
const exampleRow = {
  ...exampleFields,
  contactCount: 1000,
  createTime: '2026-05-01 08:00:00',
  updateTime: null,
} as const;

export const listDataSources = {
  id: 'listDataSources',
  file: 'data-source/list',
  ...reading,
  path: '/api/dataSource/list',
  tag,
  summary: 'List data sources, newest first',
  description: 'The built-in data source do-not-call is not listed.',
  query: {
    type: 'object',
    properties: {
      ...paging,
      dataSourceName: { type: 'string', description: 'Only data sources whose name contains this text' },
    },
  },
  response: { data: pageOf(dataSource) },
  errors: ['INVALID'],
  example: { data: { total: 1, rows: [exampleRow] } },
  access: { table: [listDataSourceHeaders, countContacts] },
} as const satisfies Route;

export const dataSourceDetail = {
  id: 'dataSourceDetail',
  file: 'data-source/detail',
  ...reading,
  path: '/api/dataSource/detail/{id}',
  tag,
  summary: 'Get a data source',
  description: 'Also for the built-in data source do-not-call.',
  params: idParams,
  response: { data: dataSource },
  errors: ['DATA_SOURCE_NOT_FOUND'],
  example: { data: exampleRow },
  access: { table: [findDataSource, countContacts] },
} as const satisfies Route;

export const addDataSource = {
  id: 'addDataSource',
  file: 'data-source/add',
  ...writing,
  path: '/api/dataSource/add',
  tag,
  summary: 'Add an empty data source',
  description: 'Contacts are added or imported afterwards.',
  body: {
    type: 'object',
    properties: { dataSourceName: name, dataSourceDesc: text },
    required: ['dataSourceName'],
  },
  response: { data: exactly({ ...fields, createTime: timestamp }) },
  errors: ['INVALID', 'NAME_TAKEN'],
  example: {
    body: { dataSourceName: 'June renewals', dataSourceDesc: 'From the billing system' },
    data: { ...exampleFields, contactCount: 0, createTime: '2026-05-01 08:00:00' },
  },
  access: { table: [numberDataSources, putDataSource, takeDataSourceName, setUpTable] },
} as const satisfies Route;

export const updateDataSource = {
  id: 'updateDataSource',
  file: 'data-source/update',
  ...writing,
  path: '/api/dataSource/update',
  tag,
  summary: 'Change the name or description of a data source',
  description: 'Only the fields in the body change.',
  body: {
    type: 'object',
    properties: { id, dataSourceName: name, dataSourceDesc: text },
    required: ['id'],
  },
  response: { data: exactly({ ...fields, updateTime: timestamp }) },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_FIXED', 'NAME_TAKEN'],
  example: {
    body: { id: exampleFields.id, dataSourceName: 'June and July renewals' },
    data: {
      ...exampleFields,
      dataSourceName: 'June and July renewals',
      contactCount: 1000,
      updateTime: '2026-05-02 08:00:00',
    },
  },
  access: { table: [findDataSource, countContacts, putDataSource, takeDataSourceName, freeDataSourceName] },
} as const satisfies Route;

export const deleteDataSource = {
  id: 'deleteDataSource',
  file: 'data-source/delete',
  ...writing,
  path: '/api/dataSource/delete',
  tag,
  summary: 'Delete a data source with its contacts for good',
  description:
    'Not allowed while tasks that are not CLOSED call it or exclude its numbers. It leaves the list and its name is free at once. Its contacts and files are removed in the background.',
  body: { type: 'object', properties: { id }, required: ['id'] },
  response: { data: nothing },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_FIXED', 'DATA_SOURCE_IN_USE'],
  example: { body: { id: exampleFields.id }, data: null },
  access: { table: deleteDataSourceItems },
} as const satisfies Route;
