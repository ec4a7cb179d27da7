import path from 'node:path';
import { parseArgs } from 'node:util';
import { scopes, scopesOfGroups } from '../../shared/platform/api/route.ts';
import { isDataFolder } from '../folder-format.ts';
import { inMemory, SettingError, settingsFrom } from '../settings.ts';
import { issueToken, signingKey } from './local-tokens.ts';

const usage = `npm run token -- [--scope "outbound/read outbound/write"] [--group viewers] [--expires-in=seconds]
  Prints an access token for the local service that shares this DATA_DIR.
  --scope       scopes separated by spaces; all of ${scopes.join(', ')} by default
  --group       the token of a user in this group: ${Object.keys(scopesOfGroups).join(' or ')}
  --expires-in  lifetime in seconds, 3600 by default; --expires-in=-5 for an expired token`;

const fail = (message: string): never => {
  process.stderr.write(`${message}\n${usage}\n`);
  return process.exit(1);
};

const readArguments = () => {
  try {
    return parseArgs({
      options: {
        scope: { type: 'string', default: scopes.join(' ') },
        group: { type: 'string' },
        'expires-in': { type: 'string', default: '3600' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
};

const print = async () => {
  const { scope, group, 'expires-in': expiresIn, help } = readArguments();
  if (help) return process.stdout.write(`${usage}\n`);
  const lifetime = Number(expiresIn);
  if (!Number.isInteger(lifetime)) fail(`--expires-in must be a whole number of seconds, not "${expiresIn}"`);
  const { dataDir } = settingsFrom(process.env);
  if (dataDir === inMemory) fail('A service in memory stores no signing key; start it with a DATA_DIR');
  if (!isDataFolder(dataDir)) {
    fail(
      `DATA_DIR ${path.resolve(dataDir)} is not the data folder of a service: start the service first, and set DATA_DIR to its folder`,
    );
  }
  if (group !== undefined && !Object.hasOwn(scopesOfGroups, group)) fail(`there is no group "${group}"`);
  const person =
    group === undefined ? {} : { scope: 'openid', username: 'local-user', 'cognito:groups': [group] };
  const token = issueToken(await signingKey(dataDir), scope, lifetime, Date.now(), person);
  return process.stdout.write(`${token}\n`);
};

try {
  await print();
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  fail(error.message);
}
