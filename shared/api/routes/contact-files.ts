import {
  exportContacts,
  findDataSource,
  keepUpload,
  listImportRecords,
  presignImport,
  readRejected,
  readReports,
  registerImport,
  renderExport,
  runImport,
} from '../access.ts';
import type { Route } from '../route.ts';
import {
  count,
  exactly,
  fileFormat,
  fileTypes,
  id,
  idParams,
  pageOf,
  paging,
  timestamp,
} from '../schemas.ts';

const tag = 'Contact files';
const exampleImport = '2c8v5b9n4m7k3j6h';

/** One row that was not imported. */
const failedRow = exactly({
  row: { type: 'integer', minimum: 2, description: 'line number as a spreadsheet shows it, titles = 1' },
  phoneNumber: { type: 'string' },
  code: {
    type: 'string',
    enum: ['DUPLICATE', 'DUPLICATE_IN_FILE', 'INVALID_PHONE', 'MISSING_PHONE', 'INVALID_FIELD'],
  },
  message: { type: 'string' },
});
const outcome = {
  importCount: count,
  successCount: count,
  failCount: count,
  details: { type: 'array', items: failedRow },
} as const;
const status = { type: 'string', enum: ['WAITING', 'RUNNING', 'DONE', 'FAILED'] } as const;
const importParams = {
  type: 'object',
  properties: { id, importId: id },
  required: ['id', 'importId'],
} as const;

/** How a file is read. */
const readingOptions = {
  sheet: { type: 'string', description: 'the sheet to read; else the first visible one with a phone title' },
  headerRow: {
    type: 'integer',
    minimum: 1,
    maximum: 1_048_576,
    description: 'the line of the titles; else the first of 20 with a phone title',
  },
} as const;
/** What becomes of its rows. */
const importingOptions = {
  onDuplicate: {
    type: 'string',
    enum: ['skip', 'update'],
    description:
      'a row whose phone number the data source has: skip (the default) reports it, update gives its fields to the contact',
  },
  dryRun: { type: 'boolean', description: 'true: the same report, nothing stored' },
} as const;
const mappingText = {
  type: 'string',
  contentMediaType: 'application/json',
  description: 'JSON: field name by title, "" leaves the column out',
} as const;
const mapping = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'field name by title, "" leaves the column out',
} as const;

/** 10 MB of file and the form around it. */
const formLimit = 10 * 1024 * 1024 + 512 * 1024;

const exampleOutcome = {
  importCount: 3,
  successCount: 2,
  failCount: 1,
  details: [
    {
      row: 4,
      phoneNumber: '13800138000',
      code: 'DUPLICATE',
      message: 'the data source has this phone number',
    },
  ],
} as const;

export const batchImport = {
  id: 'batchImport',
  file: 'contact/batch-import',
  method: 'POST',
  path: '/api/dataSource/{id}/contact/batchImport',
  scope: 'outbound/write',
  tag,
  summary: 'Import contacts from a CSV or Excel file',
  description:
    'At most 10,000 rows and 10 MB. Through API Gateway a request carries about 4 MB; use importUpload for larger files.',
  params: idParams,
  upload: 'file',
  form: { type: 'object', properties: { mapping: mappingText, ...readingOptions, ...importingOptions } },
  bodyLimit: formLimit,
  response: { data: exactly(outcome) },
  errors: ['invalid', 'notFound', 'tooLarge'],
  example: { data: exampleOutcome },
  access: { table: [...registerImport, ...runImport], bucket: [keepUpload] },
  memory: 1769,
  timeout: 29,
} as const satisfies Route;

export const importUpload = {
  id: 'importUpload',
  file: 'contact/import-upload',
  method: 'POST',
  path: '/api/dataSource/{id}/contact/importUpload',
  scope: 'outbound/write',
  tag,
  summary: 'Get an address to upload a contact file to; its arrival runs the import',
  params: idParams,
  body: {
    type: 'object',
    properties: {
      fileName: { type: 'string', minLength: 1, maxLength: 255 },
      fileSize: { type: 'integer', minimum: 1, description: 'bytes, exactly as uploaded; at most 10 MB' },
      mapping,
      ...readingOptions,
      ...importingOptions,
    },
    required: ['fileName', 'fileSize'],
  },
  response: {
    data: exactly({
      importId: id,
      uploadUrl: { type: 'string' },
      method: { type: 'string', enum: ['PUT'] },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      expireTime: timestamp,
    }),
  },
  errors: ['invalid', 'notFound', 'tooLarge'],
  example: {
    body: { fileName: 'june.xlsx', fileSize: 734_003 },
    data: {
      importId: exampleImport,
      uploadUrl: 'https://bucket.example/imports/...',
      method: 'PUT',
      headers: { 'content-length': '734003' },
      expireTime: '2026-05-01 09:00:00',
    },
  },
  access: { table: registerImport, bucket: [presignImport] },
  memory: 512,
  timeout: 29,
} as const satisfies Route;

export const importStatus = {
  id: 'importStatus',
  file: 'contact/import-status',
  method: 'GET',
  path: '/api/dataSource/{id}/contact/import/{importId}',
  scope: 'outbound/read',
  tag,
  summary: 'How far an import is, and its outcome',
  description:
    'While it is RUNNING, importCount is the number of rows read, and successCount + failCount how many of them are done.',
  params: importParams,
  response: {
    data: exactly({
      importId: id,
      status,
      ...outcome,
      message: { type: 'string' },
      createTime: timestamp,
      updateTime: timestamp,
    }),
  },
  errors: ['notFound'],
  example: {
    data: {
      importId: exampleImport,
      status: 'DONE',
      ...exampleOutcome,
      message: '',
      createTime: '2026-05-01 08:00:00',
      updateTime: '2026-05-01 08:00:04',
    },
  },
  access: { table: [findDataSource], bucket: readReports },
  memory: 512,
  timeout: 29,
} as const satisfies Route;

export const importPreview = {
  id: 'importPreview',
  file: 'contact/import-preview',
  method: 'POST',
  path: '/api/dataSource/{id}/contact/importPreview',
  scope: 'outbound/write',
  tag,
  summary:
    'How a contact file would be read; stores nothing. With `headerRow` its titles may name no phone number yet',
  params: idParams,
  upload: 'file',
  form: { type: 'object', properties: { mapping: mappingText, ...readingOptions, ...importingOptions } },
  bodyLimit: formLimit,
  response: {
    data: exactly({
      kind: { type: 'string', enum: ['csv', 'xlsx', 'xlsm', 'xls', 'xlsb', 'ods'] },
      sheets: { type: 'array', items: { type: 'string' } },
      sheet: { type: 'string', description: 'empty for a CSV file' },
      headerRow: { type: 'integer', minimum: 1 },
      rowCount: count,
      columns: {
        type: 'array',
        items: exactly({
          column: { type: 'string', description: 'its letter' },
          title: { type: 'string' },
          field: { type: 'string', description: 'where its text goes; empty when it is left out' },
          samples: { type: 'array', items: { type: 'string' } },
        }),
      },
    }),
  },
  errors: ['invalid', 'notFound', 'tooLarge'],
  example: {
    data: {
      kind: 'xlsx',
      sheets: ['Cover', 'June'],
      sheet: 'June',
      headerRow: 3,
      rowCount: 2,
      columns: [
        { column: 'A', title: '手机号', field: 'phoneNumber', samples: ['13800138000', '13800138001'] },
        { column: 'B', title: 'City', field: 'City', samples: ['Berlin'] },
      ],
    },
  },
  access: { table: [findDataSource] },
  memory: 1769,
  timeout: 29,
} as const satisfies Route;

export const listImports = {
  id: 'listImports',
  file: 'contact/list-imports',
  method: 'GET',
  path: '/api/dataSource/{id}/contact/imports',
  scope: 'outbound/read',
  tag,
  summary: 'The imports of a data source, newest first',
  params: idParams,
  query: { type: 'object', properties: paging },
  response: {
    data: pageOf(
      exactly({
        importId: id,
        fileName: { type: 'string' },
        status,
        importCount: count,
        successCount: count,
        failCount: count,
        createTime: timestamp,
        updateTime: timestamp,
      }),
    ),
  },
  errors: ['invalid', 'notFound'],
  example: {
    data: {
      total: 1,
      rows: [
        {
          importId: exampleImport,
          fileName: 'june.xlsx',
          status: 'DONE',
          importCount: 3,
          successCount: 2,
          failCount: 1,
          createTime: '2026-05-01 08:00:00',
          updateTime: '2026-05-01 08:00:04',
        },
      ],
    },
  },
  access: { table: [findDataSource, listImportRecords] },
  memory: 512,
  timeout: 29,
} as const satisfies Route;

export const rejectedRows = {
  id: 'rejectedRows',
  file: 'contact/rejected-rows',
  method: 'GET',
  path: '/api/dataSource/{id}/contact/import/{importId}/rejected',
  scope: 'outbound/read',
  tag,
  summary: 'The rows that an import rejected, as a file to mend and import again',
  description:
    'The rows with their own columns and a last column importError, which an import ignores. 409 while the import has not ended, or when its file was refused as a whole.',
  params: importParams,
  query: { type: 'object', properties: { format: fileFormat } },
  response: { file: fileTypes },
  errors: ['invalid', 'notFound', 'conflict'],
  example: {},
  access: { table: [findDataSource], bucket: [readRejected, renderExport] },
  memory: 1024,
  timeout: 900,
} as const satisfies Route;

export const batchExport = {
  id: 'batchExport',
  file: 'contact/batch-export',
  method: 'GET',
  path: '/api/dataSource/{id}/contact/batchExport',
  scope: 'outbound/read',
  tag,
  summary: 'All contacts of a data source as a file',
  params: idParams,
  query: { type: 'object', properties: { format: fileFormat } },
  response: { file: fileTypes },
  errors: ['invalid', 'notFound'],
  example: {},
  access: { table: [exportContacts], bucket: [renderExport] },
  memory: 1024,
  timeout: 900,
} as const satisfies Route;
