import { type Route, reading } from '../../platform/api/route.ts';
import { count, described, exactly, idParams, like, timestamp, titled } from '../../platform/api/schemas.ts';
import { taskTag } from '../../tasks/routes/tasks.ts';
import { seeOutlook, seeTimeline } from './access.ts';
import { date } from './service.ts';

export const taskOutlook = {
  id: 'taskOutlook',
  file: 'task/outlook',
  path: '/api/task/{id}/outlook',
  summary: 'Get when the contacts of a task can be called',
  description:
    'Foretells no end: when calls end depends on who answers. Contacts that were not looked at, or whose hours never open, are left out. May lag by a second.',
  params: idParams,
  response: {
    data: titled(
      'TaskOutlook',
      exactly({
        time: described(timestamp, 'Now, by the service'),
        callable: like(count, 319),
        inCall: like(count, 4),
        perMinute: {
          type: 'number',
          minimum: 0,
          description: 'Calls that ended in a minute, over the last five',
          examples: [12],
        },
        hours: {
          type: 'array',
          description: '48 entries from this hour on',
          items: exactly({
            time: described(timestamp, 'Start of the hour'),
            count: { ...like(count, 47), description: 'Contacts that become callable in that hour' },
          }),
        },
        later: {
          type: 'array',
          description: 'The days after that on which contacts become callable',
          items: exactly({ date: { ...date, examples: ['2026-05-04'] }, count: like(count, 3) }),
        },
      }),
    ),
  },
  errors: ['TASK_NOT_FOUND'],
  access: { table: [...seeOutlook, ...seeTimeline] },
  ...reading,
  tag: taskTag,
} as const satisfies Route;
