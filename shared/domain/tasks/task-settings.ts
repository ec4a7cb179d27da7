import type { FromSchema } from 'json-schema-to-ts';
import { callReasons } from '../dialing/dialing.ts';
import { clock, date, minute, priority, text } from '../patterns.ts';

/** The settings of a task: format and default of each. */
export const taskSettings = {
  taskDesc: { ...text, default: '' },
  priority: { ...priority, default: 3 },
  maxDialCount: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
  callInterval: {
    type: 'integer',
    minimum: 0,
    maximum: 86_400,
    default: 60,
    description: 'Minimum number of seconds between two calls to the same contact',
  },
  dailyStartTime: { ...clock, default: '00:00' },
  dailyEndTime: { ...clock, default: '24:00' },
  // A task without one of the following has no such rule. Tasks of older versions have none of them.
  timeZone: {
    type: 'string',
    description: "IANA name of the time zone of the daily window, dates and weekdays; default: the service's",
  },
  weekdays: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 7 },
    minItems: 1,
    maxItems: 7,
    description: 'Days on which calls are made, 1 = Monday; default: all',
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
      properties: { start: clock, end: clock },
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
  },
  callSettings: {
    title: 'CallSettings',
    type: 'object',
    maxProperties: 20,
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string' },
    description:
      'What the dialer is told: which flow, agent, script or language to use. At most 2 KB. The service does not interpret it',
  },
  callerNumbers: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 20,
    description:
      'Phone numbers to call from. A contact is called from the same one while the list is the same',
  },
  retryRules: {
    type: 'array',
    items: {
      title: 'RetryRule',
      type: 'object',
      properties: {
        reasons: { type: 'array', items: { type: 'string', enum: callReasons }, minItems: 1 },
        waitSeconds: { type: 'integer', minimum: 0, maximum: 604_800 },
        attempts: { type: 'integer', minimum: 1, maximum: 10 },
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
        code: { type: 'string', minLength: 1, maxLength: 64 },
        label: { type: 'string', maxLength: 64 },
        then: { type: 'string', enum: ['final', 'retry', 'doNotCall'] },
      },
      required: ['code'],
    },
    maxItems: 30,
    description:
      'The business results that a call may have. final: the contact needs no further call. retry: it is called again by the rules of the task although it was reached. doNotCall: its number goes on the do-not-call list. Without any, a dialer may report any code',
  },
  contactFilter: {
    type: 'array',
    items: {
      title: 'FilterCondition',
      type: 'object',
      properties: {
        field: { type: 'string', minLength: 1, maxLength: 64, description: 'A field of the contacts' },
        is: { type: 'string', enum: ['equal', 'notEqual', 'in', 'atLeast', 'atMost', 'empty', 'notEmpty'] },
        value: {
          type: ['string', 'number', 'boolean', 'array'],
          maxLength: 256,
          items: { type: ['string', 'number', 'boolean'], maxLength: 256 },
          maxItems: 50,
          description: 'A list for in, nothing for empty and notEmpty',
        },
      },
      required: ['field', 'is'],
    },
    maxItems: 5,
    description:
      'Only contacts that meet all conditions are called. Numbers are compared as numbers where both sides are numbers, otherwise text without case. notEqual also holds for a contact without the field',
  },
  // An update to `null` removes one of the following.
  callFrom: {
    ...minute,
    description: "YYYY-MM-DD HH:MM in the task's time zone: no calls before; null: none",
  },
  callUntil: {
    ...minute,
    description: "YYYY-MM-DD HH:MM in the task's time zone: the service stops the task then; null: none",
  },
  maxConcurrentCalls: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 10_000,
    description: 'Most calls of the task at the same time; null: no limit',
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
      failedPercent: { type: 'integer', minimum: 1, maximum: 100 },
      calls: { type: 'integer', minimum: 10, maximum: 1000 },
    },
    required: ['failedPercent', 'calls'],
    description:
      'The task pauses itself when at least failedPercent percent of its last calls (as many as calls says) failed; null: never',
  },
} as const;

type Name = keyof typeof taskSettings;

/** Settings with a default are always present. */
export type TaskSettings = FromSchema<{
  readonly type: 'object';
  readonly properties: typeof taskSettings;
  readonly additionalProperties: false;
}>;

const names = Object.keys(taskSettings) as Name[];

const picked = (of: (name: Name) => unknown): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, of(name)]).filter(([, value]) => value !== undefined));

export const defaultSettings = picked(
  (name) => (taskSettings[name] as { default?: unknown }).default,
) as TaskSettings;

/** The settings among a client's values. Other values are ignored. */
export const settingsIn = (values: Partial<TaskSettings>): Partial<TaskSettings> =>
  picked((name) => values[name]);

/** What is shown for a setting that a task does not have. */
const shownIfAbsent: Partial<TaskSettings> = {
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  excludedDates: [],
  breaks: [],
  excludedDataSourceIds: [],
  callSettings: {},
  callerNumbers: [],
  retryRules: [],
  retryOrder: 'due',
  keepOpen: false,
  dispositions: [],
  contactFilter: [],
};

/** All settings of a task. `zone`: the service's. */
export const shownSettings = (settings: TaskSettings, zone: string) => {
  const absent: Partial<TaskSettings> = { ...shownIfAbsent, timeZone: zone };
  return picked((name) => settings[name] ?? absent[name] ?? null) as Required<TaskSettings>;
};

/** The settings that may change while a task runs. The others are frozen when it is published. */
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
] as const satisfies readonly Name[];

/** Without the settings that are `null`: the task has no such rule. */
export const withoutNulls = <T extends TaskSettings>(settings: T): T =>
  Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== null || !(name in taskSettings)),
  ) as T;
