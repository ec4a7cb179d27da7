import { findDataSource } from '../../contacts/routes/access.ts';
import { type Route, writing } from '../../platform/api/route.ts';
import { count, exactly, idParams, like, titled } from '../../platform/api/schemas.ts';
import { fileForm, fileTag, formLimit } from './import-fields.ts';

/** The check of every row of a previewed file, without its data source. */
const fileCheck = titled(
  'FileCheck',
  exactly({
    successCount: like(count, 2),
    failCount: count,
    rejected: {
      type: 'object',
      additionalProperties: count,
      description: 'Rows that cannot be imported, by their code',
      examples: [{}],
    },
    internationalCount: { ...count, description: 'Different phone numbers that begin with + or 00' },
    nationalCount: { ...count, description: 'Different phone numbers that do not', examples: [2] },
    doubtfulCount: {
      ...count,
      description:
        'Different phone numbers that are not valid in the country of the service, nor as international numbers, for example because they are too short; 0 if no country is set',
    },
  }),
);

const previewed = exactly({
  kind: { type: 'string', enum: ['csv', 'xlsx', 'xlsm', 'xls', 'xlsb', 'ods'], examples: ['xlsx'] },
  sheets: { type: 'array', items: { type: 'string' }, examples: [['Cover', 'June']] },
  sheet: { type: 'string', description: 'Empty for a CSV file', examples: ['June'] },
  headerRow: { type: 'integer', minimum: 0, description: '0 for a file without titles', examples: [3] },
  rowCount: like(count, 2),
  columns: {
    type: 'array',
    items: exactly({
      column: { type: 'string', description: 'The letter of the column', examples: ['A'] },
      title: { type: 'string', examples: ['手机号'] },
      field: {
        type: 'string',
        description: 'The field the column fills; empty for an excluded column',
        examples: ['phoneNumber'],
      },
      samples: {
        type: 'array',
        items: { type: 'string' },
        examples: [['13800138000', '13800138001']],
      },
    }),
  },
  shortNumbers: titled(
    'ShortNumbers',
    exactly({
      count: like(count, 1),
      examples: {
        type: 'array',
        items: exactly({
          cell: { type: 'string', examples: ['B312'] },
          phoneNumber: { type: 'string', examples: ['120'] },
        }),
      },
    }),
  ),
});

const preview = {
  ...writing,
  tag: fileTag,
  upload: 'file',
  form: fileForm,
  bodyLimit: formLimit,
  response: {
    data: titled('ImportPreview', {
      ...previewed,
      properties: { ...previewed.properties, check: fileCheck },
    }),
  },
  memory: 1769,
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
