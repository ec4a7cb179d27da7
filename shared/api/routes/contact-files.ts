import { rejectionCodes } from '../../domain/imports/contact-import.ts';
import {
  exportContacts,
  findDataSource,
  keepUpload,
  listImportRecords,
  presignImport,
  putReports,
  readRejected,
  readReports,
  registerImport,
  renderExport,
  rollImportBack,
  runImport,
} from '../access.ts';
import { importIdHeader } from '../answer-headers.ts';
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
  titled,
  wordingOptions,
} from '../schemas.ts';

const tag = 'Contact files';
const exampleImport = '2c8v5b9n4m7k3j6h';

/** A rejected row. */
const failedRow = titled('RejectedRow', {
  ...exactly({
    row: {
      type: 'integer',
      minimum: 1,
      description: 'Line number as a spreadsheet shows it',
    },
    phoneNumber: { type: 'string' },
    code: {
      type: 'string',
      enum: rejectionCodes,
      description: 'NOT_IMPORTED: the import was ended before it wrote the row',
    },
    message: { type: 'string' },
    cell: {
      type: 'string',
      description: 'The cell that was rejected, for example B17; absent if no single cell is wrong',
    },
    sheet: { type: 'string', description: 'Absent for a CSV file' },
    firstRow: {
      type: 'integer',
      minimum: 1,
      description: 'Of DUPLICATE_IN_FILE: the earlier row with the same phone number',
    },
  }),
  required: ['row', 'phoneNumber', 'code', 'message'],
} as const);
const report = {
  importCount: count,
  successCount: count,
  failCount: count,
  details: { type: 'array', items: failedRow },
} as const;
export const importReport = titled('ImportReport', exactly(report));
/** Not in the answer of batchImport: the contract fixes its fields. */
const updateCount = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'Rows of successCount that updated a contact; null if unknown (an import of release 0.2)',
} as const;
const status = {
  title: 'ImportStatus',
  type: 'string',
  enum: ['WAITING', 'RUNNING', 'DONE', 'FAILED'],
} as const;
const importParams = {
  type: 'object',
  properties: { id, importId: id },
  required: ['id', 'importId'],
} as const;

/** How a file is read. */
const readingOptions = {
  sheet: {
    type: 'string',
    description: 'The sheet to read. Default: the first visible sheet with a phone title',
  },
  headerRow: {
    type: 'integer',
    minimum: 0,
    maximum: 1_048_576,
    description:
      'The line of the titles. 0: there are no titles; columns are named by their letters ("column A"), and the column with phone numbers is found by its content. Default: the first of the first 20 lines with a phone title',
  },
} as const;
export const onDuplicate = {
  type: 'string',
  enum: ['skip', 'update'],
  description:
    'What to do with a row whose phone number is already in the data source. skip (the default) rejects the row, update writes its fields into the contact',
} as const;
/** What happens to its rows. */
const importingOptions = {
  onDuplicate,
  dryRun: { type: 'boolean', description: 'true: answer the same report, but store nothing' },
} as const;
const mappingText = {
  type: 'string',
  contentMediaType: 'application/json',
  description: 'JSON object with a field name for each title; "" excludes the column',
} as const;
const mapping = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'A field name for each title; "" excludes the column',
} as const;

const fileForm = {
  title: 'ContactFileForm',
  type: 'object',
  properties: { mapping: mappingText, ...readingOptions, ...importingOptions },
} as const;

/** A file of 10 MB and the form around it. */
const formLimit = 10 * 1024 * 1024 + 512 * 1024;

const exampleReport = {
  importCount: 3,
  successCount: 2,
  failCount: 1,
  details: [
    {
      row: 4,
      phoneNumber: '13800138000',
      code: 'DUPLICATE',
      message: 'the data source has this phone number',
      cell: 'A4',
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
    'At most 10,000 rows and 10 MB. A request through API Gateway carries about 4 MB; use importUpload for larger files.',
  params: idParams,
  upload: 'file',
  form: fileForm,
  bodyLimit: formLimit,
  response: { data: importReport },
  answerHeaders: [importIdHeader],
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'IMPORT_FAILED', 'FILE_TOO_LARGE'],
  example: { data: exampleReport },
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
  summary: 'Get a URL to upload a contact file to',
  description: 'The import starts when the file arrives.',
  params: idParams,
  body: {
    type: 'object',
    properties: {
      fileName: { type: 'string', minLength: 1, maxLength: 255 },
      fileSize: { type: 'integer', minimum: 1, description: 'Exact number of bytes; at most 10 MB' },
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
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'FILE_TOO_LARGE'],
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
  summary: 'Progress and report of an import',
  description:
    'While the import is RUNNING, importCount is the number of rows read, and successCount + failCount is the number of rows done.',
  params: importParams,
  response: {
    data: exactly({
      importId: id,
      status,
      ...report,
      updateCount,
      message: { type: 'string' },
      createTime: timestamp,
      updateTime: timestamp,
    }),
  },
  errors: ['DATA_SOURCE_NOT_FOUND', 'IMPORT_NOT_FOUND'],
  example: {
    data: {
      importId: exampleImport,
      status: 'DONE',
      ...exampleReport,
      updateCount: 0,
      message: '',
      createTime: '2026-05-01 08:00:00',
      updateTime: '2026-05-01 08:00:04',
    },
  },
  access: { table: [findDataSource], bucket: readReports },
  memory: 512,
  timeout: 29,
} as const satisfies Route;

export const cancelImport = {
  id: 'cancelImport',
  file: 'contact/cancel-import',
  method: 'POST',
  path: '/api/dataSource/{id}/contact/import/{importId}/cancel',
  scope: 'outbound/write',
  tag,
  summary: 'End an import whose rows are not visible yet',
  description:
    'None of its rows becomes a contact, and the import is FAILED. The status is RUNNING if the import is being run: it ends within ten minutes, usually at once. An import with onDuplicate update can be cancelled until it begins to write.',
  params: importParams,
  response: { data: exactly({ importId: id, status, message: { type: 'string' } }) },
  errors: ['IMPORT_NOT_FOUND', 'IMPORT_STATE'],
  example: {
    data: { importId: exampleImport, status: 'FAILED', message: 'the import was cancelled' },
  },
  access: { table: rollImportBack, bucket: putReports },
  memory: 512,
  timeout: 29,
} as const satisfies Route;

/** What every row of a previewed file comes to, without its data source. */
const fileCheck = titled(
  'FileCheck',
  exactly({
    successCount: count,
    failCount: count,
    rejected: {
      type: 'object',
      additionalProperties: count,
      description: 'Rows that cannot be imported, by their code',
    },
    internationalCount: { ...count, description: 'Different phone numbers that begin with + or 00' },
    nationalCount: { ...count, description: 'Different phone numbers that do not' },
    doubtfulCount: {
      ...count,
      description:
        'Different phone numbers that are not valid in the country of the service, nor as international numbers, for example because they are too short; 0 if no country is set',
    },
  }),
);

const previewed = exactly({
  kind: { type: 'string', enum: ['csv', 'xlsx', 'xlsm', 'xls', 'xlsb', 'ods'] },
  sheets: { type: 'array', items: { type: 'string' } },
  sheet: { type: 'string', description: 'Empty for a CSV file' },
  headerRow: { type: 'integer', minimum: 0, description: '0 for a file without titles' },
  rowCount: count,
  columns: {
    type: 'array',
    items: exactly({
      column: { type: 'string', description: 'The letter of the column' },
      title: { type: 'string' },
      field: {
        type: 'string',
        description: 'The field the column fills; empty for an excluded column',
      },
      samples: { type: 'array', items: { type: 'string' } },
    }),
  },
});

const preview = {
  method: 'POST',
  scope: 'outbound/write',
  tag,
  upload: 'file',
  form: fileForm,
  bodyLimit: formLimit,
  response: {
    data: titled('ImportPreview', {
      ...previewed,
      properties: { ...previewed.properties, check: fileCheck },
    }),
  },
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
  memory: 1769,
  timeout: 29,
} as const;

export const importPreview = {
  id: 'importPreview',
  file: 'contact/import-preview',
  path: '/api/dataSource/{id}/contact/importPreview',
  summary: 'Preview how a contact file would be read',
  description:
    'Stores nothing. With headerRow, the titles need not include a phone number. With dryRun, every row is checked (check, absent without a column of phone numbers), and phone numbers under no known title are found by their content.',
  params: idParams,
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'FILE_TOO_LARGE'],
  access: { table: [findDataSource] },
  ...preview,
} as const satisfies Route;

export const filePreview = {
  id: 'filePreview',
  file: 'contact/file-preview',
  path: '/api/contact/importPreview',
  summary: 'Preview a contact file for a data source that does not exist yet',
  description: 'As the preview of a data source. Stores nothing.',
  errors: ['INVALID', 'FILE_TOO_LARGE'],
  access: { table: [] },
  ...preview,
} as const satisfies Route;

export const listImports = {
  id: 'listImports',
  file: 'contact/list-imports',
  method: 'GET',
  path: '/api/dataSource/{id}/contact/imports',
  scope: 'outbound/read',
  tag,
  summary: 'List the imports of a data source, newest first',
  description: 'Dry runs are not listed.',
  params: idParams,
  query: { type: 'object', properties: paging },
  response: {
    data: pageOf(
      titled(
        'Import',
        exactly({
          importId: id,
          fileName: { type: 'string' },
          status,
          importCount: count,
          successCount: count,
          failCount: count,
          updateCount,
          createTime: timestamp,
          updateTime: timestamp,
        }),
      ),
    ),
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND'],
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
          updateCount: 0,
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
  summary: 'Download the rejected rows of an import, to be fixed and imported again',
  description:
    'The rows have their own columns and a last column importError, which an import ignores. 409 while the import has not ended, or when its whole file was refused.',
  params: importParams,
  query: { type: 'object', properties: { format: fileFormat } },
  response: { file: fileTypes },
  errors: [
    'INVALID',
    'DATA_SOURCE_NOT_FOUND',
    'IMPORT_NOT_FOUND',
    'FILE_NOT_FOUND',
    'IMPORT_RUNNING',
    'IMPORT_FAILED',
  ],
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
  summary: 'Export all contacts of a data source',
  description:
    'The file has the known fields, the custom fields by name, status, callCount and createTime. An export can be imported again.',
  params: idParams,
  query: { type: 'object', properties: { format: fileFormat, ...wordingOptions } },
  response: { file: fileTypes },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND'],
  example: {},
  access: { table: [exportContacts], bucket: [renderExport] },
  memory: 1024,
  timeout: 900,
} as const satisfies Route;
