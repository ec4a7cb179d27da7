import type { FromSchema } from 'json-schema-to-ts';
import { scopes } from '../../shared/platform/api/route.ts';
import { restAtMost } from '../../shared/platform/rules/call-limits.ts';
import { highestMaxRows } from '../../shared/platform/rules/files.ts';

/** The stage is part of the prefix of the token address. Cognito allows none of these words. */
const reservedWords = 'aws|amazon|cognito';

export const stageSchema = {
  type: 'string',
  pattern: `^(?!.*(${reservedWords}))[a-z][a-z0-9-]{0,19}$`,
  description: 'up to 20 lower-case letters, digits and -, without aws, amazon and cognito',
} as const;

const text = { type: 'string', minLength: 1, description: 'text' } as const;
const matching = (pattern: string, description: string) =>
  ({ type: 'string', pattern, description }) as const;
const whole = (minimum: number, maximum: number, description = `from ${minimum} to ${maximum}`) =>
  ({ type: 'integer', minimum, maximum, description }) as const;
const perSecond = whole(1, 10_000);
const burst = whole(1, 5000);
const concurrency = {
  anyOf: [whole(1, 1000), { const: 'none' }],
  description: 'from 1 to 1000, or none',
} as const;
const httpsAddress = matching('^https://\\S+$', 'an address that begins with https');
const mailAddress = '[^\\s@,]+@[^\\s@,]+';

/** What stages/<stage>.json may have. `description` ends the sentence "must be …". */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    timeZone: { type: 'string', format: 'timeZone', description: 'an IANA time zone' },
    country: {
      anyOf: [{ type: 'string', format: 'country' }, { const: 'none' }],
      description: 'an ISO 3166 code such as CN, or none',
    },
    maxCallsPerNumberPerDay: whole(0, 1000, 'from 0 (no limit) to 1000'),
    callLimits: {
      type: 'string',
      format: 'callLimits',
      description: 'at most 4 of calls/minutes such as 3/1440,7/10080',
    },
    restAfterSuccess: whole(0, restAtMost, `hours from 0 (none) to ${restAtMost}`),
    callingHours: {
      type: 'string',
      format: 'clockRange',
      description: 'two times of a day such as 08:00-21:00, the first before the second',
    },
    maxConcurrentCalls: whole(0, 100_000, 'from 0 (no limit) to 100000'),
    keepCallsDays: whole(0, 36_500, 'from 0 (as long as the task) to 36500'),
    importMaxRows: whole(1, highestMaxRows),
    account: matching('^\\d{12}$', 'the 12 digits of an AWS account, as text'),
    region: matching('^[a-z]{2}(-[a-z]+)+-\\d$', 'an AWS region such as eu-west-1'),
    alarmEmail: {
      anyOf: [
        { type: 'string', pattern: `^(none|${mailAddress})$` },
        {
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          items: { type: 'string', pattern: `^${mailAddress}$` },
        },
      ],
      description: 'a mail address, a list of mail addresses, or none',
    },
    corsOrigin: matching('^https?://[^\\s/\'"]+$', 'an origin like https://a.example'),
    kmsKeyArn: matching('^arn:[^\\s:]+:kms:[a-z0-9-]+:\\d{12}:key/\\S+$', 'the ARN of a key of KMS'),
    backupCopyTo: matching(
      '^arn:[^\\s:]+:backup:[a-z0-9-]+:\\d{12}:backup-vault:\\S+$',
      'the ARN of a vault of AWS Backup',
    ),
    keepCopiesDays: whole(1, 35),
    waf: { type: 'boolean', description: 'true or false' },
    requestsPerAddress: whole(100, 2_000_000),
    webAclArn: matching('^arn:[^\\s]+/webacl/[^\\s]+$', 'the ARN of a web ACL'),
    tokenIssuer: httpsAddress,
    tokenAudiences: {
      type: 'array',
      items: { type: 'string', pattern: '^[^\\s,]+$' },
      description: 'a list of audiences or client ids',
    },
    tokenJwksUri: httpsAddress,
    clients: {
      type: 'object',
      // The names are part of logical ids and outputs. The console has a client of its own.
      propertyNames: { pattern: '^(?!console$)[a-z][A-Za-z0-9]{0,29}$' },
      additionalProperties: {
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        items: { type: 'string', enum: scopes },
      },
      description: `names such as crm, of letters and digits, each with a list of ${scopes.join(', ')}`,
    },
    sharedClient: { type: 'string', enum: ['keep'], description: 'keep' },
    dialerTokenHours: whole(1, 24),
    clientGeneration: whole(1, 100_000, 'a whole number from 1'),
    domainName: matching('^[a-z0-9.-]+$', 'a host name'),
    certificateArn: matching('^arn:\\S+$', 'the ARN of a certificate'),
    keepGatewayAddress: { type: 'boolean', description: 'true or false' },
    requestsPerSecond: perSecond,
    requestBurst: burst,
    dialRequestsPerSecond: perSecond,
    dialRequestBurst: burst,
    importsPerSecond: perSecond,
    importBurst: burst,
    exportsPerSecond: perSecond,
    exportBurst: burst,
    accountConcurrency: whole(10, 1_000_000),
    dialConcurrency: concurrency,
    importConcurrency: concurrency,
    exportConcurrency: concurrency,
    connectInstanceId: text,
    connectFlowId: text,
    connectSourceNumber: matching('^\\+[1-9]\\d{2,14}$', '+ and up to 15 digits'),
    connectConcurrency: whole(1, 100_000, 'a whole number from 1'),
    connectNumberPrefix: matching('^\\+\\d{1,6}$', '+ and digits'),
    connectMachineDetection: { type: 'boolean', description: 'true or false' },
    gatewayLogRole: {
      type: 'string',
      enum: ['create', 'existing', 'none'],
      description: 'create, existing or none',
    },
  },
  // Each of these settings needs the settings in its list.
  dependencies: {
    account: ['region'],
    region: ['account'],
    tokenIssuer: ['tokenAudiences'],
    tokenJwksUri: ['tokenIssuer'],
    domainName: ['certificateArn'],
    certificateArn: ['domainName'],
    keepGatewayAddress: ['domainName'],
    requestsPerAddress: ['waf'],
    backupCopyTo: ['region'],
    keepCopiesDays: ['backupCopyTo'],
    connectInstanceId: ['connectFlowId', 'connectSourceNumber'],
    connectFlowId: ['connectInstanceId'],
    connectSourceNumber: ['connectInstanceId'],
    connectConcurrency: ['connectInstanceId'],
    connectNumberPrefix: ['connectInstanceId'],
    connectMachineDetection: ['connectInstanceId'],
  },
} as const;

export type StageFile = FromSchema<typeof settingsSchema>;
export type SettingName = keyof typeof settingsSchema.properties;
export const settingNames = Object.keys(settingsSchema.properties) as SettingName[];
