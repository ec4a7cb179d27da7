import { describe, expect, it } from 'vitest';
import { permissionsHash } from '../../../lib/gateway/api.ts';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import { scopesOfGroups } from '../../../shared/api/people.ts';
import { statusOfWord } from '../../../shared/api/status.ts';
import type { ErrorWord } from '../../../shared/domain/errors.ts';
import { resourceName } from '../../support/aws/iam.ts';
import { everything, functionOf, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, type StackTemplate, synthesized } from '../../support/aws/synthesized-stack.ts';

const { json } = synthesized(everything);
const plain = synthesized(production);

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
  IntegrationResponses?: {
    StatusCode: string;
    SelectionPattern?: string;
    ResponseTemplates: Record<string, string>;
    ResponseParameters: Record<string, string>;
  }[];
  Credentials?: unknown;
  RequestTemplates: Record<string, string>;
};

const [invoker = ''] = resourcesOf(json, 'AWS::IAM::Role')
  .map(([id]) => id)
  .filter((id) => id.startsWith('ApiInvoker'));

describe('the authorizer', () => {
  const routes = [{ method: 'GET', path: '/api/task/list', scope: 'outbound/read' }] as const;
  const groups = { viewers: ['outbound/read'] };

  it('is another one where routes, scopes or groups change, so that no cached answer hides a route', () => {
    const before = permissionsHash(routes, groups);
    const more = [...routes, { ...routes[0], path: '/api/task/new' } as const];
    expect(permissionsHash([...more].reverse(), groups)).toBe(permissionsHash(more, groups));
    const others = [
      permissionsHash(more, groups),
      permissionsHash([{ ...routes[0], scope: 'outbound/write' }], groups),
      permissionsHash(routes, { viewers: [] }),
    ];
    expect(new Set([before, ...others]).size).toBe(4);
    const [id] = resourcesOf(json, 'AWS::ApiGateway::Authorizer')[0]!;
    expect(id).toContain(`Authorizer${permissionsHash(allRoutes, scopesOfGroups)}`);
  });
});

describe('every route', () => {
  it.each(allRoutes.map((route) => [route.id, route] as const))(
    '%s has method, authorizer and function',
    (id, route) => {
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

  it('is called by API Gateway with a role that may call these functions and do nothing else', () => {
    const called = [...allRoutes.map(({ id }) => id), 'consolePage'].map((id) => functionOf(json, id)![0]);
    for (const { method, path } of allRoutes) {
      const { Credentials } = methodsAt(json, path)[method]!.Integration as Integration;
      expect(Credentials).toEqual({ 'Fn::GetAtt': [invoker, 'Arn'] });
    }
    const { AssumeRolePolicyDocument, Policies } = json.Resources[invoker]!.Properties;
    expect(JSON.stringify(AssumeRolePolicyDocument)).toContain('"Service":"apigateway.amazonaws.com"');
    const [{ PolicyDocument }, ...others] = Policies as [{ PolicyDocument: { Statement: unknown } }];
    expect(others).toEqual([]);
    expect(PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: called.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })),
      },
    ]);
    const permitted = resourcesOf(json, 'AWS::Lambda::Permission').map(([, { Properties }]) =>
      resourceName(Properties.FunctionName),
    );
    expect(permitted.filter((id) => called.includes(id))).toEqual([]);
  });

  it('refuses other methods with 405 in the envelope, without a token', () => {
    for (const { path } of allRoutes) {
      const { AuthorizationType, Integration } = methodsAt(json, path).ANY ?? {};
      expect(AuthorizationType).toBe('NONE');
      const { Type, IntegrationResponses } = Integration as Integration;
      expect(Type).toBe('MOCK');
      const { StatusCode, ResponseTemplates, ResponseParameters } = IntegrationResponses![0]!;
      expect(StatusCode).toBe('405');
      expect(ResponseParameters['method.response.header.x-error-code']).toBe("'METHOD_NOT_ALLOWED'");
      expect(JSON.parse(ResponseTemplates['application/json']!)).toMatchObject({ code: 405, data: null });
    }
  });

  it('answers preflight requests where an origin is configured, and only there', () => {
    for (const { path, method } of allRoutes) {
      const { RequestTemplates, IntegrationResponses } = methodsAt(json, path).ANY!
        .Integration as Integration;
      expect(RequestTemplates['application/json']).toBe(
        '#if($context.httpMethod == "OPTIONS"){"statusCode": 204}#else{"statusCode": 405}#end',
      );
      const preflight = IntegrationResponses!.find(({ SelectionPattern }) => SelectionPattern === '204');
      expect(preflight?.StatusCode).toBe('204');
      expect(JSON.stringify(preflight)).toContain("'https://console.example.com'");
      expect(JSON.stringify(preflight)).toContain(`'${method}'`);
      const other = methodsAt(plain.json, path).ANY!.Integration as Integration;
      expect(other.IntegrationResponses).toHaveLength(1);
      expect(other.RequestTemplates['application/json']).toBe('{"statusCode": 405}');
    }
    expect(JSON.stringify(plain.json)).not.toContain('Access-Control-Allow-Origin');
  });
});

describe('every other path', () => {
  it('is 404 in the envelope', () => {
    const { Integration } = methodsAt(json, '/{proxy+}').ANY ?? {};
    const { StatusCode, ResponseTemplates, ResponseParameters } = (Integration as Integration)
      .IntegrationResponses![0]!;
    expect(StatusCode).toBe('404');
    expect(ResponseParameters['method.response.header.x-error-code']).toBe("'PATH_NOT_FOUND'");
    expect(JSON.parse(ResponseTemplates['application/json']!)).toMatchObject({ code: 404, data: null });
  });

  it.each(['/api', '/api/task', '/api/task/{id}', '/api/dataSource/{id}/contact'])(
    '%s only leads to others: API Gateway itself answers 404 in the envelope',
    (path) => {
      expect(pathsOf(json).has(path)).toBe(true);
      expect(methodsAt(json, path)).toEqual({});
      const { StatusCode, ResponseTemplates, ResponseParameters } = resourcesOf(
        json,
        'AWS::ApiGateway::GatewayResponse',
      )
        .map(([, { Properties }]) => Properties)
        .find(({ ResponseType }) => ResponseType === 'MISSING_AUTHENTICATION_TOKEN') as {
        StatusCode: string;
        ResponseTemplates: Record<string, string>;
        ResponseParameters: Record<string, string>;
      };
      expect(StatusCode).toBe('404');
      expect(ResponseParameters['gatewayresponse.header.x-error-code']).toBe("'PATH_NOT_FOUND'");
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
        'gatewayresponse.header.strict-transport-security': "'max-age=63072000'",
        'gatewayresponse.header.Content-Type': "'application/json; charset=utf-8'",
        'gatewayresponse.header.Access-Control-Allow-Origin': "'https://console.example.com'",
        'gatewayresponse.header.Access-Control-Expose-Headers':
          expect.stringMatching(/x-error-code.*retry-after/),
      });
      const word = ResponseParameters['gatewayresponse.header.x-error-code']?.slice(1, -1) as ErrorWord;
      expect([type, String(statusOfWord(word))]).toEqual([type, StatusCode]);
      const retryAfter = ResponseParameters['gatewayresponse.header.retry-after'];
      expect([type, retryAfter]).toEqual([type, StatusCode === '429' ? "'1'" : undefined]);
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
