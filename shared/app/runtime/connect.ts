import { CallPump } from '../../connect/call-pump.ts';
import { ConnectCalls } from '../../connect/connect-calls.ts';
import { ConnectInstance, type ConnectSettings } from '../../connect/connect-instance.ts';
import { ContactResults } from '../../connect/contact-results.ts';
import type { Using } from '../../platform/api/route.ts';
import { log } from '../../platform/observability/log.ts';
import { count, countAll } from '../../platform/observability/metrics.ts';
import {
  awsRegion,
  readEnvironment,
  setting,
  type Variables,
  wholeNumber,
} from '../../platform/settings/settings.ts';
import type { Base } from './base.ts';
import { openDialing } from './dialing.ts';

/** What starts and ends calls through Amazon Connect. */
export const openConnect = (base: Base) => ({
  ...openDialing(base),
  connectCalls: new ConnectCalls(base.database),
});
type Calling = Pick<ReturnType<typeof openConnect>, 'connectCalls' | 'dialer' | 'now' | 'newId'>;

/** What the Amazon Connect adapter needs. Without Connect there is no adapter. */
export type ConnectRuntime = { adapter?: { pump: CallPump; results: ContactResults } };

export type AdapterSettings = ConnectSettings & { concurrency: number };

const usualRoundMs = 5000;

export const createAdapter = (
  { connectCalls: calls, dialer, now, newId }: Calling,
  connect: ConnectInstance,
  { concurrency, numberPrefix }: Pick<AdapterSettings, 'concurrency' | 'numberPrefix'>,
  roundMs = usualRoundMs,
): Required<ConnectRuntime>['adapter'] => {
  const warn = (message: string, details: Record<string, unknown>) => log.warn(message, details);
  const shared = { connect, calls, dialer, now, newId, warn, count, countAll };
  const results = new ContactResults(shared);
  return { results, pump: new CallPump({ ...shared, results, concurrency, numberPrefix, roundMs }) };
};

/**
 * @returns undefined unless instance, flow and source number are all set
 * @throws Error on a bad concurrency
 */
export const adapterSettings = (env: Variables): AdapterSettings | undefined => {
  const instanceId = setting('CONNECT_INSTANCE_ID', env);
  const flowId = setting('CONNECT_FLOW_ID', env);
  const sourceNumber = setting('CONNECT_SOURCE_NUMBER', env);
  if (!instanceId || !flowId || !sourceNumber) return undefined;
  const concurrency = wholeNumber('CONNECT_CONCURRENCY', 1, env);
  const numberPrefix = setting('CONNECT_NUMBER_PREFIX', env);
  const machineDetection = setting('CONNECT_MACHINE_DETECTION', env) === 'on';
  return { instanceId, flowId, sourceNumber, concurrency, numberPrefix, machineDetection };
};

/** The adapter of a function that declares to use Connect. */
export const lambdaConnect = (runtime: Calling, { access }: Using<'connect'>): ConnectRuntime => {
  const settings = adapterSettings(readEnvironment(access));
  if (settings === undefined) return {};
  const connect = new ConnectInstance(settings, { region: awsRegion() });
  return { adapter: createAdapter(runtime, connect, settings) };
};
