import { type Scope, scopes } from '../../shared/platform/api/route.ts';
import { usual } from '../../shared/platform/settings/settings.ts';
import type { StageFile } from './schema.ts';
import { isDisposable, type ReadText, StackSettingError, stageSettings } from './stage-file.ts';

/** Requests a second that a route accepts from all clients, and how many at the same moment. */
export type Throttle = { rate: number; burst: number };

/** Routes that share a throttle setting, so that long requests do not displace short ones. */
export type RouteClass = 'general' | 'dial' | 'import' | 'export';

export type StackSettings = {
  stage: string;
  /** The data of the stage may be deleted with the stack. */
  disposable: boolean;
  timeZone: string;
  /** The country whose numbering plan applies to numbers without +. */
  country: string | undefined;
  /** 0: no limit. */
  maxCallsPerNumberPerDay: number;
  /** `calls/minutes`, several separated by commas, or empty. */
  callLimits: string;
  /** Hours; 0: none. */
  restAfterSuccess: number;
  /** `HH:MM-HH:MM`, or empty. */
  callingHours: string;
  /** 0: no limit. */
  maxConcurrentCalls: number;
  /** 0: records are kept as long as their tasks. */
  keepCallsDays: number;
  /** Maximum of an uploaded or dropped file. */
  importMaxRows: number;
  /** The account and region for the deployment. Undefined: those of the credentials. */
  environment: { account: string; region: string } | undefined;
  /** Empty: alarms are sent to no address. */
  alarmEmails: readonly string[];
  /** The web origin that may call the API from a browser. */
  corsOrigin: string | undefined;
  /** A key of the customer, for the data and the logs. Undefined: keys of AWS. */
  kmsKeyArn: string | undefined;
  /**
   * The vault in another region or account to which table and bucket are copied, and for how many
   * days a copy is kept.
   */
  copies: { vaultArn: string; days: number } | undefined;
  webAclArn: string | undefined;
  /** A web ACL of the stack's own. `perAddress`: requests of one address in five minutes. */
  waf: { perAddress: number } | undefined;
  /** Another issuer of access tokens in place of the stack's own user pool. */
  tokens: { issuer: string; audiences: string[]; jwksUri: string | undefined } | undefined;
  /** The programs that get tokens of the stack's user pool, by name, with the scopes of each. */
  clients: Readonly<Record<string, readonly Scope[]>>;
  /** Ids of clients of the user pool that are not part of the stack. */
  otherClients: string[];
  /** How long a token of a client that may only dial is valid. Cognito charges for each token. */
  dialerTokenHours: number;
  /** A higher number gives all clients new secrets. */
  clientGeneration: number;
  /** `keepsGateway`: the API is also available at its address of API Gateway. */
  domain: { name: string; certificateArn: string; keepsGateway: boolean } | undefined;
  connect: ConnectSettings | undefined;
  throttles: Record<RouteClass, Throttle>;
  /**
   * How many functions may run at once: in the account and region, if the file says it, and of each
   * function of a class. `none`: as many as the account has left. Undefined: the usual number, if
   * the account has enough.
   */
  concurrency: {
    ofAccount: number | undefined;
    ofEach: Partial<Record<RouteClass, number | 'none' | undefined>>;
  };
  /** The account's role for API Gateway's logs: created here, existing already, or no such logs. */
  gatewayLogRole: 'create' | 'existing' | 'none';
};

export type ConnectSettings = {
  instanceId: string;
  flowId: string;
  sourceNumber: string;
  /** The prefix of numbers without +, such as +86. Empty: no prefix. */
  numberPrefix: string;
  /** The maximum number of calls at the same time. */
  concurrency: number;
  /** Whether Connect detects answering machines. */
  machineDetection: boolean;
};

const wrong = (stage: string, name: string, words: string) =>
  new StackSettingError(`stages/${stage}.json: ${name}: ${words}`);

const tokensOf = ({ tokenIssuer, tokenAudiences, tokenJwksUri }: StageFile): StackSettings['tokens'] =>
  tokenIssuer === undefined
    ? undefined
    : { issuer: tokenIssuer, audiences: tokenAudiences ?? [], jwksUri: tokenJwksUri };

/** The clients of every stage that names none. */
const usualClients: StackSettings['clients'] = {
  dialer: ['outbound/dial'],
  integration: ['outbound/read', 'outbound/write'],
};

const clientsOf = (
  stage: string,
  { clients, sharedClient, tokenIssuer }: StageFile,
): StackSettings['clients'] => {
  if (clients !== undefined && tokenIssuer !== undefined)
    throw wrong(stage, 'clients', 'are clients of the own user pool, which tokenIssuer replaces');
  return { ...(clients ?? usualClients), ...(sharedClient === 'keep' ? { shared: scopes } : {}) };
};

/** The schema allows the three settings only together. */
const connectOf = (file: StageFile): ConnectSettings | undefined =>
  file.connectInstanceId === undefined
    ? undefined
    : {
        instanceId: file.connectInstanceId,
        flowId: file.connectFlowId as string,
        sourceNumber: file.connectSourceNumber as string,
        numberPrefix: file.connectNumberPrefix ?? usual.CONNECT_NUMBER_PREFIX,
        concurrency: file.connectConcurrency ?? Number(usual.CONNECT_CONCURRENCY),
        machineDetection: file.connectMachineDetection ?? false,
      };

/**
 * API Gateway accepts a certificate of its own region only, and would refuse another one in the
 * middle of a deployment.
 */
const domainOf = (
  stage: string,
  { domainName, certificateArn = '', keepGatewayAddress = false, region }: StageFile,
): StackSettings['domain'] => {
  if (domainName === undefined) return undefined;
  const certificateRegion = certificateArn.split(':')[3];
  if (region !== undefined && certificateRegion !== region)
    throw wrong(
      stage,
      'certificateArn',
      `must be a certificate of ${region}, not of ${certificateRegion || 'no region'}`,
    );
  return { name: domainName, certificateArn, keepsGateway: keepGatewayAddress };
};

const placeIn = (arn: string) => {
  const [, , , region, account] = arn.split(':');
  return { region, account };
};

/** The data is in the region of the stage, and KMS serves one region. */
const kmsKeyOf = (stage: string, { kmsKeyArn, region }: StageFile): string | undefined => {
  if (kmsKeyArn !== undefined && region !== undefined && placeIn(kmsKeyArn).region !== region)
    throw wrong(stage, 'kmsKeyArn', `must be a key of ${region}`);
  return kmsKeyArn;
};

const usualCopyDays = 35;

const copiesOf = (
  stage: string,
  { backupCopyTo, keepCopiesDays, kmsKeyArn, account, region }: StageFile,
): StackSettings['copies'] => {
  if (backupCopyTo === undefined) return undefined;
  const vault = placeIn(backupCopyTo);
  if (vault.account === account && vault.region === region)
    throw wrong(stage, 'backupCopyTo', 'must be a vault in another region or account');
  // AWS Backup cannot copy data into another account if a key of AWS encrypts it.
  if (vault.account !== account && kmsKeyArn === undefined)
    throw wrong(stage, 'kmsKeyArn', 'is needed for copies into another account');
  return { vaultArn: backupCopyTo, days: keepCopiesDays ?? usualCopyDays };
};

/** A hundred requests a second: half of what a route accepts from all clients. */
const usualPerAddress = 30_000;

const wafOf = (
  stage: string,
  { waf = false, requestsPerAddress, webAclArn }: StageFile,
): StackSettings['waf'] => {
  if (!waf) return undefined;
  if (webAclArn !== undefined)
    throw wrong(stage, 'waf', 'makes a web ACL: remove webAclArn, which names another one');
  return { perAddress: requestsPerAddress ?? usualPerAddress };
};

/** The bucket refuses to have one origin twice. */
const corsOriginOf = (stage: string, { corsOrigin, domainName }: StageFile): string | undefined => {
  if (corsOrigin !== undefined && corsOrigin.toLowerCase() === `https://${domainName}`)
    throw wrong(stage, 'corsOrigin', `is the own domain, whose pages may call the API anyway: remove it`);
  return corsOrigin;
};

const throttlesOf = (file: StageFile): StackSettings['throttles'] => ({
  general: { rate: file.requestsPerSecond ?? 200, burst: file.requestBurst ?? 400 },
  dial: { rate: file.dialRequestsPerSecond ?? 1000, burst: file.dialRequestBurst ?? 2000 },
  import: { rate: file.importsPerSecond ?? 5, burst: file.importBurst ?? 10 },
  export: { rate: file.exportsPerSecond ?? 2, burst: file.exportBurst ?? 5 },
});

const concurrencyOf = (file: StageFile): StackSettings['concurrency'] => ({
  ofAccount: file.accountConcurrency,
  ofEach: {
    dial: file.dialConcurrency,
    import: file.importConcurrency ?? 'none',
    export: file.exportConcurrency,
  },
});

/** A setting that a stage which keeps its data must have. @throws StackSettingError */
const decided = <T>(stage: string, name: string, value: T | undefined, words: string): T | undefined => {
  if (value === undefined && !isDisposable(stage)) throw wrong(stage, name, words);
  return value;
};

const alarmEmailsOf = (stage: string, { alarmEmail }: StageFile): readonly string[] => {
  const words = `say who gets the alarms of ${stage}: a mail address, a list of them, or none`;
  const given = decided(stage, 'alarmEmail', alarmEmail, words) ?? 'none';
  return given === 'none' ? [] : [given].flat();
};

/** Must be set: without a country, a list excludes only the listed spelling of a number. */
const countryOf = (stage: string, { country }: StageFile): string | undefined => {
  const words = `name the country that numbers without + belong to, or none: then 138… and +86 138… are two numbers`;
  const given = decided(stage, 'country', country, words) ?? 'none';
  return given === 'none' ? undefined : given;
};

/** Part of the file, so that credentials of another account cannot deploy the stage there. */
const environmentOf = (stage: string, { account, region }: StageFile): StackSettings['environment'] => {
  decided(stage, 'account', account, `name the AWS account and the region of ${stage}`);
  // The schema allows the two settings only together.
  return account === undefined ? undefined : { account, region: region as string };
};

/** @throws StackSettingError naming the setting that is wrong */
export const settingsFrom = (flags: Readonly<Record<string, unknown>>, read?: ReadText): StackSettings => {
  const { stage, file } = stageSettings(flags, read);
  const disposable = isDisposable(stage);
  return {
    stage,
    disposable,
    timeZone: file.timeZone ?? usual.SERVICE_TIME_ZONE,
    maxCallsPerNumberPerDay: file.maxCallsPerNumberPerDay ?? Number(usual.MAX_CALLS_PER_NUMBER_PER_DAY),
    callLimits: file.callLimits ?? usual.CALL_LIMITS,
    restAfterSuccess: file.restAfterSuccess ?? Number(usual.REST_AFTER_SUCCESS),
    callingHours: file.callingHours ?? usual.CALLING_HOURS,
    maxConcurrentCalls: file.maxConcurrentCalls ?? Number(usual.MAX_CONCURRENT_CALLS),
    keepCallsDays: file.keepCallsDays ?? Number(usual.KEEP_CALLS_DAYS),
    importMaxRows: file.importMaxRows ?? Number(usual.IMPORT_MAX_ROWS),
    environment: environmentOf(stage, file),
    alarmEmails: alarmEmailsOf(stage, file),
    country: countryOf(stage, file),
    corsOrigin: corsOriginOf(stage, file),
    kmsKeyArn: kmsKeyOf(stage, file),
    copies: copiesOf(stage, file),
    webAclArn: file.webAclArn,
    waf: wafOf(stage, file),
    tokens: tokensOf(file),
    clients: clientsOf(stage, file),
    otherClients: file.tokenIssuer === undefined ? (file.tokenAudiences ?? []) : [],
    dialerTokenHours: file.dialerTokenHours ?? 12,
    clientGeneration: file.clientGeneration ?? 1,
    domain: domainOf(stage, file),
    connect: connectOf(file),
    throttles: throttlesOf(file),
    concurrency: concurrencyOf(file),
    // Deleting a dev stage would delete the account's only role, which all other stages need.
    gatewayLogRole: file.gatewayLogRole ?? (disposable ? 'none' : 'create'),
  };
};
