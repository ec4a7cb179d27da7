import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { deployedFunctions } from '../../../lib/deployed-functions.ts';
import { functionName } from '../../../lib/service-function.ts';
import { settingNames } from '../../../lib/settings/schema.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { eventFunctions } from '../../../shared/app/event-functions.ts';
import { resourceName, rolePolicies } from '../../support/aws/iam.ts';
import { everything, functionOf, only, production } from '../../support/aws/stack-parts.ts';
import {
  resourcesOf,
  type StackTemplate,
  synthesize,
  synthesized,
} from '../../support/aws/synthesized-stack.ts';

const { template, json, bytes } = synthesized(everything);
const plain = synthesized(production);
const dev = synthesized({ stage: 'dev' });

describe('storage', () => {
  it('keeps the table encrypted, recoverable and protected in production', () => {
    template.hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        DeletionProtectionEnabled: true,
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        GlobalSecondaryIndexes: [
          Match.objectLike({
            IndexName: 'gsi1',
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['state', 'until', 'v'] },
          }),
        ],
      },
    });
    expect(only(dev.json, 'AWS::DynamoDB::Table')).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { DeletionProtectionEnabled: false },
    });
  });

  it('keeps the bucket private, encrypted, over TLS only and free of old files', () => {
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: Match.anyValue(),
        NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
        CorsConfiguration: {
          CorsRules: [
            Match.objectLike({
              AllowedMethods: ['PUT'],
              AllowedOrigins: ['https://api.example.com', 'https://console.example.com'],
            }),
          ],
        },
        LifecycleConfiguration: {
          Rules: [
            Match.objectLike({ Prefix: 'imports/', ExpirationInDays: 30, Status: 'Enabled' }),
            Match.objectLike({ Prefix: 'uploads/', ExpirationInDays: 30, Status: 'Enabled' }),
            Match.objectLike({ Prefix: 'exports/', ExpirationInDays: 1, Status: 'Enabled' }),
            Match.objectLike({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
            // Of a versioned bucket.
            Match.objectLike({ Id: 'deleted' }),
          ],
        },
      },
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Action: 's3:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      },
    });
  });
});

/** Lambda itself would trace nearly each of their runs. API Gateway chooses few of its requests. */
const isTriggered = (id: string) => eventFunctions.some((each) => each.id === id);

describe('every function', () => {
  it.each(deployedFunctions.map((deployed) => [deployed.id, deployed] as const))(
    '%s runs as declared',
    (id, deployed) => {
      const [, { Properties }] = functionOf(json, id)!;
      const logGroup =
        json.Resources[(Properties.LoggingConfig as { LogGroup: { Ref: string } }).LogGroup.Ref];
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: deployed.memory,
        Timeout: deployed.timeout,
        TracingConfig: { Mode: isTriggered(id) ? 'PassThrough' : 'Active' },
      });
      expect(logGroup?.Properties).toMatchObject({
        LogGroupName: { 'Fn::Join': ['', expect.arrayContaining(['/functions'])] },
        RetentionInDays: 90,
      });
      expect(JSON.stringify(Properties.Environment)).not.toContain('NODE_OPTIONS');
    },
  );

  it('is ours: production deploys no other, and a dev stage only the one that empties the bucket', () => {
    const ours = new Set(deployedFunctions.map(({ id }) => functionName('prod', id)));
    const names = resourcesOf(json, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.FunctionName,
    );
    expect(names.filter((name) => !ours.has(name as string))).toEqual([]);
    const custom = (from: StackTemplate) =>
      Object.values(from.Resources)
        .map(({ Type }) => Type)
        .filter((type) => /^Custom::|CustomResource/.test(type));
    expect(custom(json)).toEqual([]);
    expect(custom(dev.json)).toEqual(['Custom::S3AutoDeleteObjects']);
  });
});

describe('the stack with every option', () => {
  it('has every option', () => {
    const anotherOne = ['waf', 'requestsPerAddress', 'tokenIssuer', 'tokenJwksUri'];
    expect(settingNames.filter((name) => !(name in everything))).toEqual(anotherOne);
  });

  it('has room: CloudFormation takes 500 resources and 1 MB', () => {
    expect(Object.keys(json.Resources).length).toBeLessThanOrEqual(300);
    expect(bytes).toBeLessThanOrEqual(500_000);
    // A third of the template would be indentation.
    expect(bytes).toBeLessThanOrEqual(JSON.stringify(json).length + 1000);
  });

  it('grows by two resources with each endpoint: its function and its role', () => {
    const routes = allRoutes as (typeof allRoutes)[number][];
    routes.push({ ...routes[0]!, id: 'furtherEndpoint', path: '/api/further/{id}/endpoint' });
    const grown = synthesize(everything).json;
    routes.pop();
    const publishedBy = (from: StackTemplate) => resourcesOf(from, 'AWS::ApiGateway::Deployment')[0]![0];
    expect(publishedBy(grown)).not.toBe(publishedBy(json));
    const added = Object.keys(grown.Resources).filter((id) => !(id in json.Resources));
    expect(added.filter((id) => id !== publishedBy(grown)).map((id) => grown.Resources[id]!.Type)).toEqual([
      'AWS::IAM::Role',
      'AWS::Lambda::Function',
    ]);
  });
});

describe('every endpoint', () => {
  it('knows the rules of whom to call', () => {
    expect(functionOf(json, 'leaseCalls')![1].Properties.Environment).toMatchObject({
      Variables: {
        SERVICE_COUNTRY: 'CN',
        MAX_CALLS_PER_NUMBER_PER_DAY: '3',
        CALLING_HOURS: '06:30-22:00',
        MAX_CONCURRENT_CALLS: '500',
        IMPORT_MAX_ROWS: '250000',
      },
    });
  });
});

describe('triggers', () => {
  it('import what arrives below imports/, with retries and a dead-letter queue', () => {
    const [importer] = functionOf(json, 'importFile')!;
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: { object: { key: [{ prefix: 'imports/' }] } },
      },
      Targets: [
        Match.objectLike({
          Arn: { 'Fn::GetAtt': [importer, 'Arn'] },
          DeadLetterConfig: Match.anyValue(),
          RetryPolicy: Match.anyValue(),
        }),
      ],
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: importer },
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
    });
  });

  it.each(
    eventFunctions.flatMap(({ id, trigger }) =>
      trigger.kind === 'schedule' ? [[id, trigger.everyMinutes] as const] : [],
    ),
  )('run %s every %i minutes', (id, minutes) => {
    const [logicalId] = functionOf(json, id)!;
    template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: minutes === 1 ? 'rate(1 minute)' : `rate(${minutes} minutes)`,
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [logicalId, 'Arn'] } })],
    });
  });

  // The list gets every event that the stream still has. The bus may give up, and holds up nothing
  // but itself.
  it.each([
    ['appendEvents', -1],
    ['publishEvents', 20],
  ])('follow the table for %s, with %i retries, without waking up for contacts', (id, retries) => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: functionOf(json, id)![0] },
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: retries,
      FilterCriteria: {
        Filters: [
          { Pattern: Match.stringLikeRegexp('MODIFY.*TASK#.*"WEBHOOK"') },
          { Pattern: Match.stringLikeRegexp('INSERT.*"suffix":"#CALLS#3"') },
          { Pattern: Match.stringLikeRegexp('MODIFY.*RECEIVED#') },
          { Pattern: Match.stringLikeRegexp('REMOVE.*META') },
          { Pattern: Match.stringLikeRegexp('REMOVE.*AGENDA#erasure') },
        ],
      },
      DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
    });
  });

  it('leave Amazon Connect out where it is not configured', () => {
    for (const { id, needsConnect } of eventFunctions) {
      expect([id, functionOf(plain.json, id) === undefined]).toEqual([id, needsConnect === true]);
    }
  });

  it('know the Connect instance where they need it, and nowhere else', () => {
    const settings = {
      CONNECT_INSTANCE_ID: everything.connectInstanceId,
      CONNECT_FLOW_ID: everything.connectFlowId,
      CONNECT_SOURCE_NUMBER: everything.connectSourceNumber,
      CONNECT_CONCURRENCY: everything.connectConcurrency,
      CONNECT_NUMBER_PREFIX: everything.connectNumberPrefix,
      CONNECT_MACHINE_DETECTION: 'on',
    };
    for (const { id, needsConnect } of eventFunctions) {
      const { Variables } = functionOf(json, id)![1].Properties.Environment as {
        Variables: Record<string, unknown>;
      };
      const given = Object.entries(Variables).filter(([name]) => name.startsWith('CONNECT_'));
      expect([id, Object.fromEntries(given)]).toEqual([id, needsConnect ? settings : {}]);
    }
  });
});

describe('permissions', () => {
  it('name each action', () => {
    const statements = [...rolePolicies(json).values()].flat();
    const actions = statements.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  });

  it('are what a function declares for table and bucket and nothing more', () => {
    const tableId = resourcesOf(json, 'AWS::DynamoDB::Table')[0]![0];
    const bucketId = resourcesOf(json, 'AWS::S3::Bucket')[0]![0];
    const policies = rolePolicies(json);
    for (const { id, access } of deployedFunctions) {
      const declared = [
        ...(access.table ?? []).flatMap(({ actions, keys, index }) =>
          keys.flatMap((key) => [
            ...(index === 'only' ? [] : actions.map((action) => `dynamodb:${action} ${tableId} ${key}`)),
            ...(index ? [`dynamodb:Query ${tableId}/index/gsi1 ${key}`] : []),
          ]),
        ),
        ...(access.bucket ?? []).flatMap(({ actions, prefix }) =>
          actions.map((action) =>
            action === 'ListBucket'
              ? `s3:ListBucket ${bucketId} ${prefix}*`
              : `s3:${action} ${bucketId}/${prefix}*`,
          ),
        ),
      ];
      const granted = (policies.get(functionOf(json, id)![0]) ?? [])
        .flatMap(({ Action, Resource, Condition }) =>
          [Action].flat().flatMap((action) => {
            const [condition] = Object.values(Condition ?? {});
            const keys = condition === undefined ? [undefined] : Object.values(condition).flat();
            return keys.map((key) => [action, resourceName(Resource), key].filter(Boolean).join(' '));
          }),
        )
        .filter((piece) => /^(dynamodb|s3):/.test(piece) && !/Stream|GetRecords|ShardIterator/.test(piece));
      expect({ id, granted: [...new Set(granted)].sort() }).toEqual({
        id,
        granted: [...new Set(declared)].sort(),
      });
    }
  });
});

describe('identity', () => {
  it('issues tokens to a client with a secret, for the scopes of the routes', () => {
    plain.template.hasResourceProperties('AWS::Cognito::UserPoolResourceServer', {
      Identifier: 'outbound',
      Scopes: ['read', 'write', 'dial'].map((ScopeName) => Match.objectLike({ ScopeName })),
    });
    const programs = resourcesOf(plain.json, 'AWS::Cognito::UserPoolClient')
      .map(([, { Properties }]) => Properties)
      .filter(({ AllowedOAuthFlows }) => [AllowedOAuthFlows].flat().includes('client_credentials'));
    expect(programs.map(({ GenerateSecret }) => GenerateSecret)).toEqual([true, true]);
    const scopesOf = ({ AllowedOAuthScopes }: Record<string, unknown>) =>
      [...JSON.stringify(AllowedOAuthScopes).matchAll(/"\/(\w+)"/g)].map((found) => found[1]);
    expect(programs.map(scopesOf)).toEqual([['dial'], ['read', 'write']]);
    // Cognito charges for each token, and there are many dialers.
    const hoursOf = ({ AccessTokenValidity }: Record<string, unknown>) => Number(AccessTokenValidity) / 60;
    expect(programs.map(hoursOf)).toEqual([12, 1]);
    const environment = functionOf(plain.json, 'authorizeRequest')![1].Properties.Environment;
    expect(JSON.stringify(environment)).toContain('TOKEN_ISSUER');
  });

  it('accepts further clients, and a new one in the place of its own', () => {
    const clientsOf = (from: StackTemplate) =>
      resourcesOf(from, 'AWS::Cognito::UserPoolClient').map(([id]) => id);
    const bridged = synthesized({
      ...production,
      tokenAudiences: 'bridge-1',
      clientGeneration: '2',
      sharedClient: 'keep',
      dialerTokenHours: '2',
    });
    const [, { Properties }] = resourcesOf(bridged.json, 'AWS::Cognito::UserPoolClient')[0]!;
    expect(Properties.AccessTokenValidity).toBe(120);
    const { Environment } = functionOf(bridged.json, 'authorizeRequest')![1].Properties;
    expect(JSON.stringify(Environment)).toContain(',bridge-1');
    for (const id of clientsOf(bridged.json)) expect(JSON.stringify(Environment)).toContain(id);
    const [dialer, integration] = clientsOf(plain.json);
    expect(clientsOf(bridged.json)).not.toContain(dialer);
    expect(clientsOf(bridged.json)).not.toContain(integration);
  });

  it('gives each program that the stage names a client of its own, and locks one out that it names no more', () => {
    const stages = {
      before: { crm: ['outbound/dial', 'outbound/read'], trunk: ['outbound/dial'] },
      after: { trunk: ['outbound/dial'] },
    };
    const [before, after] = Object.values(stages).map((clients) => {
      const { json: made } = synthesized({ ...production, clients });
      const audiences = JSON.stringify(functionOf(made, 'authorizeRequest')![1].Properties.Environment);
      const programs = resourcesOf(made, 'AWS::Cognito::UserPoolClient');
      const ids = programs.map(([id]) => id);
      expect(ids.filter((id) => !audiences.includes(id))).toEqual([]);
      const hours = programs.map(([, { Properties }]) => Number(Properties.AccessTokenValidity) / 60);
      return {
        ids,
        audiences,
        hours,
        outputs: Object.keys(made.Outputs).filter((name) => /ClientId$/.test(name)),
      };
    });
    // Only what can do nothing but dial keeps its token for long.
    expect(before!.hours).toEqual([1, 12, 1]);
    expect(before!.outputs).toEqual(['CrmClientId', 'TrunkClientId', 'ConsoleClientId']);
    expect(after!.outputs).toEqual(['TrunkClientId', 'ConsoleClientId']);
    const gone = before!.ids.filter((id) => !after!.ids.includes(id));
    expect(gone).toEqual([expect.stringContaining('CrmClient')]);
    expect(after!.audiences).not.toContain(gone[0]);
  });

  it('keeps the clients of 0.4, and so their secrets', () => {
    expect(resourcesOf(plain.json, 'AWS::Cognito::UserPoolClient').map(([id]) => id)).toEqual([
      'IdentityUserPoolDialerClient31501151',
      'IdentityUserPoolIntegrationClient37FF799B',
      'IdentityUserPoolConsoleClient333099BF',
    ]);
  });

  it('keeps the one client of 0.2 where callers still use it', () => {
    const kept = synthesized({ ...production, sharedClient: 'keep' });
    const id = 'IdentityUserPoolClient486F4CC5';
    expect(kept.json.Resources[id]?.Type).toBe('AWS::Cognito::UserPoolClient');
    expect(kept.json.Outputs.ClientId).toEqual({ Value: { Ref: id } });
    const { Environment } = functionOf(kept.json, 'authorizeRequest')![1].Properties;
    expect(JSON.stringify(Environment)).toContain(id);
    expect(plain.json.Resources[id]).toBeUndefined();
  });

  it('is left to another issuer where one is configured', () => {
    const other = synthesized({ tokenIssuer: 'https://login.example.com', tokenAudiences: 'api://outbound' });
    expect(resourcesOf(other.json, 'AWS::Cognito::UserPool')).toEqual([]);
    expect(functionOf(other.json, 'authorizeRequest', 'dev')![1].Properties.Environment).toMatchObject({
      Variables: { TOKEN_ISSUER: 'https://login.example.com', TOKEN_AUDIENCES: 'api://outbound' },
    });
  });
});
