import {
  type CallLimit,
  callLimitsAtMost,
  callsOfLimitAtMost,
  minutesOfLimitAtMost,
  parseCallLimits,
  restAtMost,
} from '../rules/call-limits.ts';
import { highestMaxRows, maxRows } from '../rules/files.ts';
import type { ClockRange } from '../time/schedule.ts';
import { minutesOf } from '../time/time.ts';
import { isTimeZone } from '../time/zones.ts';

/** Variables with their default. */
export const usual = {
  /** IANA name of the zone of timestamps, and of daily windows without a zone of their own. */
  SERVICE_TIME_ZONE: 'UTC',
  /** Maximum of calls to one number a day, over all tasks. 0: no limit. */
  MAX_CALLS_PER_NUMBER_PER_DAY: '0',
  /**
   * `calls/minutes`, such as `3/1440,7/10080`: maximum of calls to one number in so many minutes.
   */
  CALL_LIMITS: '',
  /** Hours without a call to a number after a call that reached it. 0: none. */
  REST_AFTER_SUCCESS: '0',
  /**
   * `HH:MM-HH:MM`: no task calls outside, by the clock of the contact's zone. Empty: at any hour.
   */
  CALLING_HOURS: '',
  /** Maximum of calls at once, over all tasks. 0: no limit. */
  MAX_CONCURRENT_CALLS: '0',
  /** Days after which the record of a call is removed. 0: it is kept as long as its task. */
  KEEP_CALLS_DAYS: '0',
  /** Maximum of rows of an uploaded or dropped contact file. */
  IMPORT_MAX_ROWS: String(maxRows),
  /** ISO 3166 code of the country of numbers without +. Empty: no country. */
  SERVICE_COUNTRY: '',
  /** The one web origin that may read answers. Empty: no origin. */
  CORS_ORIGIN: '',
  STAGE: 'none',
  /** Empty: `<issuer>/.well-known/jwks.json`. */
  TOKEN_JWKS_URI: '',
  /** Where users sign in to the console, and where it uploads files. Only the stack sets them. */
  SIGN_IN_URL: '',
  SIGN_IN_CLIENT_ID: '',
  UPLOAD_ORIGIN: '',
  /** Amazon Connect is off unless instance, flow and source number are all set. */
  CONNECT_INSTANCE_ID: '',
  CONNECT_FLOW_ID: '',
  CONNECT_SOURCE_NUMBER: '',
  CONNECT_CONCURRENCY: '10',
  CONNECT_NUMBER_PREFIX: '',
  /** `on`: Connect detects answering machines. */
  CONNECT_MACHINE_DETECTION: '',
} as const;

const needed = [
  'TABLE_NAME',
  'BUCKET_NAME',
  'EVENT_BUS_NAME',
  'DELIVERY_QUEUE_URL',
  'TOKEN_ISSUER',
  'TOKEN_AUDIENCES',
  // Set by Lambda itself.
  'AWS_REGION',
] as const;

type Optional = keyof typeof usual;
type Needed = (typeof needed)[number];

/** The variables by what a function declares to use. Every function has those of `service`. */
const variables = {
  service: [
    'SERVICE_TIME_ZONE',
    'MAX_CALLS_PER_NUMBER_PER_DAY',
    'CALL_LIMITS',
    'REST_AFTER_SUCCESS',
    'CALLING_HOURS',
    'MAX_CONCURRENT_CALLS',
    'KEEP_CALLS_DAYS',
    'IMPORT_MAX_ROWS',
    'SERVICE_COUNTRY',
    'CORS_ORIGIN',
    'STAGE',
  ],
  table: ['TABLE_NAME'],
  bucket: ['BUCKET_NAME'],
  eventBus: ['EVENT_BUS_NAME'],
  deliveryQueue: ['DELIVERY_QUEUE_URL'],
  tokens: ['TOKEN_ISSUER', 'TOKEN_AUDIENCES', 'TOKEN_JWKS_URI'],
  page: ['SIGN_IN_URL', 'SIGN_IN_CLIENT_ID', 'UPLOAD_ORIGIN'],
  connect: [
    'CONNECT_INSTANCE_ID',
    'CONNECT_FLOW_ID',
    'CONNECT_SOURCE_NUMBER',
    'CONNECT_CONCURRENCY',
    'CONNECT_NUMBER_PREFIX',
    'CONNECT_MACHINE_DETECTION',
  ],
} as const satisfies Record<string, readonly (Optional | Needed)[]>;

type Use = keyof typeof variables;

/** A variable that the stack sets. */
export type Variable<U extends Use = Use> = (typeof variables)[U][number];
/** The variables of a function with these uses. A variable of another use does not compile. */
export type Environment<U extends Use> = Readonly<Record<Variable<U>, string>>;

/** `uses`: an object with a property for each use. */
export const variablesFor = (uses: Partial<Record<Use, unknown>>): readonly Variable[] =>
  (['service', ...Object.keys(uses)] as Use[]).flatMap((use): readonly Variable[] => variables[use]);

export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable that is set to an empty text counts as not set. */
export const setting = (name: Optional, env: Variables = process.env): string => env[name] || usual[name];

/** @throws Error naming the variable that is not set */
const neededSetting = (name: Needed, env: Variables): string => {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
};

const isNeeded = (name: Optional | Needed): name is Needed => needed.includes(name as Needed);

/**
 * The variables of a function that declares these uses.
 * @throws Error naming a variable that is not set
 */
export const readEnvironment = <A extends Partial<Record<Use, unknown>>>(
  uses: A,
  env: Variables = process.env,
): Environment<'service' | (keyof A & Use)> =>
  Object.fromEntries(
    variablesFor(uses).map((name) => [name, isNeeded(name) ? neededSetting(name, env) : setting(name, env)]),
  ) as Environment<'service' | (keyof A & Use)>;

/** @throws Error where it is not set */
export const awsRegion = (): string => neededSetting('AWS_REGION', process.env);

/** @throws Error naming the variable that is not a whole number of at least `least` */
export const wholeNumber = (
  name: Optional,
  least: number,
  env: Variables = process.env,
  most = Number.POSITIVE_INFINITY,
): number => {
  const text = setting(name, env);
  if (!/^\d{1,9}$/.test(text) || Number(text) < least || Number(text) > most) {
    const range = most < Number.POSITIVE_INFINITY ? `${least} to ${most}` : `${least}`;
    throw new Error(`${name} must be a whole number from ${range}, not "${text}"`);
  }
  return Number(text);
};

/** Settings of the whole service, the same on AWS and in local mode. */
export type ServiceSettings = {
  timeZone: string;
  /** ISO 3166 code of the country whose phone numbers need no prefix, or empty. */
  country: string;
  maxCallsPerNumberPerDay: number;
  callLimits: readonly CallLimit[];
  /** Hours without a call to a number after a call that reached it. 0: none. */
  restAfterSuccess: number;
  /** No task calls outside these hours. Absent: at any hour. */
  callingHours?: ClockRange | undefined;
  maxConcurrentCalls: number;
  /** Days after which the record of a call is removed. 0: it is kept as long as its task. */
  keepCallsDays: number;
  importMaxRows: number;
};

/** @throws Error naming the variable that is wrong */
export const serviceSettings = (env: Variables = process.env): ServiceSettings => ({
  timeZone: timeZoneOf(setting('SERVICE_TIME_ZONE', env)),
  country: countryFrom(setting('SERVICE_COUNTRY', env)),
  maxCallsPerNumberPerDay: wholeNumber('MAX_CALLS_PER_NUMBER_PER_DAY', 0, env),
  callLimits: callLimitsFrom(setting('CALL_LIMITS', env)),
  restAfterSuccess: wholeNumber('REST_AFTER_SUCCESS', 0, env, restAtMost),
  callingHours: callingHoursFrom(setting('CALLING_HOURS', env)),
  maxConcurrentCalls: wholeNumber('MAX_CONCURRENT_CALLS', 0, env),
  keepCallsDays: wholeNumber('KEEP_CALLS_DAYS', 0, env),
  importMaxRows: wholeNumber('IMPORT_MAX_ROWS', 1, env, highestMaxRows),
});

/** @throws Error */
const callLimitsFrom = (text: string): CallLimit[] => {
  const limits = parseCallLimits(text);
  if (limits !== undefined) return limits;
  throw new Error(
    `CALL_LIMITS must be at most ${callLimitsAtMost} of calls/minutes such as 3/1440,7/10080, ` +
      `calls from 1 to ${callsOfLimitAtMost}, minutes from 1 to ${minutesOfLimitAtMost}, no minutes twice, not "${text}"`,
  );
};

const rangePattern = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;

export const isClockRange = (text: string): boolean => {
  const [, start = '', end = ''] = rangePattern.exec(text) ?? [];
  return start !== '' && minutesOf(start) < minutesOf(end);
};

/** @returns undefined for the empty text */
const callingHoursFrom = (text: string): ClockRange | undefined => {
  if (text === '') return undefined;
  if (!isClockRange(text))
    throw new Error(
      `CALLING_HOURS must be two times of a day such as 08:00-21:00, the first before the second, not "${text}"`,
    );
  const [start = '', end = ''] = text.split('-');
  return { start, end };
};

const timeZoneOf = (name: string): string => {
  if (isTimeZone(name)) return name;
  throw new Error(`SERVICE_TIME_ZONE must be an IANA time zone such as Europe/Berlin, not "${name}"`);
};

/** Refuses aliases such as UK for GB, because no numbering plan has that name. */
const isOwnName = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  isOwnName(code) &&
  new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined;

/** @throws Error unless the code is empty or an ISO 3166 code */
export const countryFrom = (code: string): string => {
  // The empty code first: loading the names of all countries takes longer than loading most
  // modules.
  if (code === '' || isCountry(code)) return code;
  throw new Error(`SERVICE_COUNTRY must be an ISO 3166 code such as CN, not "${code}"`);
};
