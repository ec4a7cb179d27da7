import { type ServiceSettings, serviceSettings } from '../shared/platform/settings/settings.ts';

export type Settings = ServiceSettings & {
  port: number;
  host: string;
  /** Further host names at which the service answers. */
  allowedHosts?: readonly string[];
  /** A folder, or ':memory:' to store nothing. */
  dataDir: string;
  accessToken: string;
  /** Starts with what is left of a damaged data folder. */
  acceptsDataLoss?: boolean;
  /** A write is answered when the disk has it, not only the operating system. */
  forcesWrites?: boolean;
};

/** An error in the settings. It is shown as one line, without a stack. */
export class SettingError extends Error {}

type Variables = Readonly<Record<string, string | undefined>>;

export const inMemory = ':memory:';
/** Public, so it needs no protection. */
export const developmentToken = 'local-dev-token';
const highestPort = 65_535;

const portOf = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > highestPort) {
    throw new SettingError(`PORT must be a whole number from 0 to ${highestPort}, not "${text}"`);
  }
  return port;
};

const sharedWithAws = (env: Variables): ServiceSettings => {
  try {
    return serviceSettings(env);
  } catch (error) {
    throw new SettingError((error as Error).message);
  }
};

const accessTokenOf = (token: string): string => {
  if (/\s/.test(token)) throw new SettingError('LOCAL_ACCESS_TOKEN must not contain spaces');
  return token;
};

const forcesWritesOf = (text: string): boolean => {
  if (text !== '' && text !== 'always') throw new SettingError(`DATA_SYNC must be always, not "${text}"`);
  return text === 'always';
};

/** An empty variable counts as not set. @throws SettingError */
export const settingsFrom = (env: Variables): Settings => ({
  port: portOf(env.PORT || '3000'),
  host: env.HOST || '127.0.0.1',
  allowedHosts: (env.ALLOWED_HOSTS ?? '').split(',').flatMap((name) => name.trim() || []),
  dataDir: env.DATA_DIR || '.data',
  accessToken: accessTokenOf(env.LOCAL_ACCESS_TOKEN || developmentToken),
  acceptsDataLoss: env.DATA_LOSS === 'accept',
  forcesWrites: forcesWritesOf(env.DATA_SYNC ?? ''),
  ...sharedWithAws(env),
});
