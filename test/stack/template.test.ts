import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { bearerForm } from '../../lib/api.ts';
import { deployedFunctions } from '../../lib/deployed-functions.ts';
import { functionName } from '../../lib/service-function.ts';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { eventFunctions } from '../../shared/api/event-functions.ts';
import type { Route } from '../../shared/api/route.ts';
import { resourceName, rolePolicies } from '../support/iam.ts';
import { type Resource, resourcesOf, type StackTemplate, synthesized } from '../support/synthesized-stack.ts';

const everything = {
  stage: 'prod',
  alarmEmail: 'operators@example.com',
  corsOrigin: 'https://console.example.com',
  connectInstanceId: 'c0ffee00-1111-2222-3333-444455556666',
  connectFlowId: 'f10wf10w-1111-2222-3333-444455556666',
  connectSourceNumber: '+15550100',
  connectConcurrency: '25',
  connectNumberPrefix: '+86',
};
const { template, json } = synthesized(everything);
const plain = synthesized({ stage: 'prod' });
const dev = synthesized({ stage: 'dev' });

const only = (from: StackTemplate, type: string): Resource => {
  const found = resourcesOf(from, type);
  expect(found.map(([id]) => id)).toHaveLength(1);
  return found[0]![1];
};

const functionOf = (from: StackTemplate, id: string, stage = 'prod') =>
  resourcesOf(from, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === functionName(stage, id),
  );

/** Each path of the API with its logical id, from the tree of resources. */
const pathsOf = (from: StackTemplate): Map<string, string> => {
  const resources = new Map(resourcesOf(from, 'AWS::ApiGateway::Resource'));
  const pathOf = (id: string): string => {
    const { ParentId, PathPart } = resources.get(id)?.Properties ?? {};
    const parent = (ParentId as { Ref?: string }).Ref;
    return `${parent === undefined ? '' : pathOf(parent)}/${PathPart}`;
  };
  return new Map([...resources.keys()].map((id) => [pathOf(id), id]));
};

const methodsAt = (from: StackTemplate, path: string): Record<string, Record<string, unknown>> => {
  const resource = pathsOf(from).get(path);
  const methods = resourcesOf(from, 'AWS::ApiGateway::Method').filter(
    ([, { Properties }]) => (Properties.ResourceId as { Ref?: string }).Ref === resource,
  );
  return Object.fromEntries(methods.map(([, { Properties }]) => [Properties.HttpMethod, Properties]));
};

type Integration = {
  Uri: unknown;
  Type: string;
  ResponseTransferMode?: string;
  TimeoutInMillis?: number;
  IntegrationResponses?: { StatusCode: string; ResponseTemplates: Record<string, string> }[];
};

describe('every route', () => {
  it.each(allRoutes.map((route) => [route.id, route] as const))(
    '%s has method, authorizer and function',
    (id, route: Route) => {
      const method = methodsAt(json, route.path)[route.method];
      const [logicalId, deployed] = functionOf(json, id)!;
      const integration = method?.Integration as Integration;
      const streamed = 'file' in route.response;
      expect(method).toMatchObject({ AuthorizationType: 'CUSTOM' });
      expect(method?.AuthorizerId).toEqual({ Ref: resourcesOf(json, 'AWS::ApiGateway::Authorizer')[0]![0] });
      expect(integration.Type).toBe('AWS_PROXY');
      expect(JSON.stringify(integration.Uri)).toContain(logicalId);
      expect(JSON.stringify(integration.Uri)).toContain(
        streamed ? '/response-streaming-invocations' : '/invocations',
      );
      expect(integration.ResponseTransferMode).toBe(streamed ? 'STREAM' : undefined);
      expect(integration.TimeoutInMillis).toBe(route.timeout * 1000);
      expect(deployed.Properties).toMatchObject({ MemorySize: route.memory, Timeout: route.timeout });
    },
  );

  it('may be called by API Gateway through its own method only', () => {
    const permissions = resourcesOf(json, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
    for (const { id, method, path } of allRoutes) {
      const [logicalId] = functionOf(json, id)!;
      const own = permissions.filter(({ FunctionName }) => resourceName(FunctionName) === logicalId);
      expect(own).toHaveLength(1);
      expect(own[0]).toMatchObject({
        Action: 'lambda:InvokeFunction',
        Principal: 'apigateway.amazonaws.com',
      });
      expect(JSON.stringify(own[0]?.SourceArn)).toContain(`/${method}${path.replace(/\{\w+\}/g, '*')}`);
    }
  });

  it('refuses other methods with 405 in the envelope, without a token', () => {
    for (const { path } of allRoutes) {
      const { AuthorizationType, Integration } = methodsAt(json, path).ANY ?? {};
      expect(AuthorizationType).toBe('NONE');
      const { Type, IntegrationResponses } = Integration as Integration;
      expect(Type).toBe('MOCK');
      const { StatusCode, ResponseTemplates } = IntegrationResponses![0]!;
      expect(StatusCode).toBe('405');
      expect(JSON.parse(ResponseTemplates['application/json']!)).toMatchObject({ code: 405, data: null });
    }
  });

  it('answers preflight requests where an origin is configured, and only there', () => {
    for (const { path, method } of allRoutes) {
      const preflight = JSON.stringify(methodsAt(json, path).OPTIONS);
      expect(preflight).toContain("'https://console.example.com'");
      expect(preflight).toContain(`'${method}'`);
      expect(methodsAt(plain.json, path).OPTIONS).toBeUndefined();
    }
    expect(JSON.stringify(plain.json)).not.toContain('Access-Control-Allow-Origin');
  });
});

describe('every other path', () => {
  it.each(['/{proxy+}', '/api', '/api/task', '/api/task/{id}', '/api/dataSource/{id}/contact'])(
    '%s is 404 in the envelope',
    (path) => {
      const { Integration } = methodsAt(json, path).ANY ?? {};
      const { StatusCode, ResponseTemplates } = (Integration as Integration).IntegrationResponses![0]!;
      expect(StatusCode).toBe('404');
      expect(JSON.parse(ResponseTemplates['application/json']!)).toMatchObject({ code: 404, data: null });
    },
  );
});

describe('answers of API Gateway itself', () => {
  const responses = new Map(
    resourcesOf(json, 'AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => [
      Properties.ResponseType as string,
      Properties as {
        StatusCode: string;
        ResponseTemplates: Record<string, string>;
        ResponseParameters: Record<string, string>;
      },
    ]),
  );

  it('carry status and code alike, a request id and our media type', () => {
    for (const [type, { StatusCode, ResponseTemplates, ResponseParameters }] of responses) {
      const envelope = JSON.parse(ResponseTemplates['application/json']!) as Record<string, unknown>;
      expect([type, Object.keys(envelope)]).toEqual([type, ['code', 'message', 'data']]);
      expect([type, String(envelope.code)]).toEqual([type, StatusCode]);
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.x-request-id': 'context.requestId',
        'gatewayresponse.header.Content-Type': "'application/json; charset=utf-8'",
        'gatewayresponse.header.Access-Control-Allow-Origin': "'https://console.example.com'",
      });
    }
  });

  it.each([
    ['UNAUTHORIZED', '401'],
    ['ACCESS_DENIED', '403'],
    ['MISSING_AUTHENTICATION_TOKEN', '404'],
    ['REQUEST_TOO_LARGE', '413'],
    ['THROTTLED', '429'],
    ['DEFAULT_4XX', '400'],
    ['DEFAULT_5XX', '500'],
  ])('%s is %s', (type, status) => {
    expect(responses.get(type)?.StatusCode).toBe(status);
  });

  it('ask for a bearer token with a 401 and point large files to the upload road', () => {
    expect(responses.get('UNAUTHORIZED')?.ResponseParameters['gatewayresponse.header.WWW-Authenticate']).toBe(
      "'Bearer'",
    );
    expect(responses.get('REQUEST_TOO_LARGE')?.ResponseTemplates['application/json']).toContain(
      'importUpload',
    );
  });
});

describe('the API', () => {
  it('takes uploads as bytes, throttles, traces and logs', () => {
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      BinaryMediaTypes: ['multipart/form-data'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    template.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'prod',
      TracingEnabled: true,
      AccessLogSetting: { DestinationArn: Match.anyValue(), Format: Match.stringLikeRegexp('requestId') },
      MethodSettings: [
        Match.objectLike({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400, DataTraceEnabled: false }),
      ],
    });
  });

  it.each(['Bearer a.b.c', 'bearer  a.b.c ', 'BEARER x'])('passes %j on to the authorizer', (header) => {
    expect(header).toMatch(new RegExp(bearerForm));
  });
  it.each(['', 'Bearer', 'Basic abc', 'Bearer a b', 'a.b.c'])(
    'refuses %j before the authorizer',
    (header) => {
      expect(header).not.toMatch(new RegExp(bearerForm));
    },
  );
});

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
        GlobalSecondaryIndexes: [Match.objectLike({ IndexName: 'gsi1' })],
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
            Match.objectLike({ AllowedMethods: ['PUT'], AllowedOrigins: ['https://console.example.com'] }),
          ],
        },
        LifecycleConfiguration: {
          Rules: [
            Match.objectLike({ Prefix: 'imports/', ExpirationInDays: 30, Status: 'Enabled' }),
            Match.objectLike({ Prefix: 'uploads/', ExpirationInDays: 30, Status: 'Enabled' }),
            Match.objectLike({ Prefix: 'exports/', ExpirationInDays: 1, Status: 'Enabled' }),
            Match.objectLike({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
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
        TracingConfig: { Mode: 'Active' },
      });
      expect(logGroup?.Properties).toMatchObject({
        LogGroupName: `/aws/lambda/${functionName('prod', id)}`,
        RetentionInDays: 90,
      });
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

  it('follow the table for events, without waking up for contacts', () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: functionOf(json, 'publishEvents')![0] },
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FilterCriteria: { Filters: [{ Pattern: Match.stringLikeRegexp('TASK#') }] },
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
        ...access.table.flatMap(({ actions, keys, index }) =>
          keys.flatMap((key) => [
            ...actions.map((action) => `dynamodb:${action} ${tableId} ${key}`),
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
    template.hasResourceProperties('AWS::Cognito::UserPoolResourceServer', {
      Identifier: 'outbound',
      Scopes: ['read', 'write', 'dial'].map((ScopeName) => Match.objectLike({ ScopeName })),
    });
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      AllowedOAuthFlows: ['client_credentials'],
      GenerateSecret: true,
    });
    const environment = functionOf(json, 'authorizeRequest')![1].Properties.Environment;
    expect(JSON.stringify(environment)).toContain('TOKEN_ISSUER');
  });

  it('accepts further clients, and a new one in the place of its own', () => {
    const clientsOf = (from: StackTemplate) =>
      resourcesOf(from, 'AWS::Cognito::UserPoolClient').map(([id]) => id);
    const bridged = synthesized({ stage: 'prod', tokenAudiences: 'bridge-1', clientGeneration: '2' });
    const { Environment } = functionOf(bridged.json, 'authorizeRequest')![1].Properties;
    expect(JSON.stringify(Environment)).toContain(',bridge-1');
    expect(JSON.stringify(Environment)).toContain(clientsOf(bridged.json)[0]);
    expect(clientsOf(bridged.json)).not.toEqual(clientsOf(plain.json));
  });

  it('is left to another issuer where one is configured', () => {
    const other = synthesized({ tokenIssuer: 'https://login.example.com', tokenAudiences: 'api://outbound' });
    expect(resourcesOf(other.json, 'AWS::Cognito::UserPool')).toEqual([]);
    expect(functionOf(other.json, 'authorizeRequest', 'dev')![1].Properties.Environment).toMatchObject({
      Variables: { TOKEN_ISSUER: 'https://login.example.com', TOKEN_AUDIENCES: 'api://outbound' },
    });
  });
});

describe('operations', () => {
  it('tell people of every alarm through one topic', () => {
    const [topic] = resourcesOf(json, 'AWS::SNS::Topic')[0]!;
    const alarms = resourcesOf(json, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    for (const { AlarmActions } of alarms) expect(AlarmActions).toEqual([{ Ref: topic }]);
    expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual(
      expect.arrayContaining(
        ['server-errors', 'latency', 'dead-letters', 'table-throttled'].map(
          (name) => `outbound-prod-${name}`,
        ),
      ),
    );
    template.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'operators@example.com',
    });
  });

  it('print what a client and an operator need', () => {
    expect(Object.keys(json.Outputs)).toEqual(
      expect.arrayContaining(['ApiUrl', 'TokenUrl', 'ClientId', 'UserPoolId', 'BucketName', 'DashboardUrl']),
    );
  });

  it('keep logical ids whatever the stage, so that a change shows as what it is', () => {
    const ids = (from: StackTemplate) =>
      resourcesOf(from, 'AWS::Lambda::Function')
        .map(([id]) => id)
        .filter((id) => !/^Custom/.test(id));
    expect(ids(dev.json)).toEqual(ids(plain.json));
  });
});
