import { developmentToken } from '../settings.ts';
import { SimulationError } from './service-client.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The options of every program that calls a running service. npm prints the options of a program,
 * but not its variables.
 */
export const connectionOptions = (env: Variables) =>
  ({
    'base-url': { type: 'string', default: `http://127.0.0.1:${env.PORT || 3000}` },
    token: { type: 'string', default: env.ACCESS_TOKEN || env.LOCAL_ACCESS_TOKEN || developmentToken },
    help: { type: 'boolean', default: false },
  }) as const;

/** Calls `parseArgs`. @throws SimulationError with the option that is wrong */
export const parseOptions = <T>(parse: () => { values: T }): T => {
  try {
    return parse().values;
  } catch (error) {
    throw new SimulationError(`${(error as Error).message.split('. ')[0]}; --help shows the options`);
  }
};

/** @throws SimulationError */
export const addressOf = (option: string, text: string): string => {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new SimulationError(`--${option} must be an http address, not "${text}"`);
};

/** Runs a program. An error that its user can fix is printed as one line. */
export const runProgram = async (program: () => Promise<void>): Promise<void> => {
  try {
    await program();
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
};
