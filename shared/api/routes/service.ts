import { type Route, reading } from '../route.ts';
import { count, exactly, titled } from '../schemas.ts';

const limit = (description: string) => ({ type: ['integer', 'null'], minimum: 1, description }) as const;
const text = (description: string) => ({ type: ['string', 'null'], description }) as const;

export const describeService = {
  ...reading,
  id: 'describeService',
  file: 'service/describe',
  path: '/api/service',
  scope: null,
  tag: 'Service',
  summary: 'Get the version of the service and the rules that hold for all its tasks',
  description: 'With any valid token. A rule that the service does not have is `null`.',
  response: {
    data: titled(
      'Service',
      exactly({
        version: { type: 'string' },
        timeZone: { type: 'string', description: 'IANA name of the zone of timestamps and of the day' },
        country: text('ISO 3166 code of the country of numbers without +'),
        callingHours: text('HH:MM-HH:MM: no task calls outside, by the clock of the zone of the contact'),
        maxConcurrentCalls: limit('Most calls of all tasks at the same time'),
        maxCallsPerNumberPerDay: limit('Most calls to one number a day, over all tasks'),
        importMaxRows: { ...count, description: 'Most rows of an uploaded file' },
        batchImportMaxRows: { ...count, description: 'Most rows of a file that is sent as a form' },
      }),
    ),
  },
  errors: [],
  example: {
    data: {
      version: '0.4.0',
      timeZone: 'Asia/Shanghai',
      country: 'CN',
      callingHours: '08:00-21:00',
      maxConcurrentCalls: 200,
      maxCallsPerNumberPerDay: 3,
      importMaxRows: 10_000,
      batchImportMaxRows: 10_000,
    },
  },
  access: {},
} as const satisfies Route;
