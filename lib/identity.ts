import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  CfnUserPoolGroup,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  type UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { type Scope, scopes, scopesOfGroups } from '../shared/platform/api/route.ts';
import { acceptFindings } from './accepted-findings.ts';
import type { StackSettings } from './settings/settings.ts';

const resourceServer = 'outbound';
const consoleClientId = 'ConsoleClient';
const tokenLifetime = Duration.hours(1);
/** A working day. Afterwards users sign in again. */
const signedInFor = Duration.hours(12);

/**
 * The id of a client's construct. A client keeps its secret as long as its construct has this id.
 * `shared` is the one client of 0.2.
 */
const clientIdOf = (name: string): string =>
  name === 'shared' ? 'Client' : `${name[0]?.toUpperCase()}${name.slice(1)}Client`;

/** The default issuer of access tokens, for programs with a secret and for users of the console. */
export class Identity extends Construct {
  readonly userPool: UserPool;
  /**
   * The clients whose tokens the service accepts, by the names of their constructs: those of
   * programs, then that of the console.
   */
  readonly clients: ReadonlyMap<string, UserPoolClient>;
  readonly consoleClient: UserPoolClient;
  readonly #domain: UserPoolDomain;

  /** @param consoleUrl the page to which people return after signing in */
  constructor(scope: Construct, id: string, settings: StackSettings, consoleUrl: string) {
    super(scope, id);
    this.userPool = this.#pool(settings);
    this.#domain = this.userPool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: `outbound-${settings.stage}-${Aws.ACCOUNT_ID}` },
    });
    const scopesOf = this.#resourceServer();
    const programs = Object.entries(settings.clients).map(([client, granted]) => {
      const id = clientIdOf(client);
      const mayOnlyDial = granted.every((each) => each === 'outbound/dial');
      const lifetime = mayOnlyDial ? Duration.hours(settings.dialerTokenHours) : tokenLifetime;
      return [id, this.#client(id, settings, scopesOf(granted), lifetime)] as const;
    });
    this.consoleClient = this.#consoleClient(consoleUrl);
    this.clients = new Map([...programs, [consoleClientId, this.consoleClient]]);
    this.#addGroups();
  }

  get issuer(): string {
    return this.userPool.userPoolProviderUrl;
  }

  get signInUrl(): string {
    return this.#domain.baseUrl();
  }

  get tokenUrl(): string {
    return `${this.signInUrl}/oauth2/token`;
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
    const reason =
      'Every user needs a second factor and none can sign up; threat protection needs a higher plan';
    acceptFindings(pool, { 'AwsSolutions-COG3': reason, 'AwsSolutions-COG8': reason });
    return pool;
  }

  #resourceServer(): (granted: readonly Scope[]) => OAuthScope[] {
    const known = new Map(
      scopes.map((scope) => [
        scope,
        new ResourceServerScope({
          scopeName: scope.slice(resourceServer.length + 1),
          scopeDescription: `May call what needs ${scope}`,
        }),
      ]),
    );
    const server = this.userPool.addResourceServer('ResourceServer', {
      identifier: resourceServer,
      scopes: [...known.values()],
    });
    return (granted) =>
      granted.map((scope) => OAuthScope.resourceServer(server, known.get(scope) as ResourceServerScope));
  }

  /** A secret lasts as long as its client, so each generation of secrets has clients of its own. */
  #client(
    name: string,
    { clientGeneration }: StackSettings,
    granted: OAuthScope[],
    accessTokenValidity: Duration,
  ): UserPoolClient {
    return this.userPool.addClient(clientGeneration === 1 ? name : `${name}${clientGeneration}`, {
      generateSecret: true,
      accessTokenValidity,
      authFlows: {},
      oAuth: { flows: { clientCredentials: true }, scopes: granted },
    });
  }

  /** A page cannot keep a secret. With PKCE, a code is useful only in the tab that asked for it. */
  #consoleClient(consoleUrl: string): UserPoolClient {
    return this.userPool.addClient(consoleClientId, {
      generateSecret: false,
      preventUserExistenceErrors: true,
      accessTokenValidity: tokenLifetime,
      refreshTokenValidity: signedInFor,
      // Signing out revokes the refresh token.
      enableTokenRevocation: true,
      authFlows: {},
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID],
        // Cognito compares the whole text, and users may open the page with and without the slash.
        callbackUrls: [`${consoleUrl}/`, consoleUrl],
        logoutUrls: [`${consoleUrl}/`, consoleUrl],
      },
    });
  }

  #addGroups(): void {
    for (const [groupName, granted] of Object.entries(scopesOfGroups)) {
      new CfnUserPoolGroup(this, groupName, {
        userPoolId: this.userPool.userPoolId,
        groupName,
        description: `May call what needs ${granted.join(' or ')}`,
      });
    }
  }
}
