/** What `cdk deploy -c name=value` can set. */
export type StackSettings = {
  stage: string;
  /** The stage's data may go with the stack. */
  disposable: boolean;
  timeZone: string;
  alarmEmail: string | undefined;
  /** The one web origin that may call the API from a browser. */
  corsOrigin: string | undefined;
  /** Another issuer of access tokens instead of the stack's own user pool. */
  tokens: { issuer: string; audiences: string[]; jwksUri: string | undefined } | undefined;
  /** Clients of the own user pool besides the stack's, such as one that bridges a change of secrets. */
  otherClients: string[];
  /** Counted up to give the stack's client a new secret. */
  clientGeneration: number;
  domain: { name: string; certificateArn: string } | undefined;
  connect: ConnectSettings | undefined;
  /** Requests a second over all clients, and how many may come at once. */
  throttling: { rate: number; burst: number };
  /** Whether the account's role for API Gateway's logs comes with this stack or exists. */
  gatewayLogRole: 'create' | 'existing';
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

type Context = (name: string) => unknown;

export class StackSettingError extends Error {}

const refuse = (name: string, words: string): never => {
  throw new StackSettingError(`-c ${name}: ${words}`);
};

const text = (context: Context, name: string): string | undefined => {
  const value = context(name);
  return value === undefined || value === '' ? undefined : String(value);
};

const matching = (context: Context, name: string, form: RegExp, words: string): string | undefined => {
  const value = text(context, name);
  return value === undefined || form.test(value) ? value : refuse(name, `${words}, not "${value}"`);
};

const wholeNumber = (context: Context, name: string, fallback: number): number =>
  Number(matching(context, name, /^[1-9]\d{0,5}$/, 'must be a whole number') ?? fallback);

/** Either all of the names are set or none. */
const together = <N extends string>(context: Context, names: readonly N[]): Record<N, string> | undefined => {
  const missing = names.filter((name) => text(context, name) === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) refuse(missing[0] as string, `is needed together with ${names.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, text(context, name)])) as Record<N, string>;
};

const timeZoneOf = (context: Context): string => {
  const timeZone = text(context, 'timeZone') ?? 'UTC';
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    refuse('timeZone', `"${timeZone}" is no IANA time zone`);
  }
  return timeZone;
};

const audiencesOf = (context: Context): string[] => text(context, 'tokenAudiences')?.split(',') ?? [];

const tokensOf = (context: Context): StackSettings['tokens'] => {
  const issuer = text(context, 'tokenIssuer');
  if (issuer === undefined) return undefined;
  const audiences = audiencesOf(context);
  if (audiences.length === 0) refuse('tokenAudiences', 'is needed together with tokenIssuer');
  return { issuer, audiences, jwksUri: text(context, 'tokenJwksUri') };
};

const connectOf = (context: Context): ConnectSettings | undefined => {
  const connect = together(context, ['connectInstanceId', 'connectFlowId', 'connectSourceNumber']);
  return (
    connect && {
      instanceId: connect.connectInstanceId,
      flowId: connect.connectFlowId,
      sourceNumber: connect.connectSourceNumber,
      numberPrefix: matching(context, 'connectNumberPrefix', /^\+\d{1,6}$/, 'must be + and digits') ?? '',
      concurrency: wholeNumber(context, 'connectConcurrency', 10),
    }
  );
};

const domainOf = (context: Context): StackSettings['domain'] => {
  const domain = together(context, ['domainName', 'certificateArn']);
  return domain && { name: domain.domainName, certificateArn: domain.certificateArn };
};

/** @throws StackSettingError naming the setting that is wrong */
export const settingsFrom = (context: Context): StackSettings => {
  const stage =
    matching(context, 'stage', /^[a-z][a-z0-9-]{0,19}$/, 'must be lower-case letters, digits and -') ?? 'dev';
  const logRole = matching(context, 'gatewayLogRole', /^(create|existing)$/, 'must be create or existing');
  return {
    stage,
    disposable: stage === 'dev' || stage.startsWith('dev-'),
    timeZone: timeZoneOf(context),
    alarmEmail: matching(context, 'alarmEmail', /^\S+@\S+$/, 'must be a mail address'),
    corsOrigin: matching(
      context,
      'corsOrigin',
      /^https?:\/\/[^\s/'"]+$/,
      'must be an origin like https://a.example',
    ),
    tokens: tokensOf(context),
    otherClients: text(context, 'tokenIssuer') === undefined ? audiencesOf(context) : [],
    clientGeneration: wholeNumber(context, 'clientGeneration', 1),
    domain: domainOf(context),
    connect: connectOf(context),
    throttling: {
      rate: wholeNumber(context, 'requestsPerSecond', 200),
      burst: wholeNumber(context, 'requestBurst', 400),
    },
    gatewayLogRole: logRole === 'existing' ? 'existing' : 'create',
  };
};
