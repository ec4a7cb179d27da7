import { deleteContacts } from '../../contacts/routes/access.ts';
import { importIdHeader } from '../../platform/api/answers.ts';
import { type Route, writing } from '../../platform/api/route.ts';
import { count, exactly, idParams, like, titled } from '../../platform/api/schemas.ts';
import { maxFileBytes } from '../../platform/rules/files.ts';
import { keepUpload, registerImport, runImport } from './access.ts';
import { importReport, onDuplicate } from './import-fields.ts';

const tag = 'Contacts';

/** Each contact is checked on its own. A wrong one is rejected, and the others are added. */
const sentContact = titled('BatchContact', {
  type: 'object',
  properties: {
    phoneNumber: { description: 'As in NewContact; a whole number counts as its digits' },
    customerName: { description: 'As in NewContact' },
    address: { description: 'As in NewContact' },
    orderAmount: { description: 'As in NewContact' },
  },
  additionalProperties: true,
  description: 'The fields of NewContact. With onDuplicate update, null removes a field of the contact',
} as const);

export const batchAdd = {
  id: 'batchAdd',
  file: 'contact/batch-add',
  ...writing,
  path: '/api/dataSource/{id}/contact/batchAdd',
  tag,
  summary: 'Add or update many contacts',
  description:
    'The same as an import of a file with these rows: rows are numbered from 1, all new contacts appear at once, and the batch is in the list of imports. A request through API Gateway carries about 4 MB.',
  params: idParams,
  body: {
    type: 'object',
    properties: {
      contacts: {
        type: 'array',
        minItems: 1,
        maxItems: 5000,
        items: sentContact,
        description: 'A contact that cannot be added does not stop the others',
      },
      onDuplicate,
    },
    required: ['contacts'],
    examples: [
      {
        contacts: [
          { phoneNumber: '13800138000', customerName: 'Li Wei', plan: 'gold' },
          { phoneNumber: 'unknown', customerName: 'Wang Fang' },
        ],
        onDuplicate: 'update',
      },
    ],
  },
  bodyLimit: maxFileBytes,
  response: {
    data: like(importReport, {
      importCount: 2,
      successCount: 1,
      failCount: 1,
      details: [
        {
          row: 2,
          phoneNumber: 'unknown',
          code: 'INVALID_PHONE',
          message: 'phoneNumber: must be an optional + and 3 to 15 digits',
        },
      ],
    }),
  },
  answerHeaders: [importIdHeader],
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'IMPORT_FAILED'],
  access: { table: [...registerImport, ...runImport], bucket: [keepUpload] },
  memory: 1769,
} as const satisfies Route;

const names = { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string' } } as const;

export const batchDelete = {
  id: 'batchDelete',
  file: 'contact/batch-delete',
  ...writing,
  path: '/api/dataSource/{id}/contact/batchDelete',
  tag,
  summary: 'Delete many contacts',
  description:
    'Give contactIds or phoneNumbers. notFound lists the ones that no contact has, as they were sent.',
  params: idParams,
  body: {
    type: 'object',
    properties: {
      contactIds: { ...names, description: 'Not together with phoneNumbers' },
      phoneNumbers: { ...names, description: 'Not together with contactIds' },
    },
    examples: [{ contactIds: ['7d2h6w9rk4mz3pqa-2s'] }],
  },
  response: {
    data: exactly({
      deleteCount: like(count, 1),
      notFound: { type: 'array', items: { type: 'string' }, examples: [[]] },
    }),
  },
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND'],
  access: { table: deleteContacts },
} as const satisfies Route;
