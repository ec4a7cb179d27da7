import { isTimeZone } from '../domain/zones.ts';

/** Variables that a function may do without, and what holds where they are not set. */
export const usual = {
  /** IANA name of the zone of timestamps, and of daily windows that name none. */
  SERVICE_TIME_ZONE: 'UTC',
  /** Calls to one number a day over all tasks; 0: no limit. */
  MAX_CALLS_PER_NUMBER_PER_DAY: '0',
  /** ISO 3166 code of the country of numbers without +; none. */
  SERVICE_COUNTRY: '',
  /** The one web origin that may read answers; none. */
  CORS_ORIGIN: '',
  STAGE: 'none',
  /** `<issuer>/.well-known/jwks.json` where empty. */
  TOKEN_JWKS_URI: '',
  /** Where people sign in to the console, and where it uploads files; from the stack alone. */
  SIGN_IN_URL: '',
  SIGN_IN_CLIENT_ID: '',
  UPLOAD_ORIGIN: '',
  /** Amazon Connect is off unless instance, flow and source number are all set. */
  CONNECT_INSTANCE_ID: '',
  CONNECT_FLOW_ID: '',
  CONNECT_SOURCE_NUMBER: '',
  CONNECT_CONCURRENCY: '10',
  CONNECT_NUMBER_PREFIX: '',
} as const;

const needed = [
  'TABLE_NAME',
  'BUCKET_NAME',
  'EVENT_BUS_NAME',
  'TOKEN_ISSUER',
  'TOKEN_AUDIENCES',
  'AWS_REGION',
] as const;

type Optional = keyof typeof usual;
type Needed = (typeof needed)[number];

/** What the stack gives a function; it knows the same names, so none is set that nobody reads. */
export type Environment = Partial<Record<Optional | Needed, string>>;

type Variables = Readonly<Record<string, string | undefined>>;

/** A variable that is set to nothing counts as not set. */
export const setting = (name: Optional, env: Variables = process.env): string => env[name] || usual[name];

/** @throws Error naming the variable that is not set */
export const neededSetting = (name: Needed, env: Variables = process.env): string => {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
};

/** @throws Error naming the variable that is no whole number from `least` on */
export const wholeNumber = (name: Optional, least: number, env: Variables = process.env): number => {
  const text = setting(name, env);
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    throw new Error(`${name} must be a whole number from ${least}, not "${text}"`);
  }
  return Number(text);
};

/** What holds for the whole service, on AWS and in local mode alike. */
export type ServiceSettings = {
  timeZone: string;
  /** ISO 3166 code of the country whose phone numbers need no prefix, or empty. */
  country: string;
  maxCallsPerNumberPerDay: number;
};

/** @throws Error naming the variable that is wrong */
export const serviceSettings = (env: Variables = process.env): ServiceSettings => ({
  timeZone: timeZoneOf(setting('SERVICE_TIME_ZONE', env)),
  country: countryFrom(setting('SERVICE_COUNTRY', env)),
  maxCallsPerNumberPerDay: wholeNumber('MAX_CALLS_PER_NUMBER_PER_DAY', 0, env),
});

const timeZoneOf = (name: string): string => {
  if (isTimeZone(name)) return name;
  throw new Error(`SERVICE_TIME_ZONE must be an IANA time zone such as Europe/Berlin, not "${name}"`);
};

/** Not one of the other names that some countries go by: UK would be nobody's numbering plan. */
const isOwnName = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  isOwnName(code) &&
  new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined;

/** @throws Error unless it is a country's ISO 3166 code, or empty */
export const countryFrom = (code: string): string => {
  // Asked first: the names of all countries take longer to load than most modules.
  if (code === '' || isCountry(code)) return code;
  throw new Error(`SERVICE_COUNTRY must be an ISO 3166 code such as CN, not "${code}"`);
};
