import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  type UserPoolClient,
  type UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { scopes } from '../shared/api/route.ts';
import { acceptFindings } from './accepted-findings.ts';
import type { StackSettings } from './settings/settings.ts';

const resourceServer = 'outbound';
const tokenLifetime = Duration.hours(1);

/** The default issuer of access tokens: a user pool without users, only for programs with a secret. */
export class Identity extends Construct {
  readonly userPool: UserPool;
  readonly client: UserPoolClient;
  readonly #domain: UserPoolDomain;

  constructor(scope: Construct, id: string, settings: StackSettings) {
    super(scope, id);
    this.userPool = this.#pool(settings);
    this.#domain = this.userPool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: `outbound-${settings.stage}-${Aws.ACCOUNT_ID}` },
    });
    this.client = this.#client(settings);
  }

  get issuer(): string {
    return this.userPool.userPoolProviderUrl;
  }

  get tokenUrl(): string {
    return `${this.#domain.baseUrl()}/oauth2/token`;
  }

  #pool({ disposable }: StackSettings): UserPool {
    const pool = new UserPool(this, 'UserPool', {
      selfSignUpEnabled: false,
      signInAliases: { username: true },
      featurePlan: FeaturePlan.ESSENTIALS,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
      passwordPolicy: {
        minLength: 16,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
      },
      deletionProtection: !disposable,
      removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    acceptFindings(pool, {
      'AwsSolutions-COG3': 'Nobody signs in: the pool has no users and issues tokens to programs only',
      'AwsSolutions-COG8': 'Nobody signs in: the pool has no users and issues tokens to programs only',
    });
    return pool;
  }

  #client({ clientGeneration }: StackSettings): UserPoolClient {
    const granted = scopes.map(
      (scope) =>
        new ResourceServerScope({
          scopeName: scope.slice(resourceServer.length + 1),
          scopeDescription: `May call what needs ${scope}`,
        }),
    );
    const server = this.userPool.addResourceServer('ResourceServer', {
      identifier: resourceServer,
      scopes: granted,
    });
    // A secret lasts as long as its client: another generation is another client.
    return this.userPool.addClient(clientGeneration === 1 ? 'Client' : `Client${clientGeneration}`, {
      generateSecret: true,
      accessTokenValidity: tokenLifetime,
      authFlows: {},
      oAuth: {
        flows: { clientCredentials: true },
        scopes: granted.map((scope) => OAuthScope.resourceServer(server, scope)),
      },
    });
  }
}
