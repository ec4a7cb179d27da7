import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { reservedConcurrency } from '../../../lib/concurrency.ts';
import { classOf } from '../../../lib/deployed-functions.ts';
import { bearerPattern } from '../../../lib/gateway/definition.ts';
import { functionName } from '../../../lib/service-function.ts';
import { settingsFrom } from '../../../lib/settings/settings.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { apiBodyOf, everything, only, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, type StackTemplate, synthesized } from '../../support/aws/synthesized-stack.ts';

const { template, json } = synthesized(everything);
const plain = synthesized(production);
const guarded = synthesized({ ...production, waf: 'true', requestsPerAddress: '50000' });

type MethodSetting = {
  HttpMethod: string;
  ResourcePath: string;
  ThrottlingRateLimit: number;
  ThrottlingBurstLimit: number;
  LoggingLevel?: string;
  DataTraceEnabled: boolean;
};

describe('the API', () => {
  it('takes uploads as bytes, compresses answers of 1 KB, traces and logs', () => {
    expect(apiBodyOf(json)['x-amazon-apigateway-binary-media-types']).toEqual(['multipart/form-data']);
    expect(apiBodyOf(json)['x-amazon-apigateway-minimum-compression-size']).toBe(1024);
    template.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Parameters: { endpointConfigurationTypes: 'REGIONAL' },
    });
    template.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'prod',
      TracingEnabled: true,
      AccessLogSetting: { DestinationArn: Match.anyValue(), Format: Match.stringLikeRegexp('requestId') },
    });
  });

  it('says in its access log who asked, and from where', () => {
    const { Format } = only(json, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting as { Format: string };
    expect(JSON.parse(Format)).toMatchObject({
      client: '$context.authorizer.principalId',
      caller: '$context.authorizer.caller',
      source: '$context.identity.sourceIp',
      // Who still uses the address of API Gateway beside that of the domain.
      domain: '$context.domainName',
    });
  });

  it.each(['Bearer a.b.c', 'bearer  a.b.c ', 'BEARER eyJh.eyJz.S-g_'])(
    'passes %j on to the authorizer',
    (header) => expect(header).toMatch(new RegExp(bearerPattern)),
  );
  it.each([
    '',
    'Bearer',
    'Basic abc',
    'Bearer a b',
    'a.b.c',
    'Bearer x',
    'Bearer a.b',
    'Bearer a.b.c.d',
    'Bearer a..c',
  ])('refuses %j before the authorizer', (header) => expect(header).not.toMatch(new RegExp(bearerPattern)));

  it('has no second door beside a domain of its own', () => {
    const isClosed = (from: StackTemplate) =>
      apiBodyOf(from)['x-amazon-apigateway-endpoint-configuration'].disableExecuteApiEndpoint;
    expect([json, plain.json].map(isClosed)).toEqual([true, false]);
    expect(json.Outputs.ApiUrl).toEqual({ Value: 'https://api.example.com' });
    expect(plain.json.Outputs.ApiUrl).toMatchObject({
      Description: expect.stringContaining('changes this address'),
    });
  });

  it('stays open at its first address beside a new domain, until the setting goes', () => {
    const { domainName, certificateArn } = everything;
    const moving = { ...production, domainName, certificateArn, keepGatewayAddress: 'true' };
    const { json: both } = synthesized(moving);
    expect(apiBodyOf(both)['x-amazon-apigateway-endpoint-configuration']).toEqual({
      disableExecuteApiEndpoint: false,
    });
    expect(both.Outputs.ApiUrl).toEqual({ Value: 'https://api.example.com' });
    expect(only(both, 'AWS::ApiGateway::BasePathMapping')).toBeDefined();
  });

  it('stands behind the web ACL of the settings, or one of its own, before the domain leads to it', () => {
    template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', { WebACLArn: everything.webAclArn });
    expect(resourcesOf(json, 'AWS::WAFv2::WebACL')).toEqual([]);
    const [[acl]] = resourcesOf(guarded.json, 'AWS::WAFv2::WebACL') as [[string, unknown]];
    guarded.template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      WebACLArn: { 'Fn::GetAtt': [acl, 'Arn'] },
    });
    const [[protection]] = resourcesOf(json, 'AWS::WAFv2::WebACLAssociation') as [[string, unknown]];
    expect(only(json, 'AWS::ApiGateway::BasePathMapping').DependsOn).toEqual([protection]);
    expect(resourcesOf(plain.json, 'AWS::WAFv2::WebACLAssociation')).toEqual([]);
  });
});

describe('a web ACL of its own', () => {
  type Rule = {
    Name: string;
    Priority: number;
    Action?: object;
    Statement: {
      RateBasedStatement?: { Limit: number; EvaluationWindowSec: number };
      ManagedRuleGroupStatement?: { VendorName: string; RuleActionOverrides: { Name: string }[] };
    };
  };
  const { Rules, DefaultAction, Scope } = only(guarded.json, 'AWS::WAFv2::WebACL').Properties as {
    Rules: Rule[];
    DefaultAction: object;
    Scope: string;
  };

  it('limits the requests of each address, and has the rules that AWS keeps up to date', () => {
    expect([Scope, DefaultAction]).toEqual(['REGIONAL', { Allow: {} }]);
    expect(new Set(Rules.map(({ Priority }) => Priority)).size).toBe(Rules.length);
    const [rate, ...managed] = Rules;
    expect(rate).toMatchObject({
      Action: { Block: {} },
      Statement: {
        RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 50_000 },
      },
    });
    expect(managed.map(({ Statement }) => Statement.ManagedRuleGroupStatement?.VendorName)).toEqual([
      'AWS',
      'AWS',
      'AWS',
    ]);
  });

  it('judges no body, which holds contacts and files', () => {
    const common = Rules.find(({ Name }) => Name === 'AWSManagedRulesCommonRuleSet')!;
    const counted = common.Statement.ManagedRuleGroupStatement!.RuleActionOverrides.map(({ Name }) => Name);
    // Those of the group that look at bodies, as AWS lists them.
    for (const kind of [
      'SizeRestrictions',
      'CrossSiteScripting',
      'EC2MetaDataSSRF',
      'GenericLFI',
      'GenericRFI',
    ])
      expect(counted).toContain(`${kind}_BODY`);
  });

  it('refuses in its own words, not for the scope of the token', () => {
    const { WAF_FILTERED, ACCESS_DENIED } = apiBodyOf(json)['x-amazon-apigateway-gateway-responses'];
    const body = WAF_FILTERED!.responseTemplates['application/json']!;
    expect(JSON.parse(body)).toMatchObject({ code: 403, message: expect.stringContaining('firewall') });
    expect(body).not.toContain('scope');
    expect(WAF_FILTERED!.responseParameters['gatewayresponse.header.x-error-code']).toBe(
      "'FIREWALL_REFUSED'",
    );
    expect(ACCESS_DENIED!.responseTemplates['application/json']).toContain('scope');
  });
});

describe('throttles', () => {
  const settings = only(json, 'AWS::ApiGateway::Stage').Properties.MethodSettings as MethodSetting[];
  const settingOf = (path: string, method: string) =>
    settings.find(
      ({ ResourcePath, HttpMethod }) =>
        ResourcePath === `/${path.replaceAll('/', '~1')}` && HttpMethod === method,
    );

  it('are apart for dialers, imports and exports, each with its log', () => {
    const expected = { dial: [1000, 2000], import: [5, 10], export: [2, 5], general: undefined };
    for (const route of allRoutes) {
      const own = settingOf(route.path, route.method);
      const limits = own && [own.ThrottlingRateLimit, own.ThrottlingBurstLimit];
      expect([route.id, limits]).toEqual([route.id, expected[classOf(route)]]);
      if (own !== undefined) expect(own).toMatchObject({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
    }
    expect(settings.find(({ HttpMethod }) => HttpMethod === '*')).toMatchObject({
      ThrottlingRateLimit: 200,
      ThrottlingBurstLimit: 400,
      DataTraceEnabled: false,
    });
  });

  it('put every route that moves a file apart from the rest', () => {
    const idsOf = (name: string) => allRoutes.filter((route) => classOf(route) === name).map(({ id }) => id);
    expect(idsOf('export')).toEqual(expect.arrayContaining(['exportTask', 'batchExport']));
    expect(idsOf('import')).toEqual(expect.arrayContaining(['batchImport', 'importUpload']));
    expect(idsOf('dial')).toEqual(expect.arrayContaining(['leaseCalls', 'reportResult', 'failTask']));
  });

  const reservedIn = (from: StackTemplate) => {
    const entries = resourcesOf(from, 'AWS::Lambda::Function').flatMap(([, { Properties }]) =>
      Properties.ReservedConcurrentExecutions === undefined
        ? []
        : [[Properties.FunctionName, Properties.ReservedConcurrentExecutions] as const],
    );
    return Object.fromEntries(entries) as Record<string, number>;
  };
  const namesOf = (of: string) =>
    allRoutes.filter((route) => classOf(route) === of).map(({ id }) => functionName('prod', id));
  const each = (names: readonly string[], count: number) =>
    Object.fromEntries(names.map((name) => [name, count]));

  it('keep as many functions for each class as the settings say', () => {
    expect(reservedIn(json)).toEqual({
      ...each([...namesOf('dial'), 'outbound-prod-authorize-request', 'outbound-prod-connect-results'], 60),
      ...each([...namesOf('import'), 'outbound-prod-import-file'], 30),
      ...each(namesOf('export'), 20),
    });
  });

  it('keep functions for dialers by default, and readers from taking them, but nothing in a dev stage', () => {
    const dialing = [...namesOf('dial'), 'outbound-prod-authorize-request'];
    expect(reservedIn(plain.json)).toEqual({ ...each(dialing, 50), ...each(namesOf('export'), 5) });
    expect(reservedIn(synthesized({ stage: 'dev' }).json)).toEqual({});
  });

  it.each<[string, Record<string, string>, Record<string, number>]>([
    ['of a new account nothing', { accountConcurrency: '10' }, {}],
    ['of a small account those of exports', { accountConcurrency: '300' }, { export: 5 }],
    [
      'as many as the throttle of dialers needs',
      { accountConcurrency: '5000', dialRequestsPerSecond: '8000' },
      { dial: 400, export: 5 },
    ],
    [
      'none for dialers where the account has no room for so many',
      { dialRequestsPerSecond: '8000' },
      { export: 5 },
    ],
    ['none where the file says so', { dialConcurrency: 'none', exportConcurrency: 'none' }, {}],
  ])('keep %s', (_, flags, expected) => {
    expect(reservedConcurrency(settingsFrom({ ...production, ...flags }))).toEqual(expected);
  });

  it('do not want more than the account has', () => {
    const wanted = { ...production, accountConcurrency: '500', dialConcurrency: '60' };
    expect(() => reservedConcurrency(settingsFrom(wanted))).toThrow(
      'stages/prod.json: accountConcurrency: leaves 400 to reserve, and the functions of the stage reserve 480',
    );
  });
});
