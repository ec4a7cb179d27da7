import { describe, expect, it } from 'vitest';
import { functionName } from '../../../lib/service-function.ts';
import { apiBodyOf, everything, functionOf, production } from '../../support/aws/stack-parts.ts';
import { resourcesOf, synthesized } from '../../support/aws/synthesized-stack.ts';

const { template, json } = synthesized(production);
const own = synthesized(everything);

describe('the console on AWS', () => {
  it('is served under the API without a token, to GET alone, streamed so that it stays zipped', () => {
    const { paths } = apiBodyOf(json);
    for (const path of ['/console', '/console/{proxy+}']) {
      expect(Object.keys(paths[path]!)).toEqual(['get', 'x-amazon-apigateway-any-method']);
      const { security, 'x-amazon-apigateway-integration': integration } = paths[path]!.get!;
      expect([security, integration.responseTransferMode]).toEqual([undefined, 'STREAM']);
      expect(JSON.stringify(integration.uri)).toContain(functionName('prod', 'consolePage'));
    }
  });

  it('signs people in with a code and PKCE, back to its own address and no other', () => {
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      EnableTokenRevocation: true,
      GenerateSecret: false,
    });
    own.template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      CallbackURLs: ['https://api.example.com/console/', 'https://api.example.com/console'],
      LogoutURLs: ['https://api.example.com/console/', 'https://api.example.com/console'],
    });
    const groups = resourcesOf(json, 'AWS::Cognito::UserPoolGroup').map(
      ([, group]) => group.Properties.GroupName,
    );
    expect(groups.sort()).toEqual(['operators', 'viewers']);
  });

  it('tells the page where people sign in, and the operator where the page is', () => {
    const { Environment } = functionOf(json, 'consolePage')![1].Properties as {
      Environment: { Variables: Record<string, unknown> };
    };
    expect(Object.keys(Environment.Variables)).toEqual(
      expect.arrayContaining(['SIGN_IN_URL', 'SIGN_IN_CLIENT_ID', 'SERVICE_TIME_ZONE', 'UPLOAD_ORIGIN']),
    );
    expect(own.json.Outputs.ConsoleUrl).toMatchObject({ Value: 'https://api.example.com/console' });
  });
});
