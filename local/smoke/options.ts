import { parseArgs } from 'node:util';
import { SimulationError } from '../simulation/service-client.ts';

export type SmokeOptions = {
  baseUrl: string;
  token: string;
  dialToken: string;
  /** Where files can be dropped; that road is left out without it. */
  drop: { bucket: string } | undefined;
  help: boolean;
};

export const usage = `npm run smoke -- [options]
  Takes the main road through a running service, one line a step; exit code 1 when a step did not hold.
  --base-url <address>     http://127.0.0.1:3000 by default, with PORT if that is set
  --token <access token>   to read and write; LOCAL_ACCESS_TOKEN or local-dev-token by default
  --dial-token <token>     to dial; the token above by default
  --bucket <name>          also drops a file there, with the AWS credentials of your shell`;

const addressOf = (name: string, text: string): string => {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new SimulationError(`--${name} must be an http address, not "${text}"`);
};

const parsed = (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'base-url': { type: 'string', default: `http://127.0.0.1:${env.PORT || 3000}` },
        token: { type: 'string', default: env.LOCAL_ACCESS_TOKEN || 'local-dev-token' },
        'dial-token': { type: 'string' },
        bucket: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new SimulationError(`${(error as Error).message.split('. ')[0]}; --help shows the options`);
  }
};

/** @throws SimulationError naming the option that is wrong */
export const smokeOptions = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SmokeOptions => {
  const values = parsed(args, env);
  return {
    baseUrl: addressOf('base-url', values['base-url']),
    token: values.token,
    dialToken: values['dial-token'] ?? values.token,
    drop: values.bucket === undefined ? undefined : { bucket: values.bucket },
    help: values.help,
  };
};
