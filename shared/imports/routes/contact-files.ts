import { findDataSource } from '../../contacts/routes/access.ts';
import { fewestDigits, mostDigits } from '../../contacts/rules/phone-number.ts';
import { importIdHeader } from '../../platform/api/answers.ts';
import { type Route, reading, renderExport, writing } from '../../platform/api/route.ts';
import {
  count,
  createTime,
  dataSourceId,
  dataSourceName,
  exactly,
  exporting,
  fileFormat,
  id,
  idParams,
  like,
  pageOf,
  paging,
  phone,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { maxFileBytes, maxFileMegabytes } from '../../platform/rules/files.ts';
import { detailsAtMost, rejectionCodes } from '../rules/contact-import.ts';
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

export const fileTag = 'Contact files';
const importId = like(id, '2c8v5b9n4m7k3j6h');
const fileName = { type: 'string', examples: ['june.xlsx'] } as const;
const message = { type: 'string', examples: [''] } as const;
const reasonCode = {
  type: ['string', 'null'],
  description:
    'Why the import has FAILED: the code of the error of its file, CANCELLED, BROKE_OFF (ten times) or NEVER_ARRIVED (within a day)',
  examples: [null],
} as const;

/** A rejected row. */
const failedRow = titled('RejectedRow', {
  ...exactly({
    row: {
      type: 'integer',
      minimum: 1,
      description: 'Line number as a spreadsheet shows it',
      examples: [4],
    },
    phoneNumber: phone,
    code: {
      type: 'string',
      enum: rejectionCodes,
      examples: ['DUPLICATE'],
      description: 'NOT_IMPORTED: the import was ended before it wrote the row',
    },
    message: { type: 'string', examples: ['the data source has this phone number'] },
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
  examples: [{ cell: 'A4' }],
} as const);
const report = {
  importCount: like(count, 3),
  successCount: like(count, 2),
  failCount: like(count, 1),
  details: { type: 'array', items: failedRow },
} as const;
/** For uploaded and dropped files. */
const fileReport = {
  ...report,
  details: {
    type: 'array',
    items: failedRow,
    description: `The first ${detailsAtMost} rejected rows; all of them if the file came with batchImport`,
  },
  rejected: {
    type: 'object',
    properties: Object.fromEntries(rejectionCodes.map((code) => [code, count])),
    additionalProperties: false,
    description: 'All rejected rows by code',
    examples: [{ DUPLICATE: 1 }],
  },
  visibility: {
    type: 'string',
    enum: ['atOnce', 'inSteps'],
    description:
      'inSteps: the file is large, and a task of the data source was RUNNING or PAUSED when it was read; its rows become visible part by part',
  },
} as const;
export const importReport = titled('ImportReport', exactly(report));
/** Not in the answer of batchImport, whose fields the contract fixes. */
const updateCount = {
  type: ['integer', 'null'],
  minimum: 0,
  description:
    'Rows of successCount that matched a contact of the data source, whether they changed it or not; null if unknown (an import of release 0.2)',
  examples: [0],
} as const;
const status = {
  title: 'ImportStatus',
  type: 'string',
  enum: ['WAITING', 'RUNNING', 'DONE', 'FAILED'],
  examples: ['DONE'],
} as const;
const importParams = {
  type: 'object',
  properties: { id: dataSourceId, importId },
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
/** What happens to the rows of a file. */
const importingOptions = {
  onDuplicate,
  dryRun: { type: 'boolean', description: 'true: answer the same report, but store nothing' },
  minDigits: {
    type: 'integer',
    minimum: fewestDigits,
    maximum: mostDigits,
    description: `Rows whose phone number has fewer digits, such as totals rows, are rejected as INVALID_PHONE; ${fewestDigits} by default`,
  },
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

export const fileForm = {
  title: 'ContactFileForm',
  type: 'object',
  properties: { mapping: mappingText, ...readingOptions, ...importingOptions },
} as const;

/** A file and the form around it. */
export const formLimit = maxFileBytes + 512 * 1024;

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

const importFields = {
  importId,
  fileName,
  status,
  importCount: report.importCount,
  successCount: report.successCount,
  failCount: report.failCount,
  updateCount,
  message,
  reasonCode,
  createTime,
  updateTime: like(timestamp, '2026-05-01 09:00:04'),
} as const;

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

export const runningImports = {
  type: 'array',
  items: titled('RunningImport', exactly({ ...importFields, dataSourceId, dataSourceName })),
} as const;

export const troubledImports = {
  type: 'array',
  items: titled(
    'TroubledImport',
    exactly({
      importId,
      fileName,
      dataSourceId,
      dataSourceName,
      status,
      message,
      reasonCode: {
        ...reasonCode,
        description: `${reasonCode.description}; of others NOT_ARRIVED (within an hour) or NOT_FINISHED`,
      },
      since: timestamp,
    }),
  ),
} as const;

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
