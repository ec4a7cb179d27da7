import { findDataSource } from '../../contacts/routes/access.ts';
import { importIdHeader } from '../../platform/api/answers.ts';
import { type Route, reading, renderExport, writing } from '../../platform/api/route.ts';
import {
  createTime,
  exactly,
  exporting,
  fileFormat,
  idParams,
  like,
  pageOf,
  paging,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { maxFileMegabytes } from '../../platform/rules/files.ts';
import {
  keepUpload,
  listImportRecords,
  presignImport,
  putReports,
  readRejected,
  readReports,
  registerImport,
  rollImportBack,
  runImport,
} from './access.ts';
import {
  fileForm,
  fileName,
  fileReport,
  fileTag,
  formLimit,
  importFields,
  importId,
  importingOptions,
  importParams,
  importReport,
  mapping,
  message,
  readingOptions,
  reasonCode,
  status,
  updateCount,
} from './import-fields.ts';

export const batchImport = {
  id: 'batchImport',
  file: 'contact/batch-import',
  ...writing,
  path: '/api/dataSource/{id}/contact/batchImport',
  tag: fileTag,
  summary: 'Import contacts from a CSV or Excel file',
  description: `At most 10,000 rows and ${maxFileMegabytes} MB. A request through API Gateway carries about 4 MB; use importUpload for larger files.`,
  params: idParams,
  upload: 'file',
  form: fileForm,
  ignoresUnknownNames: true,
  bodyLimit: formLimit,
  response: { data: importReport },
  answerHeaders: [importIdHeader],
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'IMPORT_FAILED', 'FILE_TOO_LARGE'],
  access: { table: [...registerImport, ...runImport], bucket: [keepUpload] },
  memory: 1769,
} as const satisfies Route;

export const importUpload = {
  id: 'importUpload',
  file: 'contact/import-upload',
  ...writing,
  path: '/api/dataSource/{id}/contact/importUpload',
  tag: fileTag,
  summary: 'Get a URL to upload a contact file to',
  description: 'The import starts when the file arrives.',
  params: idParams,
  body: {
    type: 'object',
    properties: {
      fileName: { ...fileName, minLength: 1, maxLength: 255 },
      fileSize: {
        type: 'integer',
        minimum: 1,
        examples: [734_003],
        description: `Exact number of bytes; at most ${maxFileMegabytes} MB for each 10,000 rows of IMPORT_MAX_ROWS, and 512 MB`,
      },
      mapping,
      ...readingOptions,
      ...importingOptions,
    },
    required: ['fileName', 'fileSize'],
  },
  response: {
    data: exactly({
      importId,
      uploadUrl: { type: 'string', examples: ['https://bucket.example/imports/...'] },
      method: { type: 'string', enum: ['PUT'] },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string' },
        examples: [{ 'content-length': '734003' }],
      },
      expireTime: timestamp,
    }),
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'FILE_TOO_LARGE'],
  access: { table: registerImport, bucket: [presignImport] },
} as const satisfies Route;

export const importStatus = {
  id: 'importStatus',
  file: 'contact/import-status',
  ...reading,
  path: '/api/dataSource/{id}/contact/import/{importId}',
  tag: fileTag,
  summary: 'Progress and report of an import',
  description:
    'While the import is RUNNING, importCount is the number of rows read, and successCount + failCount is the number of rows done.',
  params: importParams,
  response: {
    data: exactly({
      importId,
      status,
      ...fileReport,
      updateCount,
      message,
      reasonCode,
      createTime,
      updateTime: like(timestamp, '2026-05-01 09:00:04'),
    }),
  },
  errors: ['DATA_SOURCE_NOT_FOUND', 'IMPORT_NOT_FOUND'],
  access: { table: [findDataSource], bucket: readReports },
} as const satisfies Route;

export const cancelImport = {
  id: 'cancelImport',
  file: 'contact/cancel-import',
  ...writing,
  path: '/api/dataSource/{id}/contact/import/{importId}/cancel',
  tag: fileTag,
  summary: 'End an import whose rows are not all visible yet',
  description:
    'None of its rows becomes a contact, and the import is FAILED. Where rows become visible in steps, those that are visible stay, and successCount is their number. The status is RUNNING if the import is being run: it ends within ten minutes, usually at once. An import with onDuplicate update that does not show its rows in steps can be cancelled until it begins to write.',
  params: importParams,
  body: { type: 'object', properties: {} },
  response: {
    data: exactly({
      importId,
      status: like(status, 'FAILED'),
      message: like(message, 'the import was cancelled'),
    }),
  },
  errors: ['INVALID', 'IMPORT_NOT_FOUND', 'IMPORT_STATE'],
  access: { table: rollImportBack, bucket: putReports },
} as const satisfies Route;

export const listImports = {
  id: 'listImports',
  file: 'contact/list-imports',
  ...reading,
  path: '/api/dataSource/{id}/contact/imports',
  tag: fileTag,
  summary: 'List the imports of a data source, newest first',
  description: 'Dry runs are not listed.',
  params: idParams,
  query: { type: 'object', properties: paging },
  response: {
    data: pageOf(titled('Import', exactly(importFields))),
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND'],
  access: { table: [findDataSource, listImportRecords] },
} as const satisfies Route;

export const rejectedRows = {
  id: 'rejectedRows',
  file: 'contact/rejected-rows',
  ...exporting,
  path: '/api/dataSource/{id}/contact/import/{importId}/rejected',
  tag: fileTag,
  summary: 'Download the rejected rows of an import, to be fixed and imported again',
  description:
    'The rows have their own columns and a last column importError, which an import ignores. 409 while the import has not ended, or when it failed.',
  params: importParams,
  query: { type: 'object', properties: { format: fileFormat } },
  errors: [
    'INVALID',
    'DATA_SOURCE_NOT_FOUND',
    'IMPORT_NOT_FOUND',
    'FILE_NOT_FOUND',
    'IMPORT_RUNNING',
    'IMPORT_FAILED',
    'FILE_TOO_LARGE',
  ],
  access: { table: [findDataSource], bucket: [readRejected, renderExport] },
} as const satisfies Route;
