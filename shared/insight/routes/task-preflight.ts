import { type Route, renderExport } from '../../platform/api/route.ts';
import {
  count,
  described,
  exactly,
  exporting,
  fileFormat,
  id,
  idParams,
  like,
  name,
  optionalTimestamp,
  titled,
  withoutDefaults,
} from '../../platform/api/schemas.ts';
import { taskTag } from '../../tasks/routes/tasks.ts';
import { taskSettings } from '../../tasks/rules/task-settings.ts';
import { checkAhead, listBlocked } from './access.ts';
import { wordingOptions } from './exports.ts';

export const preflightTask = {
  id: 'preflightTask',
  file: 'task/preflight',
  method: 'POST',
  path: '/api/task/preflight',
  scope: 'outbound/read',
  tag: taskTag,
  summary: 'Check whom a task would call',
  description:
    'For a stored task, or for the inputs of addTask. Changes no task. An overview of a stored task tells how many contacts were selected. Exact for its moment, up to 100,000 contacts also where contacts are filtered; may lag by a second.',
  body: {
    type: 'object',
    properties: {
      id: described(id, 'Id of a stored task; no other inputs then'),
      taskName: name,
      dataSourceId: { type: 'string', description: 'Id of an existing data source; required without an id' },
      ...withoutDefaults(taskSettings),
    },
    examples: [{ id: '4k9x2m7q8t3vbn5c' }],
  },
  response: {
    data: titled(
      'Preflight',
      exactly({
        total: { ...count, description: 'Contacts of the data source', examples: [2931] },
        callable: {
          ...count,
          description: 'Contacts that match the filter and are not blocked',
          examples: [2705],
        },
        blocked: {
          ...count,
          description:
            'Contacts that match the filter and are on an exclusion list, have an emergency number, or whose callBefore has passed',
          examples: [226],
        },
        notSelected: { ...count, description: 'Contacts that do not match the contactFilter' },
        estimated: {
          type: 'boolean',
          description:
            'Whether the counts by filter are estimated from at least 20,000 contacts: with more than 100,000 contacts',
        },
        blockedBy: {
          type: 'array',
          description: 'Lists that block contacts. A contact on two lists is counted for both',
          items: exactly({ dataSourceId: id, dataSourceName: name, count }),
          examples: [
            [
              { dataSourceId: 'do-not-call', dataSourceName: 'Do not call', count: 214 },
              { dataSourceId: '7d2h6w9rk4mz3pqa', dataSourceName: 'Closed accounts', count: 12 },
            ],
          ],
        },
        emergencyNumbers: {
          ...count,
          description: 'Blocked contacts whose number calls for help, such as 110',
        },
        atLimit: {
          ...count,
          description:
            'Callable contacts whose number is at a limit or at rest now. Estimated from 5,000 of them where there are more',
        },
        unreadableTimes: {
          ...count,
          description: 'Selected contacts whose callAfter or callBefore is no date or time: it is ignored',
        },
        unknownFields: {
          type: 'array',
          items: { type: 'string' },
          description: 'Fields in contactFilter that no contact of the list has, such as misspelt ones',
          examples: [[]],
        },
        otherSpelling: {
          ...count,
          description:
            'Callable contacts whose last nine digits are on an exclusion list, where the number is written in another way',
        },
        alsoIn: {
          type: 'array',
          description:
            'Running and paused tasks whose data source has some of the callable contacts, and how many, whatever their contactFilter',
          items: exactly({
            taskId: like(id, '5n8q2x7v4k9m3j6h'),
            taskName: like(name, 'May reminders'),
            count: like(count, 38),
          }),
        },
        alsoInComplete: {
          type: 'boolean',
          description:
            'Whether all running and paused tasks were compared. Tasks with the same data source always are; others as long as their data sources hold at most 400,000 contacts together, the smallest first',
          examples: [true],
        },
        hasOwnZones: { type: 'boolean', description: 'Whether contacts have a time zone of their own' },
        firstCallTime: described(
          like(optionalTimestamp, '2026-05-04 09:00:00'),
          'When the schedule allows the first call; null if it never does',
        ),
      }),
    ),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TOO_MANY_CONTACTS'],
  access: { table: checkAhead },
  // A whole processor, because comparing a million contacts with lists of 1.5 million is mostly
  // computing.
  memory: 1792,
} as const satisfies Route;

export const preflightBlocked = {
  id: 'preflightBlocked',
  file: 'task/preflight-blocked',
  ...exporting,
  path: '/api/task/{id}/preflight/blocked',
  tag: taskTag,
  summary: 'Export the contacts that a task would not call',
  description:
    'The contacts that are on an exclusion list or have an emergency number, with their fields and what blocks them (column blockedBy).',
  params: idParams,
  query: { type: 'object', properties: { format: fileFormat, ...wordingOptions } },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TOO_MANY_CONTACTS', 'FILE_TOO_LARGE'],
  access: { table: listBlocked, bucket: [renderExport] },
  memory: 1792,
} as const satisfies Route;
