import { type Route, reading, setUpTable, writing } from '../../platform/api/route.ts';
import {
  count,
  createTime,
  dataSourceId,
  dataSourceName,
  exactly,
  idParams,
  like,
  nothing,
  optionalTimestamp,
  pageOf,
  paging,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { text } from '../../platform/rules/names.ts';
import {
  countContacts,
  deleteDataSource as deleteDataSourceItems,
  findDataSource,
  freeDataSourceName,
  listDataSourceHeaders,
  numberDataSources,
  putDataSource,
  takeDataSourceName,
} from './access.ts';

const tag = 'Data sources';

const dataSourceDesc = { ...like(text, 'From the billing system'), description: 'For people' } as const;
const fields = { id: dataSourceId, dataSourceName, dataSourceDesc, contactCount: like(count, 1000) } as const;
const dataSource = titled('DataSource', exactly({ ...fields, createTime, updateTime: optionalTimestamp }));

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
  ignoresUnknownNames: true,
  response: { data: pageOf(dataSource) },
  errors: ['INVALID'],
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
  ignoresUnknownNames: true,
  response: { data: dataSource },
  errors: ['DATA_SOURCE_NOT_FOUND'],
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
    properties: { dataSourceName, dataSourceDesc },
    required: ['dataSourceName'],
    examples: [{ dataSourceDesc: 'From the billing system' }],
  },
  ignoresUnknownNames: true,
  response: { data: exactly({ ...fields, contactCount: count, createTime }) },
  errors: ['INVALID', 'NAME_TAKEN'],
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
    properties: { id: dataSourceId, dataSourceName, dataSourceDesc },
    required: ['id'],
    examples: [{ dataSourceName: 'June and July renewals' }],
  },
  ignoresUnknownNames: true,
  response: {
    data: exactly({
      ...fields,
      dataSourceName: like(dataSourceName, 'June and July renewals'),
      updateTime: timestamp,
    }),
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_FIXED', 'NAME_TAKEN'],
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
  body: { type: 'object', properties: { id: dataSourceId }, required: ['id'] },
  response: { data: nothing },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'DATA_SOURCE_FIXED', 'DATA_SOURCE_IN_USE'],
  access: { table: deleteDataSourceItems },
} as const satisfies Route;
