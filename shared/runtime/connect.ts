import { CallPump } from '../connect/call-pump.ts';
import { ConnectInstance, type ConnectSettings } from '../connect/connect-instance.ts';
import { ContactResults } from '../connect/contact-results.ts';
import { log } from '../observability/log.ts';
import { ConnectCalls } from '../store/connect-calls.ts';
import type { Database } from '../store/database.ts';
import { createRuntime, type Runtime } from './core.ts';
import { lambdaDatabase, lambdaTimeZone } from './lambda-database.ts';
import { environment, onRuntime } from './on-runtime.ts';

/** What the Amazon Connect adapter works with; nothing where it is not configured. */
export type ConnectRuntime = { adapter?: { pump: CallPump; results: ContactResults } };

export type AdapterSettings = ConnectSettings & { concurrency: number; numberPrefix: string };

const usualRoundMs = 5000;

export const createAdapter = (
  { dialer, now, newId }: Pick<Runtime, 'dialer' | 'now' | 'newId'>,
  database: Database,
  connect: ConnectInstance,
  { concurrency, numberPrefix }: Pick<AdapterSettings, 'concurrency' | 'numberPrefix'>,
  roundMs = usualRoundMs,
): Required<ConnectRuntime>['adapter'] => {
  const warn = (message: string, details: Record<string, unknown>) => log.warn(message, details);
  const parts = { connect, calls: new ConnectCalls(database), dialer, now, newId, warn };
  const results = new ContactResults(parts);
  return { results, pump: new CallPump({ ...parts, results, concurrency, numberPrefix, roundMs }) };
};

const required = ['CONNECT_INSTANCE_ID', 'CONNECT_FLOW_ID', 'CONNECT_SOURCE_NUMBER'] as const;
const usualConcurrency = 10;

/** `undefined` unless instance, flow and source number are all set. @throws Error on a bad concurrency */
export const adapterSettings = (
  env: Readonly<Record<string, string | undefined>>,
): AdapterSettings | undefined => {
  const [instanceId, flowId, sourceNumber] = required.map((name) => env[name]);
  if (!instanceId || !flowId || !sourceNumber) return undefined;
  const concurrency = Number(env.CONNECT_CONCURRENCY || usualConcurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new Error(`CONNECT_CONCURRENCY must be a whole number from 1, not "${env.CONNECT_CONCURRENCY}"`);
  }
  return { instanceId, flowId, sourceNumber, concurrency, numberPrefix: env.CONNECT_NUMBER_PREFIX ?? '' };
};

const lambdaConnectRuntime = (): ConnectRuntime => {
  const settings = adapterSettings(process.env);
  if (settings === undefined) return {};
  const database = lambdaDatabase();
  const runtime = createRuntime({ database, timeZone: lambdaTimeZone() });
  const connect = new ConnectInstance(settings, { region: environment('AWS_REGION') });
  return { adapter: createAdapter(runtime, database, connect, settings) };
};

/** As `onLambda`, for the functions of the Amazon Connect adapter. */
export const onConnectLambda = onRuntime(lambdaConnectRuntime);
