import { NoAnswer } from './service-error.ts';

/** How a program gets its access tokens: by the client-credentials flow of OAuth 2. */
export type ClientCredentials = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** Absent: every scope of the client. */
  scopes?: readonly string[];
};

type Clock = () => number;
type Send = (url: string, init: RequestInit) => Promise<Response>;
type Kept = { token: string; renewFrom: number; expires: number };

const secondMs = 1000;
/**
 * A token is renewed in the last tenth of its life. Until it expires, it is used while the issuer
 * does not answer.
 */
const usedShare = 0.9;
/** For an issuer that does not say how long its tokens live. */
const usualSeconds = 300;

/** Keeps an access token and renews it before it expires, and when the service has refused it. */
export class RenewedToken {
  readonly #credentials: ClientCredentials;
  readonly #now: Clock;
  readonly #send: Send;
  #kept: Kept | undefined;
  #asking: Promise<string> | undefined;

  constructor(credentials: ClientCredentials, { now = Date.now, send = fetch as Send } = {}) {
    this.#credentials = credentials;
    this.#now = now;
    this.#send = send;
  }

  /** @throws NoAnswer if the issuer gives no token */
  async token(): Promise<string> {
    const kept = this.#kept;
    if (kept === undefined || this.#now() >= kept.expires) return this.#renew();
    if (this.#now() < kept.renewFrom) return kept.token;
    return this.#renew().catch(() => kept.token);
  }

  /**
   * A token other than the one that the service refused.
   * @throws NoAnswer if the issuer gives no token
   */
  async tokenAfter(refused: string): Promise<string> {
    return this.#kept !== undefined && this.#kept.token !== refused ? this.#kept.token : this.#renew();
  }

  /** Requests at the same time wait for the same token, because issuers charge for each. */
  #renew(): Promise<string> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<string> {
    const { tokenUrl, clientId, clientSecret, scopes } = this.#credentials;
    const asked = this.#now();
    const response = await this.#send(tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
      }),
    }).catch((error: unknown) => {
      throw new NoAnswer(`no access token: ${tokenUrl} does not answer`, { cause: error });
    });
    if (!response.ok) throw new NoAnswer(`no access token: ${tokenUrl} answered ${response.status}`);
    const { access_token: token, expires_in: seconds = usualSeconds } = (await response.json()) as {
      access_token: string;
      expires_in?: number;
    };
    const lifeMs = seconds * secondMs;
    this.#kept = { token, renewFrom: asked + lifeMs * usedShare, expires: asked + lifeMs };
    return token;
  }
}
