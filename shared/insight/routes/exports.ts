import { seeCalls } from '../../calls/routes/access.ts';
import { callTag, range } from '../../calls/routes/calls.ts';
import { exportContacts } from '../../contacts/routes/access.ts';
import { fileTag } from '../../imports/routes/import-fields.ts';
import { type Route, renderExport } from '../../platform/api/route.ts';
import { exporting, fileFormat, idParams } from '../../platform/api/schemas.ts';
import { countCalls, findTask } from '../../tasks/routes/access.ts';
import { taskTag } from '../../tasks/routes/tasks.ts';
import { languages } from '../rules/words.ts';

/** How an export is written for people. */
export const wordingOptions = {
  labels: {
    title: 'Language',
    type: 'string',
    enum: languages,
    description:
      'Titles, outcomes and reasons in words of this language, and the columns in the order of the imported file',
  },
  timeZone: {
    type: 'string',
    maxLength: 100,
    description: "IANA name of the zone of the times; default: the service's",
  },
} as const;

export const batchExport = {
  id: 'batchExport',
  file: 'contact/batch-export',
  ...exporting,
  path: '/api/dataSource/{id}/contact/batchExport',
  tag: fileTag,
  summary: 'Export all contacts of a data source',
  description:
    'The file has the known fields, the custom fields by name, status, callCount and createTime. An export can be imported again.',
  params: idParams,
  query: { type: 'object', properties: { format: fileFormat, ...wordingOptions } },
  ignoresUnknownNames: true,
  errors: ['INVALID', 'DATA_SOURCE_NOT_FOUND', 'TOO_MANY_CONTACTS', 'FILE_TOO_LARGE'],
  access: { table: [exportContacts], bucket: [renderExport] },
} as const satisfies Route;

export const exportTask = {
  id: 'exportTask',
  file: 'task/export',
  ...exporting,
  path: '/api/task/{id}/export',
  tag: taskTag,
  summary: 'Export the contacts of a task with their outcomes',
  description: 'Once the task has ended, the file lists the contacts that the task had.',
  params: idParams,
  query: {
    type: 'object',
    properties: {
      format: fileFormat,
      status: {
        type: 'integer',
        minimum: 0,
        maximum: 3,
        default: 0,
        description: '0 all, 1 success, 2 failed or no answer, 3 not dialed',
      },
      ...wordingOptions,
      calls: {
        type: 'boolean',
        default: false,
        description: 'true: a second sheet lists the last 20 calls of each contact. Not with the format csv',
      },
    },
  },
  ignoresUnknownNames: true,
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TOO_MANY_CONTACTS', 'FILE_TOO_LARGE'],
  access: { table: [findTask, countCalls, exportContacts], bucket: [renderExport] },
} as const satisfies Route;

export const exportCalls = {
  id: 'exportCalls',
  file: 'task/export-calls',
  ...exporting,
  path: '/api/task/{id}/calls/export',
  tag: callTag,
  summary: 'Export the calls of a task, one row for each',
  description:
    'The oldest first. Each name of data has a column data.<name>, up to 200 names; further names share one column as JSON.',
  params: idParams,
  query: { type: 'object', properties: { format: fileFormat, ...range, ...wordingOptions } },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'FILE_TOO_LARGE'],
  access: { table: [findTask, ...seeCalls], bucket: [renderExport] },
} as const satisfies Route;
