import type { ServiceMetric } from '../api/service-metrics.ts';
import { CallPump } from '../connect/call-pump.ts';
import { ConnectCalls } from '../connect/connect-calls.ts';
import { ConnectInstance, type ConnectSettings } from '../connect/connect-instance.ts';
import { ContactResults } from '../connect/contact-results.ts';
import { log } from '../observability/log.ts';
import { neededSetting, serviceSettings, setting, wholeNumber } from '../settings/environment.ts';
import type { Database } from '../store/table/index.ts';
import { createDialingRuntime, type DialingRuntime } from './dialing.ts';
import { lambdaDatabase } from './lambda-database.ts';
import { onRuntime } from './on-runtime.ts';

/** What the Amazon Connect adapter works with; nothing where it is not configured. */
export type ConnectRuntime = { adapter?: { pump: CallPump; results: ContactResults } };

export type AdapterSettings = ConnectSettings & { concurrency: number; numberPrefix: string };

const usualRoundMs = 5000;

/** Loaded when there is something to count: these bundles are at their limit. */
const count = async (name: ServiceMetric, value: number): Promise<void> =>
  (await import('../observability/metrics.ts')).count(name, value);

export const createAdapter = (
  { dialer, now, newId }: Pick<DialingRuntime, 'dialer' | 'now' | 'newId'>,
  database: Database,
  connect: ConnectInstance,
  { concurrency, numberPrefix }: Pick<AdapterSettings, 'concurrency' | 'numberPrefix'>,
  roundMs = usualRoundMs,
): Required<ConnectRuntime>['adapter'] => {
  const warn = (message: string, details: Record<string, unknown>) => log.warn(message, details);
  const parts = { connect, calls: new ConnectCalls(database), dialer, now, newId, warn, count };
  const results = new ContactResults(parts);
  return { results, pump: new CallPump({ ...parts, results, concurrency, numberPrefix, roundMs }) };
};

/** `undefined` unless instance, flow and source number are all set. @throws Error on a bad concurrency */
export const adapterSettings = (
  env: Readonly<Record<string, string | undefined>>,
): AdapterSettings | undefined => {
  const instanceId = setting('CONNECT_INSTANCE_ID', env);
  const flowId = setting('CONNECT_FLOW_ID', env);
  const sourceNumber = setting('CONNECT_SOURCE_NUMBER', env);
  if (!instanceId || !flowId || !sourceNumber) return undefined;
  const concurrency = wholeNumber('CONNECT_CONCURRENCY', 1, env);
  return {
    instanceId,
    flowId,
    sourceNumber,
    concurrency,
    numberPrefix: setting('CONNECT_NUMBER_PREFIX', env),
  };
};

const lambdaConnectRuntime = (): ConnectRuntime => {
  const settings = adapterSettings(process.env);
  if (settings === undefined) return {};
  const database = lambdaDatabase();
  const dialing = createDialingRuntime({ database, ...serviceSettings() });
  const connect = new ConnectInstance(settings, { region: neededSetting('AWS_REGION') });
  return { adapter: createAdapter(dialing, database, connect, settings) };
};

/** As `onLambda`, for the functions of the Amazon Connect adapter. */
export const onConnectLambda = onRuntime(lambdaConnectRuntime);
