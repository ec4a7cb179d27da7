import {
  exportContacts,
  findDataSource,
  keepUpload,
  presignImport,
  readReports,
  registerImport,
  renderExport,
  runImport,
} from '../access.ts';
import type { Route } from '../route.ts';
import { count, exactly, fileFormat, fileTypes, id, idParams, timestamp } from '../schemas.ts';

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
  /** 10 MB of file and the form around it. */
  bodyLimit: 10 * 1024 * 1024 + 64 * 1024,
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
  params: { type: 'object', properties: { id, importId: id }, required: ['id', 'importId'] },
  response: {
    data: exactly({
      importId: id,
      status: { type: 'string', enum: ['WAITING', 'RUNNING', 'DONE', 'FAILED'] },
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
