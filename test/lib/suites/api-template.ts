import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { bearerPattern, permissionsHash } from '../../../lib/gateway/definition.ts';
import { functionName } from '../../../lib/service-function.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { consolePage, refuseMethod } from '../../../shared/app/gateway-functions.ts';
import { statusOfWord } from '../../../shared/platform/api/answers.ts';
import { scopesOfGroups } from '../../../shared/platform/api/route.ts';
import type { ErrorWord } from '../../../shared/platform/rules/errors.ts';
import { resourceName } from '../../support/aws/iam.ts';
import { apiBodyOf, everything, functionOf, production } from '../../support/aws/stack-parts.ts';
import { dependenciesOf, resourcesOf, synthesized } from '../../support/aws/synthesized-stack.ts';

const { json } = synthesized(everything);
const plain = synthesized(production);
const body = apiBodyOf(json);
const [[definition]] = resourcesOf(json, 'AWS::ApiGateway::RestApi') as [[string, unknown]];

const anyMethod = 'x-amazon-apigateway-any-method';
const [scheme = ''] = Object.keys(body.components.securitySchemes);
const console = consolePage.paths as readonly string[];
const unknownPaths = ['/', '/{proxy+}'];

const uriOf = (id: string, call = '2015-03-31/functions/{}/invocations') => {
  const name = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${functionName('prod', id)}`;
  return {
    'Fn::Sub': `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/${call.replace('{}', name)}`,
  };
};

/** The functions that API Gateway may call with a role, by their names. */
const callableWith = ({ 'Fn::GetAtt': [role] }: { 'Fn::GetAtt': string[] }): string[] => {
  const { AssumeRolePolicyDocument, Policies } = json.Resources[role as string]!.Properties;
  expect(JSON.stringify(AssumeRolePolicyDocument)).toContain('"Service":"apigateway.amazonaws.com"');
  const [{ PolicyDocument }, ...others] = Policies as [
    { PolicyDocument: { Statement: { Action: string; Resource: { 'Fn::Sub': string }[] }[] } },
  ];
  const [{ Action, Resource }, ...further] = PolicyDocument.Statement as [
    { Action: string; Resource: { 'Fn::Sub': string }[] },
  ];
  expect([Action, others, further]).toEqual(['lambda:InvokeFunction', [], []]);
  return Resource.map(({ 'Fn::Sub': arn }) => arn.split(':function:')[1] as string);
};

describe('the definition of the API', () => {
  it('is OpenAPI 3.0, which API Gateway imports', async () => {
    for (const each of [json, plain.json]) {
      const validator = new Validator();
      const { valid, errors } = await validator.validate(structuredClone(apiBodyOf(each)));
      expect([valid, errors, validator.version]).toEqual([true, undefined, '3.0']);
    }
  });

  it('has the routes, the console, and the answer to all other paths', () => {
    const known = [...allRoutes.map(({ path }) => path), ...console, ...unknownPaths];
    expect(Object.keys(body.paths).sort()).toEqual([...new Set(known)].sort());
    for (const [path, operations] of Object.entries(body.paths)) {
      const methods = allRoutes
        .filter((route) => route.path === path)
        .map(({ method }) => method.toLowerCase());
      const expected = console.includes(path) ? ['get'] : methods;
      expect([path, Object.keys(operations)]).toEqual([path, [...expected, anyMethod]]);
    }
  });

  it('declares the parameters of each path', () => {
    for (const [path, operations] of Object.entries(body.paths)) {
      const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
      const declaring = Object.values(operations).filter(() => !unknownPaths.includes(path));
      for (const { parameters = [] } of declaring)
        expect([path, parameters.map(({ name }) => name)]).toEqual([path, names]);
    }
  });

  it('names functions without waiting for them, which themselves wait for its address', () => {
    const needed = [...dependenciesOf(json, definition)];
    expect([...new Set(needed.map((id) => json.Resources[id]!.Type))]).toEqual(['AWS::IAM::Role']);
    expect(needed.flatMap((id) => [...dependenciesOf(json, id)])).toEqual([]);
  });

  it('replaces what was there before, so that a route can be removed', () => {
    expect(json.Resources[definition]!.Properties.Mode).toBe('overwrite');
  });
});

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
    expect(scheme).toBe(`Authorizer${permissionsHash(allRoutes, scopesOfGroups)}`);
  });

  it('is asked for every operation but the console and the constant answers', () => {
    for (const [path, operations] of Object.entries(body.paths))
      for (const [method, { security }] of Object.entries(operations)) {
        const isOpen = console.includes(path) || method === anyMethod;
        expect([path, method, security]).toEqual([path, method, isOpen ? undefined : [{ [scheme]: [] }]]);
      }
    expect(body).not.toHaveProperty('security');
  });

  it('reads the token of a request, and API Gateway keeps its answer for five minutes', () => {
    expect(body.components.securitySchemes).toEqual({
      [scheme]: {
        type: 'apiKey',
        name: 'Authorization',
        in: 'header',
        'x-amazon-apigateway-authtype': 'custom',
        'x-amazon-apigateway-authorizer': {
          type: 'token',
          authorizerUri: uriOf('authorizeRequest'),
          authorizerCredentials: { 'Fn::GetAtt': [expect.stringContaining('ApiInvokeDoors'), 'Arn'] },
          identityValidationExpression: bearerPattern,
          authorizerResultTtlInSeconds: 300,
        },
      },
    });
  });
});

describe('every route', () => {
  it.each(allRoutes.map((route) => [route.id, route] as const))('%s calls its function', (id, route) => {
    const { 'x-amazon-apigateway-integration': integration } =
      body.paths[route.path]![route.method.toLowerCase()]!;
    const streamed = 'file' in route.response;
    expect(integration).toEqual({
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: streamed ? uriOf(id, '2021-11-15/functions/{}/response-streaming-invocations') : uriOf(id),
      credentials: { 'Fn::GetAtt': [expect.stringContaining('ApiInvoke'), 'Arn'] },
      timeoutInMillis: route.timeout * 1000,
      ...(streamed ? { responseTransferMode: 'STREAM' } : {}),
    });
    const [, deployed] = functionOf(json, id)!;
    expect(deployed.Properties).toMatchObject({ MemorySize: route.memory, Timeout: route.timeout });
  });

  it('is called with a role that may call the functions of its chapter and do nothing else', () => {
    for (const { method, path, tag } of allRoutes) {
      const { credentials } = body.paths[path]![method.toLowerCase()]!['x-amazon-apigateway-integration'];
      const ofChapter = allRoutes.filter((route) => route.tag === tag);
      expect(callableWith(credentials as never)).toEqual(ofChapter.map(({ id }) => functionName('prod', id)));
    }
    const { credentials } = body.paths['/console']!.get!['x-amazon-apigateway-integration'];
    const doors = ['authorizeRequest', 'consolePage', 'refuseMethod'];
    expect(callableWith(credentials as never)).toEqual(doors.map((id) => functionName('prod', id)));
  });

  it('may be called by nobody else', () => {
    const called = [...allRoutes.map(({ id }) => id), 'consolePage', 'refuseMethod', 'authorizeRequest'];
    const ids = called.map((id) => functionOf(json, id)![0]);
    const permitted = resourcesOf(json, 'AWS::Lambda::Permission').map(([, { Properties }]) =>
      resourceName(Properties.FunctionName),
    );
    expect(permitted.filter((id) => ids.includes(id))).toEqual([]);
  });

  it('leaves other methods and preflights to one function, without a token', () => {
    for (const path of [...allRoutes.map((route) => route.path), ...console])
      expect(body.paths[path]![anyMethod]!['x-amazon-apigateway-integration']).toMatchObject({
        type: 'aws_proxy',
        uri: uriOf(refuseMethod.id),
      });
  });
});

describe('every other path', () => {
  it.each(unknownPaths)('%s is 404 in the envelope, without a function', (path) => {
    const { responses, 'x-amazon-apigateway-integration': integration } = body.paths[path]![anyMethod]!;
    expect(integration).toMatchObject({ type: 'mock', passthroughBehavior: 'never' });
    const { default: given, ...others } = integration.responses as Record<
      string,
      { statusCode: string; responseTemplates: Record<string, string>; responseParameters: object }
    >;
    expect([given!.statusCode, others]).toEqual(['404', {}]);
    expect(given!.responseParameters).toMatchObject({
      'method.response.header.x-error-code': "'PATH_NOT_FOUND'",
    });
    // API Gateway refuses to map a header that is not declared.
    expect(Object.keys(given!.responseParameters)).toEqual(
      Object.keys(responses['404']!.headers!).map((name) => `method.response.header.${name}`),
    );
    expect(JSON.parse(given!.responseTemplates['application/json']!)).toMatchObject({
      code: 404,
      data: null,
    });
    const templates = Object.values(integration.requestTemplates as Record<string, string>);
    expect([...new Set(templates)]).toEqual(['{"statusCode": 404}']);
  });

  it.each(['/api', '/api/task', '/api/task/{id}', '/api/dataSource/{id}/contact'])(
    '%s only leads to others: API Gateway itself answers 404 in the envelope',
    (path) => {
      expect(Object.keys(body.paths).some((known) => known.startsWith(`${path}/`))).toBe(true);
      expect(body.paths[path]).toBeUndefined();
    },
  );
});

describe('answers of API Gateway itself', () => {
  const responses = new Map(Object.entries(body['x-amazon-apigateway-gateway-responses']));

  it('carry status and code alike, a request id and our media type', () => {
    for (const [type, { statusCode, responseTemplates, responseParameters }] of responses) {
      const envelope = JSON.parse(responseTemplates['application/json']!) as Record<string, unknown>;
      expect([type, Object.keys(envelope)]).toEqual([type, ['code', 'message', 'data']]);
      expect([type, String(envelope.code)]).toEqual([type, statusCode]);
      expect(responseParameters).toMatchObject({
        'gatewayresponse.header.x-request-id': 'context.requestId',
        'gatewayresponse.header.strict-transport-security': "'max-age=63072000'",
        'gatewayresponse.header.Content-Type': "'application/json; charset=utf-8'",
        'gatewayresponse.header.Access-Control-Allow-Origin': "'https://console.example.com'",
        'gatewayresponse.header.Access-Control-Expose-Headers':
          expect.stringMatching(/x-error-code.*retry-after/),
      });
      const word = responseParameters['gatewayresponse.header.x-error-code']?.slice(1, -1) as ErrorWord;
      expect([type, String(statusOfWord(word))]).toEqual([type, statusCode]);
      const retryAfter = responseParameters['gatewayresponse.header.retry-after'];
      expect([type, retryAfter]).toEqual([type, statusCode === '429' ? "'1'" : undefined]);
    }
  });

  it.each([
    ['UNAUTHORIZED', '401'],
    ['ACCESS_DENIED', '403'],
    ['MISSING_AUTHENTICATION_TOKEN', '404'],
    // Of a request for an unknown path.
    ['UNSUPPORTED_MEDIA_TYPE', '404'],
    ['REQUEST_TOO_LARGE', '413'],
    ['THROTTLED', '429'],
    ['DEFAULT_4XX', '400'],
    ['DEFAULT_5XX', '500'],
  ])('%s is %s', (type, status) => {
    expect(responses.get(type)?.statusCode).toBe(status);
  });

  it('let no other origin read them where none is configured', () => {
    expect(JSON.stringify(plain.json)).not.toContain('Access-Control-Allow-Origin');
  });

  it('ask for a bearer token with a 401 and point large files to the upload road', () => {
    expect(responses.get('UNAUTHORIZED')?.responseParameters['gatewayresponse.header.WWW-Authenticate']).toBe(
      "'Bearer'",
    );
    expect(responses.get('REQUEST_TOO_LARGE')?.responseTemplates['application/json']).toContain(
      'importUpload',
    );
  });
});
