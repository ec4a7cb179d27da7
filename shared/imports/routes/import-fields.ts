import { fewestDigits, mostDigits } from '../../contacts/rules/phone-number.ts';
import {
  count,
  createTime,
  dataSourceId,
  dataSourceName,
  exactly,
  id,
  like,
  phone,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { maxFileBytes } from '../../platform/rules/files.ts';
import { detailsAtMost, rejectionCodes } from '../rules/contact-import.ts';

export const fileTag = 'Contact files';
export const importId = like(id, '2c8v5b9n4m7k3j6h');
export const fileName = {
  type: 'string',
  description: 'The name of the file, for people',
  examples: ['june.xlsx'],
} as const;
export const message = { type: 'string', examples: [''] } as const;
export const reasonCode = {
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
export const fileReport = {
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
export const updateCount = {
  type: ['integer', 'null'],
  minimum: 0,
  description:
    'Rows of successCount that matched a contact of the data source, whether they changed it or not; null if unknown (an import of release 0.2)',
  examples: [0],
} as const;
export const status = {
  title: 'ImportStatus',
  type: 'string',
  enum: ['WAITING', 'RUNNING', 'DONE', 'FAILED'],
  examples: ['DONE'],
} as const;
export const importParams = {
  type: 'object',
  properties: { id: dataSourceId, importId },
  required: ['id', 'importId'],
} as const;

/** How a file is read. */
export const readingOptions = {
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
export const importingOptions = {
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
export const mapping = {
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

export const importFields = {
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
