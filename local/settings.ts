import { timeIn } from '../shared/domain/time.ts';
import { countryFrom } from '../shared/runtime/phone-country.ts';

export type Settings = {
  port: number;
  host: string;
  /** A folder, or ':memory:' to keep nothing. */
  dataDir: string;
  accessToken: string;
  timeZone: string;
  /** ISO 3166 code, or empty. */
  country?: string;
};

/** A mistake of whoever started the service: one clear line, no stack. */
export class SettingError extends Error {}

export const inMemory = ':memory:';
/** Known to everybody: nothing needs to hide it. */
export const developmentToken = 'local-dev-token';
const highestPort = 65_535;

const portOf = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > highestPort) {
    throw new SettingError(`PORT must be a whole number from 0 to ${highestPort}, not "${text}"`);
  }
  return port;
};

const timeZoneOf = (name: string): string => {
  try {
    timeIn(name)(0);
    return name;
  } catch {
    throw new SettingError(
      `SERVICE_TIME_ZONE must be an IANA time zone such as Europe/Berlin, not "${name}"`,
    );
  }
};

const serviceCountry = (code: string): string => {
  try {
    return countryFrom(code);
  } catch (error) {
    throw new SettingError((error as Error).message);
  }
};

const accessTokenOf = (token: string): string => {
  if (/\s/.test(token)) throw new SettingError('LOCAL_ACCESS_TOKEN must not contain spaces');
  return token;
};

/** A variable that is set to nothing counts as not set. @throws SettingError */
export const settingsFrom = (env: Readonly<Record<string, string | undefined>>): Settings => ({
  port: portOf(env.PORT || '3000'),
  host: env.HOST || '127.0.0.1',
  dataDir: env.DATA_DIR || '.data',
  accessToken: accessTokenOf(env.LOCAL_ACCESS_TOKEN || developmentToken),
  timeZone: timeZoneOf(env.SERVICE_TIME_ZONE || 'UTC'),
  country: serviceCountry(env.SERVICE_COUNTRY ?? ''),
});
