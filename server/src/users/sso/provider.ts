import { isIP } from 'node:net';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import type { Deps } from '../../shared/deps.ts';
import type { Fault } from '../../shared/errors.ts';
import { newCache } from '../../shared/lru-cache.ts';
import { checkUrl, hostOf } from '../../shared/outbound/check-url.ts';
import { connectPolicy, isPublic, type MayConnect } from '../../shared/outbound/connect-policy.ts';
import { Sender } from '../../shared/outbound/sender.ts';
import { MINUTE } from '../../shared/units.ts';
import { openClientSecret, redirectUriOf } from './connection.ts';
import type { ConnectionRow } from './queries.ts';

// Loaded when somebody signs in by it.
const library = () => import('openid-client');

/** Of each request to a provider. */
const TIMEOUT_MS = 5_000;
const METADATA_MS = 10 * MINUTE;
/** For how long after the password was entered a sign-in may take that asks for it. */
const CONFIRM_S = 300;

/** What goes with a sign-in from its start to its end. */
export interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
  /** The password has to be entered again. */
  confirms: boolean;
}

/** What the provider says of who signed in. */
export interface Claims {
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  /** Values of the role claim. */
  roles: string[];
  /** When they entered the password, in milliseconds; 0: the provider does not say. */
  authenticatedAt: number;
}

/** The provider cannot be used, or what it says cannot be trusted. The message is a code, optionally followed by an explanation. */
export class ProviderError extends Error {}

/** Speaks to the providers of accounts, over connections that reach allowed addresses only. */
export class SsoProviders {
  readonly #deps: Deps;
  readonly #mayConnect: MayConnect;
  readonly #sender: Sender;
  /** By account and version of its connection. */
  readonly #known = newCache<{ configuration: Configuration; until: number }>(1_000);

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#mayConnect = connectPolicy(deps.config.webhookAllowCidrs);
    this.#sender = new Sender({ mayConnect: this.#mayConnect, timeoutMs: TIMEOUT_MS, keeps: 'all' });
  }

  start(): void {}

  async stop(): Promise<void> {
    this.#sender.close();
  }

  /** Over plain http, anybody on the way could sign in as anyone: it is for private addresses that the operator allows. */
  issuerFaults(issuer: string): Fault[] {
    const fault = (code: string, detail: string) => [{ pointer: '/issuer', code, detail }];
    const faults = checkUrl(issuer, this.#mayConnect, '/issuer');
    if (faults.length > 0) return faults;
    const url = new URL(issuer);
    if (url.protocol !== 'https:' && !isPrivate(url))
      return fault('issuer_invalid', 'The issuer must be an https URL.');
    return url.search || url.hash ? fault('issuer_invalid', 'An issuer has no query and no fragment.') : [];
  }

  /** Reads the provider's metadata, which are used for some minutes. @throws ProviderError */
  async discover(row: ConnectionRow): Promise<Configuration> {
    const key = `${row.account_id} ${row.version}`;
    const known = this.#known.get(key);
    if (known && performance.now() < known.until) return known.configuration;
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks, customFetch, ...methods } = await library();
    const secret = await openClientSecret(this.#deps, row).catch((cause: unknown) => {
      throw new ProviderError('client_secret_unreadable: enter it again', { cause });
    });
    const [byHeader, byBody] = [methods.ClientSecretBasic(secret), methods.ClientSecretPost(secret)];
    // By the header unless the provider says that it takes only the other.
    const authenticate: ClientAuth = (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: supported = ['client_secret_basic'] } = server;
      return (supported.includes('client_secret_basic') ? byHeader : byBody)(server, ...rest);
    };
    const issuer = new URL(row.issuer);
    const configuration = await discovery(issuer, row.client_id, undefined, authenticate, {
      [customFetch]: this.#fetch,
      timeout: TIMEOUT_MS / 1000,
      // The signature of the ID token is checked, not only the connection that it came by.
      execute: [enableNonRepudiationChecks, ...(isPrivate(issuer) ? [allowInsecureRequests] : [])],
    }).catch(fail);
    this.#known.set(key, { configuration, until: performance.now() + METADATA_MS });
    return configuration;
  }

  /** Where the browser goes, and what has to be known when it returns. @throws ProviderError */
  async begin(row: ConnectionRow, confirms: boolean): Promise<{ url: URL; attempt: Attempt }> {
    const configuration = await this.discover(row);
    const client = await library();
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      confirms,
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUriOf(this.#deps, row.account_id),
      scope: [...new Set(['openid', 'email', 'profile', ...row.scopes])].join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...(confirms && { prompt: 'login', max_age: '0' }),
    });
    if (url.protocol !== 'https:' && !isPrivate(url)) throw new ProviderError('authorization_endpoint_insecure');
    return { url, attempt };
  }

  /** Who signed in, once the browser has returned with `query`. @throws ProviderError */
  async finish(row: ConnectionRow, attempt: Attempt, query: string): Promise<Claims> {
    const configuration = await this.discover(row);
    const { authorizationCodeGrant, fetchUserInfo } = await library();
    const returned = new URL(`${redirectUriOf(this.#deps, row.account_id)}?${query}`);
    const tokens = await authorizationCodeGrant(configuration, returned, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      ...(attempt.confirms && { maxAge: CONFIRM_S }),
    }).catch(fail);
    const idToken = tokens.claims();
    if (!idToken) throw new ProviderError('id_token_missing');
    if (!/^[\x21-\x7e]{1,255}$/.test(idToken.sub)) throw new ProviderError('sub_invalid');
    let claims: Record<string, unknown> = idToken;
    const isComplete = claims.email !== undefined && valuesAt(claims, row.role_claim).length > 0;
    if (!isComplete && configuration.serverMetadata().userinfo_endpoint) {
      const info = await fetchUserInfo(configuration, tokens.access_token, idToken.sub).catch(fail);
      // An email is verified by who names it: one that the ID token names is not verified by what is said of another.
      const isOther = idToken.email !== undefined && idToken.email !== info.email;
      claims = { ...info, ...(isOther && { email_verified: undefined }), ...idToken };
    }
    const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : undefined);
    return {
      subject: idToken.sub,
      email: text('email'),
      isEmailVerified: claims.email_verified === true,
      name: text('name') ?? text('preferred_username'),
      roles: valuesAt(claims, row.role_claim),
      authenticatedAt: (idToken.auth_time ?? 0) * 1000,
    };
  }

  readonly #fetch: CustomFetch = async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? '' : String(body);
    const { status, error, response } = await this.#sender.send(new URL(url), headers, text, method);
    if (status === null) throw new ProviderError(error ?? 'no response');
    const hasBody = status >= 200 && ![204, 205, 304].includes(status);
    return new Response(hasBody ? response : null, { status: Math.max(200, status), headers: JSON_RESPONSE });
  };
}

// Whatever it says it is, it is only read as that.
const JSON_RESPONSE = { 'content-type': 'application/json' };

/** An address, not a name, of a private network, which the operator has allowed. */
const isPrivate = (url: URL) => isIP(hostOf(url)) !== 0 && !isPublic(hostOf(url));

/** Errors of the library have the response of the provider as their cause, which may have a token. */
function fail(error: unknown): never {
  const { name, code, error: reason, cause } = error as Error & { code?: unknown; error?: unknown };
  if (cause instanceof ProviderError) throw cause;
  if (error instanceof ProviderError) throw error;
  const said = [code, reason].filter((each) => typeof each === 'string' && /^[\w-]{1,60}$/.test(each));
  throw new ProviderError([name, ...said].join(' '));
}

/** The texts of a claim, which is named or found by a path. */
function valuesAt(claims: Record<string, unknown>, name: string): string[] {
  const found = name in claims ? claims[name] : name.split('.').reduce(memberOf, claims as unknown);
  return [found].flat().filter((value) => typeof value === 'string');
}

const memberOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
