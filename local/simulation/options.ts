import { parseArgs } from 'node:util';
import { addressOf, connectionOptions, parseOptions, type Variables } from './command-line.ts';
import type { Mix } from './mix.ts';
import { SimulationError, type Token } from './service-client.ts';

export type SimulationOptions = {
  mix: Mix;
  callsPerSecond: number;
  /**
   * How many times shorter the calls are than real ones. A call takes the seconds that it is
   * reported with.
   */
  speed?: number;
  /** Seconds from the end of a call to its callback. The phone number decides which. */
  callbackSeconds?: readonly number[];
  /** With `untilIdle` and a task, ends also when no contact can be called for so long. */
  longestWaitSeconds?: number;
  seed: number;
  taskId: string | undefined;
  untilIdle: boolean;
};

export type Options = SimulationOptions & { baseUrl: string; token: Token; help: boolean };

export const usage = `npm run simulate -- [options]
  Leases calls from a running service and reports made-up outcomes until it is stopped with Ctrl-C.
  --success 0.6            share of calls that succeed
  --no-answer 0.3          share of calls that are not answered; the rest fail
  --callback 0             share of the calls that succeed: the person asks to be called a minute later
  --do-not-call 0          share of them: the person asks not to be called again
  --disposition 0          share of them with a disposition, one of the task's if it declares any
  --data 0                 share of them with data: a rating and more
  --summary 0              share of them with a summary
  --calls-per-second 10    pace, up to 1000
  --seed 1                 whole number; with the same seed the same calls end the same way
  --task <id>              only calls of this task
  --until-idle             end when the task (or, without --task, every task) is no longer RUNNING
  --base-url <address>     http://127.0.0.1:3000 by default, with PORT if that is set
  --token <access token>   the variable ACCESS_TOKEN, LOCAL_ACCESS_TOKEN or local-dev-token by default
  --token-url <address>    instead of --token: gets and renews tokens there, as --client-id with the secret
  --client-id <id>         that the variable CLIENT_SECRET holds`;

const highestPace = 1000;

const numberOf = (name: string, text: string, minimum: number, maximum: number): number => {
  const value = Number(text);
  if (text.trim() === '' || !(value >= minimum && value <= maximum)) {
    throw new SimulationError(`--${name} must be a number from ${minimum} to ${maximum}, not "${text}"`);
  }
  return value;
};

const shareNames = {
  success: 'success',
  noAnswer: 'no-answer',
  callback: 'callback',
  doNotCall: 'do-not-call',
  disposition: 'disposition',
  data: 'data',
  summary: 'summary',
} as const satisfies Record<keyof Mix, string>;
type ShareOptions = { [O in (typeof shareNames)[keyof Mix]]?: string | undefined };

/** Shares of the same whole. */
const sharers = [
  ['success', 'noAnswer'],
  ['callback', 'doNotCall'],
] as const satisfies readonly (readonly (keyof Mix)[])[];

const mixOf = (values: ShareOptions): Mix => {
  const given = Object.entries(shareNames).flatMap(([share, option]) => {
    const text = values[option];
    return text === undefined ? [] : [[share, numberOf(option, text, 0, 1)]];
  });
  const mix = Object.fromEntries(given) as Mix;
  for (const names of sharers) {
    const shown = names.flatMap((name) =>
      mix[name] === undefined ? [] : [`--${shareNames[name]} ${mix[name]}`],
    );
    // A sum slightly above 1 is a rounding error: 0.7 + 0.3 must be accepted.
    if (names.reduce((sum, name) => sum + (mix[name] ?? 0), 0) > 1 + Number.EPSILON * 4)
      throw new SimulationError(`${shown.join(' and ')} are more than 1 together`);
  }
  return mix;
};

type TokenOptions = { token: string; 'token-url'?: string; 'client-id'?: string };

/** The secret is no option, because every user of the machine sees the options of a program. */
const tokenOf = (
  { token, 'token-url': tokenUrl, 'client-id': clientId }: TokenOptions,
  clientSecret: string | undefined,
): Token => {
  if (tokenUrl === undefined && clientId === undefined) return token;
  if (tokenUrl === undefined || clientId === undefined || !clientSecret) {
    throw new SimulationError('--token-url, --client-id and the variable CLIENT_SECRET are needed together');
  }
  return { tokenUrl: addressOf('token-url', tokenUrl), clientId, clientSecret };
};

const seedOf = (text: string): number => {
  const seed = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(seed)) {
    throw new SimulationError(`--seed must be a whole number, not "${text}"`);
  }
  return seed;
};

/** @throws SimulationError with the option that is wrong */
export const optionsFrom = (args: readonly string[], env: Variables): Options => {
  const values = parseOptions(() =>
    parseArgs({
      args: [...args],
      options: {
        ...connectionOptions(env),
        success: { type: 'string', default: '0.6' },
        'no-answer': { type: 'string', default: '0.3' },
        callback: { type: 'string' },
        'do-not-call': { type: 'string' },
        disposition: { type: 'string' },
        data: { type: 'string' },
        summary: { type: 'string' },
        'calls-per-second': { type: 'string', default: '10' },
        seed: { type: 'string', default: '1' },
        task: { type: 'string' },
        'until-idle': { type: 'boolean', default: false },
        'token-url': { type: 'string' },
        'client-id': { type: 'string' },
      },
    }),
  );
  return {
    mix: mixOf(values),
    callsPerSecond: numberOf('calls-per-second', values['calls-per-second'], 0.01, highestPace),
    seed: seedOf(values.seed),
    taskId: values.task,
    untilIdle: values['until-idle'],
    baseUrl: addressOf('base-url', values['base-url']),
    token: tokenOf(values, env.CLIENT_SECRET),
    help: values.help,
  };
};
