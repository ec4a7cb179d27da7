import { usual } from '../../shared/settings/environment.ts';
import type { StageFile } from './schema.ts';
import { isDisposable, type ReadText, StackSettingError, stageSettings } from './stage-file.ts';

/** Requests a second that one route takes over all clients, and how many may come at once. */
export type Throttle = { rate: number; burst: number };

/** Routes that share a throttle setting: what takes long must not take the room of what is short. */
export type RouteClass = 'general' | 'dial' | 'import' | 'export';

export type StackSettings = {
  stage: string;
  /** The stage's data may go with the stack. */
  disposable: boolean;
  timeZone: string;
  /** Whose numbering plan numbers without + belong to. */
  serviceCountry: string | undefined;
  /** 0: no limit. */
  maxCallsPerNumberPerDay: number;
  /** Undefined where nobody shall be told. */
  alarmEmail: string | undefined;
  /** The one web origin that may call the API from a browser. */
  corsOrigin: string | undefined;
  webAclArn: string | undefined;
  /** Another issuer of access tokens instead of the stack's own user pool. */
  tokens: { issuer: string; audiences: string[]; jwksUri: string | undefined } | undefined;
  /** Clients of the own user pool besides the stack's, such as one that bridges a change of secrets. */
  otherClients: string[];
  /** Counted up to give the stack's client a new secret. */
  clientGeneration: number;
  domain: { name: string; certificateArn: string } | undefined;
  connect: ConnectSettings | undefined;
  throttles: Record<RouteClass, Throttle>;
  /** How many of a class's functions may run at once, where that is set. */
  concurrency: Partial<Record<RouteClass, number>>;
  /** The account's role for API Gateway's logs: made here, there already, or no such logs. */
  gatewayLogRole: 'create' | 'existing' | 'none';
};

export type ConnectSettings = {
  instanceId: string;
  flowId: string;
  sourceNumber: string;
  /** Put before numbers without +, such as +86; none where empty. */
  numberPrefix: string;
  /** Calls under way at once. */
  concurrency: number;
};

const tokensOf = ({ tokenIssuer, tokenAudiences, tokenJwksUri }: StageFile): StackSettings['tokens'] =>
  tokenIssuer === undefined
    ? undefined
    : { issuer: tokenIssuer, audiences: tokenAudiences ?? [], jwksUri: tokenJwksUri };

/** The schema lets the three come together only. */
const connectOf = (file: StageFile): ConnectSettings | undefined =>
  file.connectInstanceId === undefined
    ? undefined
    : {
        instanceId: file.connectInstanceId,
        flowId: file.connectFlowId as string,
        sourceNumber: file.connectSourceNumber as string,
        numberPrefix: file.connectNumberPrefix ?? usual.CONNECT_NUMBER_PREFIX,
        concurrency: file.connectConcurrency ?? Number(usual.CONNECT_CONCURRENCY),
      };

const domainOf = ({ domainName, certificateArn }: StageFile): StackSettings['domain'] =>
  domainName === undefined ? undefined : { name: domainName, certificateArn: certificateArn as string };

const throttlesOf = (file: StageFile): StackSettings['throttles'] => ({
  general: { rate: file.requestsPerSecond ?? 200, burst: file.requestBurst ?? 400 },
  dial: { rate: file.dialRequestsPerSecond ?? 200, burst: file.dialRequestBurst ?? 400 },
  import: { rate: file.importsPerSecond ?? 5, burst: file.importBurst ?? 10 },
  export: { rate: file.exportsPerSecond ?? 2, burst: file.exportBurst ?? 5 },
});

const concurrencyOf = ({
  importConcurrency,
  exportConcurrency,
}: StageFile): StackSettings['concurrency'] => ({
  ...(importConcurrency === undefined ? {} : { import: importConcurrency }),
  ...(exportConcurrency === undefined ? {} : { export: exportConcurrency }),
});

const alarmEmailOf = (stage: string, { alarmEmail }: StageFile): string | undefined => {
  if (alarmEmail !== undefined || isDisposable(stage)) return alarmEmail === 'none' ? undefined : alarmEmail;
  throw new StackSettingError(
    `stages/${stage}.json: alarmEmail: say who gets the alarms of ${stage}: a mail address, or none`,
  );
};

/** @throws StackSettingError naming the setting that is wrong */
export const settingsFrom = (flags: Readonly<Record<string, unknown>>, read?: ReadText): StackSettings => {
  const { stage, file } = stageSettings(flags, read);
  const disposable = isDisposable(stage);
  return {
    stage,
    disposable,
    timeZone: file.timeZone ?? usual.SERVICE_TIME_ZONE,
    serviceCountry: file.serviceCountry,
    maxCallsPerNumberPerDay: file.maxCallsPerNumberPerDay ?? Number(usual.MAX_CALLS_PER_NUMBER_PER_DAY),
    alarmEmail: alarmEmailOf(stage, file),
    corsOrigin: file.corsOrigin,
    webAclArn: file.webAclArn,
    tokens: tokensOf(file),
    otherClients: file.tokenIssuer === undefined ? (file.tokenAudiences ?? []) : [],
    clientGeneration: file.clientGeneration ?? 1,
    domain: domainOf(file),
    connect: connectOf(file),
    throttles: throttlesOf(file),
    concurrency: concurrencyOf(file),
    // A dev stage that goes would take the account's one role away from all other stages.
    gatewayLogRole: file.gatewayLogRole ?? (disposable ? 'none' : 'create'),
  };
};
