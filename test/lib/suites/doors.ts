import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { classOf } from '../../../lib/deployed-functions.ts';
import { bearerPattern } from '../../../lib/gateway/definition.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { apiBodyOf, everything, functionOf, only, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, type StackTemplate, synthesized } from '../../support/aws/synthesized-stack.ts';

const { template, json } = synthesized(everything);
const plain = synthesized(production);

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

  it('stands behind the web ACL of the settings, before the domain leads to it', () => {
    template.hasResourceProperties('AWS::WAFv2::WebACLAssociation', { WebACLArn: everything.webAclArn });
    const [[protection]] = resourcesOf(json, 'AWS::WAFv2::WebACLAssociation') as [[string, unknown]];
    expect(only(json, 'AWS::ApiGateway::BasePathMapping').DependsOn).toEqual([protection]);
    expect(resourcesOf(plain.json, 'AWS::WAFv2::WebACLAssociation')).toEqual([]);
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

  it('leave functions for the others where a number is set', () => {
    const reserved = (id: string) => functionOf(json, id)![1].Properties.ReservedConcurrentExecutions;
    expect(['batchExport', 'importFile', 'batchImport', 'leaseCalls'].map(reserved)).toEqual([
      20,
      30,
      30,
      undefined,
    ]);
  });

  it('keep readers from taking the functions of dialers, but reserve nothing in a dev stage', () => {
    const reserved = (from: StackTemplate) =>
      resourcesOf(from, 'AWS::Lambda::Function')
        .map(([id, { Properties }]) => [id, Properties.ReservedConcurrentExecutions] as const)
        .filter(([, value]) => value !== undefined);
    const exporting = allRoutes.filter((route) => classOf(route) === 'export');
    expect(reserved(plain.json)).toEqual(
      expect.arrayContaining(exporting.map(({ id }) => [functionOf(plain.json, id)![0], 5])),
    );
    expect(reserved(plain.json)).toHaveLength(exporting.length);
    expect(reserved(synthesized({ stage: 'dev' }).json)).toEqual([]);
  });
});
