import type { FromSchema } from 'json-schema-to-ts';
import { contactFilter } from '../../contacts/rules/contact-filter.ts';
import {
  callLimitsAtMost,
  callsOfLimitAtMost,
  minutesOfLimitAtMost,
  restAtMost,
} from '../../platform/rules/call-limits.ts';
import { invalid } from '../../platform/rules/errors.ts';
import { clock, date, minute, priority, text } from '../../platform/rules/names.ts';
import { secondMs } from '../../platform/time/time.ts';

export const outcomes = ['success', 'failed', 'noAnswer'] as const;
export type Outcome = (typeof outcomes)[number];

/** Why a call ended as it did, in addition to its outcome. */
export const callReasons = [
  'busy',
  'rejected',
  'noAnswer',
  'voicemail',
  'poweredOff',
  'outOfService',
  'unreachable',
  'invalidNumber',
  'networkError',
  'other',
] as const;
export type CallReason = (typeof callReasons)[number];

/** The highest first. */
export const priorities = [1, 2, 3, 4, 5] as const;

/**
 * Durations are stored in whole milliseconds, so that they add up without rounding errors, within
 * the digits of a stored number.
 */
export const toMilliseconds = (seconds: number): number => Math.round(seconds * secondMs) / secondMs;

/** The settings of a task: format and default of each. */
export const taskSettings = {
  taskDesc: {
    ...text,
    default: '',
    description: 'For people',
    examples: ['Customers whose plan ends in June'],
  },
  priority: { ...priority, default: 3 },
  maxDialCount: {
    type: 'integer',
    minimum: 1,
    maximum: 10,
    default: 3,
    description: 'Maximum number of calls to a contact. A recall gives a new allowance',
    examples: [3],
  },
  callInterval: {
    type: 'integer',
    minimum: 0,
    maximum: 86_400,
    default: 60,
    examples: [3600],
    description: 'Minimum number of seconds between two calls to the same contact',
  },
  dailyStartTime: { ...clock, default: '00:00' },
  dailyEndTime: { ...clock, default: '24:00', examples: ['18:00'] },
  // A task without one of the following has no such rule. Tasks of older versions have none of
  // them.
  timeZone: {
    type: 'string',
    description: "IANA name of the time zone of the daily window, dates and weekdays; default: the service's",
    examples: ['Europe/Berlin'],
  },
  weekdays: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 7 },
    minItems: 1,
    maxItems: 7,
    description: 'Days on which calls are made, 1 = Monday; default: all',
    examples: [[1, 2, 3, 4, 5]],
  },
  excludedDates: {
    type: 'array',
    items: date,
    maxItems: 100,
    description: 'Days without calls',
  },
  breaks: {
    type: 'array',
    items: {
      title: 'Break',
      type: 'object',
      properties: {
        start: { ...clock, examples: ['12:00'] },
        end: { ...clock, examples: ['13:00'] },
      },
      required: ['start', 'end'],
    },
    maxItems: 4,
    description: 'Times without calls within the daily window',
  },
  excludedDataSourceIds: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 5,
    description: 'Contacts whose number is in one of these data sources are not called',
    examples: [[]],
  },
  callSettings: {
    title: 'CallSettings',
    type: 'object',
    maxProperties: 20,
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string' },
    description:
      'What the dialer is told: which flow, agent, script or language to use. At most 2 KB. The service does not interpret it',
    examples: [{ script: 'renewal' }],
  },
  callerNumbers: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 20,
    description:
      'Phone numbers to call from. A contact is called from the same one while the list is the same',
    examples: [['+493012345678']],
  },
  retryRules: {
    type: 'array',
    items: {
      title: 'RetryRule',
      type: 'object',
      properties: {
        reasons: {
          type: 'array',
          items: { type: 'string', enum: callReasons },
          minItems: 1,
          description: 'How a call ended',
          examples: [['busy']],
        },
        waitSeconds: {
          type: 'integer',
          minimum: 0,
          maximum: 604_800,
          description: 'Minimum number of seconds until the next call',
          examples: [300],
        },
        attempts: {
          type: 'integer',
          minimum: 1,
          maximum: 10,
          description: 'Maximum number of calls that end with these reasons',
          examples: [3],
        },
      },
      required: ['reasons', 'waitSeconds', 'attempts'],
    },
    maxItems: 10,
    description:
      'The first rule that lists the reason of a call decides: the next call is at least waitSeconds later, and the contact is final once that many of its calls ended with these reasons. maxDialCount still limits all calls',
  },
  retryOrder: {
    type: 'string',
    enum: ['due', 'last'],
    description:
      'Whether contacts whose retry or recall is due are called before contacts that were never called (due, the default) or after them (last)',
  },
  keepOpen: {
    type: 'boolean',
    description:
      'Whether the task waits for further contacts when its last contact is settled, instead of completing; default: false',
  },
  dispositions: {
    type: 'array',
    items: {
      title: 'Disposition',
      type: 'object',
      properties: {
        code: {
          type: 'string',
          minLength: 1,
          maxLength: 64,
          description: 'What a result names as its disposition',
          examples: ['promised'],
        },
        label: { type: 'string', maxLength: 64, description: 'The same for people' },
        then: {
          type: 'string',
          enum: ['final', 'retry', 'doNotCall'],
          description: 'What follows for the contact; by default the rules of the task decide',
        },
        restHours: {
          type: 'integer',
          minimum: 1,
          maximum: restAtMost,
          description: 'After a call with this result no task calls the number for so many hours',
          examples: [1440],
        },
      },
      required: ['code'],
      examples: [{ label: 'Promises to pay', then: 'final' }],
    },
    maxItems: 30,
    description:
      'The business results that a call may have. final: the contact needs no further call. retry: it is called again by the rules of the task although it was reached. doNotCall: its number goes on the do-not-call list. Without any, a dialer may report any code',
  },
  contactFilter,
  callLimits: {
    type: 'array',
    items: {
      title: 'CallLimit',
      type: 'object',
      properties: {
        calls: {
          type: 'integer',
          minimum: 1,
          maximum: callsOfLimitAtMost,
          description: 'Maximum number of calls to a number',
          examples: [3],
        },
        minutes: {
          type: 'integer',
          minimum: 1,
          maximum: minutesOfLimitAtMost,
          description: 'In any span of so many minutes',
          examples: [1440],
        },
      },
      required: ['calls', 'minutes'],
    },
    maxItems: callLimitsAtMost,
    description:
      'The task does not call a number that was called so often, by any task, in the last so many minutes. The limits of the service hold beside these',
    examples: [[{ calls: 3, minutes: 1440 }]],
  },
  restAfterSuccess: {
    type: 'integer',
    minimum: 0,
    maximum: restAtMost,
    description:
      'The task does not call a number for so many hours after a call, by any task, that reached it; 0: the rest of the service holds alone',
    examples: [168],
  },
  // An update to `null` removes one of the following.
  callFrom: {
    ...minute,
    description: "YYYY-MM-DD HH:MM in the task's time zone: no calls before; null: none",
  },
  callUntil: {
    ...minute,
    description: "YYYY-MM-DD HH:MM in the task's time zone: the service stops the task then; null: none",
    examples: ['2026-05-29 18:00'],
  },
  maxConcurrentCalls: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 10_000,
    description: 'Most calls of the task at the same time; null: no limit',
    examples: [20],
  },
  callsPerMinute: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 60_000,
    description: 'Most calls of the task that begin within 60 seconds; null: no limit',
  },
  pauseWhen: {
    title: 'PauseWhen',
    type: ['object', 'null'],
    properties: {
      failedPercent: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        description: 'Percent of the last calls',
        examples: [80],
      },
      calls: {
        type: 'integer',
        minimum: 10,
        maximum: 1000,
        description: 'How many of the last calls count',
        examples: [50],
      },
    },
    required: ['failedPercent', 'calls'],
    description:
      'The task pauses itself when at least failedPercent percent of its last calls (as many as calls says) failed; null: never',
  },
} as const;

export type Name = keyof typeof taskSettings;

/** Settings with a default are always present. */
export type TaskSettings = FromSchema<{
  readonly type: 'object';
  readonly properties: typeof taskSettings;
  readonly additionalProperties: false;
}>;

const names = Object.keys(taskSettings) as Name[];

export const picked = (of: (name: Name) => unknown): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, of(name)]).filter(([, value]) => value !== undefined));

export const defaultSettings = picked(
  (name) => (taskSettings[name] as { default?: unknown }).default,
) as TaskSettings;

/** The settings among a client's values. Other values are ignored. */
export const settingsIn = (values: Partial<TaskSettings>): Partial<TaskSettings> =>
  picked((name) => values[name]);

/** The settings that may change while a task runs. The others are fixed from its publish on. */
export const adjustable = [
  'weekdays',
  'excludedDates',
  'breaks',
  'excludedDataSourceIds',
  'callFrom',
  'callUntil',
  'maxConcurrentCalls',
  'callsPerMinute',
  'pauseWhen',
  'retryRules',
  'retryOrder',
  'callSettings',
  'callerNumbers',
  'keepOpen',
  'dispositions',
  'contactFilter',
  'callLimits',
  'restAfterSuccess',
] as const satisfies readonly Name[];

/** Drops the settings that are `null`, because the task has no such rule. */
export const withoutNulls = <T extends TaskSettings>(settings: T): T =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== null || !(name in taskSettings)),
  ) as T;

/** @throws ServiceError invalid */
export const checkCallLimits = ({ callLimits = [] }: Pick<TaskSettings, 'callLimits'>): void => {
  const windows = callLimits.map(({ minutes }) => minutes);
  const repeated = windows.find((minutes, i) => windows.indexOf(minutes) !== i);
  if (repeated !== undefined)
    throw invalid('callLimits', `there are two limits for ${repeated} minutes`, 'DUPLICATE');
};
