import type { FromSchema } from 'json-schema-to-ts';

/** Cognito refuses them anywhere in the prefix of a token address, which the stage is part of. */
const reservedWords = 'aws|amazon|cognito';

export const stageSchema = {
  type: 'string',
  pattern: `^(?!.*(${reservedWords}))[a-z][a-z0-9-]{0,19}$`,
  description: 'up to 20 lower-case letters, digits and -, without aws, amazon and cognito',
} as const;

const text = { type: 'string', minLength: 1, description: 'text' } as const;
const perSecond = { type: 'integer', minimum: 1, maximum: 10_000, description: 'from 1 to 10000' } as const;
const burst = { type: 'integer', minimum: 1, maximum: 5000, description: 'from 1 to 5000' } as const;
const concurrency = {
  anyOf: [{ type: 'integer', minimum: 1, maximum: 1000 }, { const: 'none' }],
  description: 'from 1 to 1000, or none',
} as const;
const address = '[^\\s@,]+@[^\\s@,]+';

/** What stages/<stage>.json may hold. `description` ends the sentence "must be …". */
export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    timeZone: { type: 'string', format: 'timeZone', description: 'an IANA time zone' },
    serviceCountry: { type: 'string', format: 'country', description: 'an ISO 3166 code such as CN' },
    maxCallsPerNumberPerDay: {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      description: 'from 0 (no limit) to 1000',
    },
    account: {
      type: 'string',
      pattern: '^\\d{12}$',
      description: 'the 12 digits of an AWS account, as text',
    },
    region: {
      type: 'string',
      pattern: '^[a-z]{2}(-[a-z]+)+-\\d$',
      description: 'an AWS region such as eu-west-1',
    },
    alarmEmail: {
      anyOf: [
        { type: 'string', pattern: `^(none|${address})$` },
        { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', pattern: `^${address}$` } },
      ],
      description: 'a mail address, a list of mail addresses, or none',
    },
    corsOrigin: {
      type: 'string',
      pattern: '^https?://[^\\s/\'"]+$',
      description: 'an origin like https://a.example',
    },
    webAclArn: {
      type: 'string',
      pattern: '^arn:[^\\s]+/webacl/[^\\s]+$',
      description: 'the ARN of a web ACL',
    },
    tokenIssuer: {
      type: 'string',
      pattern: '^https://\\S+$',
      description: 'an address that begins with https',
    },
    tokenAudiences: {
      type: 'array',
      items: { type: 'string', pattern: '^[^\\s,]+$' },
      description: 'a list of audiences or client ids',
    },
    tokenJwksUri: {
      type: 'string',
      pattern: '^https://\\S+$',
      description: 'an address that begins with https',
    },
    clientGeneration: { type: 'integer', minimum: 1, maximum: 100_000, description: 'a whole number from 1' },
    domainName: { type: 'string', pattern: '^[a-z0-9.-]+$', description: 'a host name' },
    certificateArn: { type: 'string', pattern: '^arn:\\S+$', description: 'the ARN of a certificate' },
    requestsPerSecond: perSecond,
    requestBurst: burst,
    dialRequestsPerSecond: perSecond,
    dialRequestBurst: burst,
    importsPerSecond: perSecond,
    importBurst: burst,
    exportsPerSecond: perSecond,
    exportBurst: burst,
    importConcurrency: concurrency,
    exportConcurrency: concurrency,
    connectInstanceId: text,
    connectFlowId: text,
    connectSourceNumber: {
      type: 'string',
      pattern: '^\\+[1-9]\\d{2,14}$',
      description: '+ and up to 15 digits',
    },
    connectConcurrency: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      description: 'a whole number from 1',
    },
    connectNumberPrefix: { type: 'string', pattern: '^\\+\\d{1,6}$', description: '+ and digits' },
    gatewayLogRole: {
      type: 'string',
      enum: ['create', 'existing', 'none'],
      description: 'create, existing or none',
    },
  },
  // Draft 7's word for "needed together".
  dependencies: {
    account: ['region'],
    region: ['account'],
    tokenIssuer: ['tokenAudiences'],
    tokenJwksUri: ['tokenIssuer'],
    domainName: ['certificateArn'],
    certificateArn: ['domainName'],
    connectInstanceId: ['connectFlowId', 'connectSourceNumber'],
    connectFlowId: ['connectInstanceId'],
    connectSourceNumber: ['connectInstanceId'],
    connectConcurrency: ['connectInstanceId'],
    connectNumberPrefix: ['connectInstanceId'],
  },
} as const;

export type StageFile = FromSchema<typeof settingsSchema>;
export type SettingName = keyof typeof settingsSchema.properties;
export const settingNames = Object.keys(settingsSchema.properties) as SettingName[];
