import type { Config } from '../../shared/config.ts';
import { newCache } from '../../shared/lru-cache.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { type Outcome, Sender } from '../../shared/outbound/sender.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { redactSecrets } from '../../shared/redact.ts';
import type { Clock } from '../../shared/time.ts';
import { MINUTE } from '../../shared/units.ts';
import type { CredentialStore } from '../manage/credentials.ts';
import { maskSecrets } from '../manage/credentials.ts';
import type { DestinationRow } from '../manage/queries.ts';
import { sha256 } from '../platforms/hash.ts';
import type {
  Credentials,
  HttpRequest,
  OutgoingEvent,
  Platform,
  RequestContext,
  Verdict,
} from '../platforms/platform.ts';
import { jsonOf, readStatus } from '../platforms/read-status.ts';
import { type PlatformId, platformOf } from '../platforms/registry.ts';

const TIMEOUT_MS = 15_000;
const MAX_TOKENS = 10_000;
/** Tokens are renewed a little before they expire. */
const TOKEN_MARGIN_MS = MINUTE;
const DEFAULT_TOKEN_MS = 30 * MINUTE;
/** A token that was refused is renewed once, unless it is younger. */
const FRESH_MS = MINUTE;
const MAX_RESPONSE = 1_000;

interface AccessToken {
  token: string;
  obtainedAt: number;
  expiresAt: number;
}

const USER_AGENT = 'Headwater-Destinations/1';

/** Speaks to the platforms: their base URLs and versions, access tokens, and what of a response may be stored. */
export class PlatformClient {
  readonly #sender: Sender;
  /** For base URLs that the operator has set, which may be private. */
  readonly #overrideSender: Sender;
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #store: CredentialStore;
  /** By destination and its credentials, so that a change of these takes effect at once. */
  readonly #tokens = newCache<AccessToken>(MAX_TOKENS);

  constructor(config: Config, clock: Clock, store: CredentialStore, mayConnect: MayConnect, timeoutMs = TIMEOUT_MS) {
    this.#config = config;
    this.#clock = clock;
    this.#store = store;
    // A request whose answer was lost is repeated by rules of its own.
    const options = { timeoutMs, keeps: 'all', retriesStale: false } as const;
    this.#sender = new Sender({ ...options, mayConnect });
    this.#overrideSender = new Sender({ ...options, mayConnect: () => true });
  }

  /** Aborts all requests. */
  close(): void {
    this.#sender.close();
    this.#overrideSender.close();
  }

  /** What requests of a destination are built with. @throws SecretUnreadable */
  async context(tx: Tx, destination: DestinationRow, validates: boolean): Promise<RequestContext> {
    const { hosts, version } = platformOf(destination.platform);
    const { url, version: replaced } = this.#config.destinations[destination.platform] ?? {};
    return {
      credentials: await this.#store.open(tx, destination),
      hosts: url === undefined ? hosts : Object.fromEntries(Object.keys(hosts).map((name) => [name, url])),
      version: replaced ?? version,
      validates,
      accessToken: '',
      now: this.#clock(),
    };
  }

  /** Sends a request that `build` makes, with an access token if the platform needs one. */
  async send(
    destination: DestinationRow,
    platform: Platform,
    context: RequestContext,
    build: (context: RequestContext) => HttpRequest,
  ): Promise<Outcome> {
    const obtained = await this.#accessToken(destination, platform, context);
    if ('status' in obtained) return obtained;
    const request = build({ ...context, accessToken: obtained.token, now: this.#clock() });
    return this.#request(destination, request);
  }

  /** Obtains an access token. Returns the outcome of that. */
  async obtainToken(destination: DestinationRow, platform: Platform, context: RequestContext): Promise<Outcome> {
    this.#tokens.delete(tokenKey(destination));
    const obtained = await this.#accessToken(destination, platform, context);
    return 'status' in obtained ? obtained : { status: 200, error: null, response: null, ms: 0, retryAfter: undefined };
  }

  /** Forgets an access token that was refused. Returns whether a new one is worth a try. */
  forgetToken(destination: DestinationRow): boolean {
    const key = tokenKey(destination);
    const known = this.#tokens.get(key);
    this.#tokens.delete(key);
    return known !== undefined && performance.now() - known.obtainedAt > FRESH_MS;
  }

  #request({ platform }: DestinationRow, { url, headers, body, method }: HttpRequest): Promise<Outcome> {
    // Theirs are URLs of accounts, not of the operator.
    const hasOwnUrl = platform === 'http' || platform === 'cdn';
    const isOverridden = !hasOwnUrl && this.#config.destinations[platform]?.url !== undefined;
    const sender = isOverridden ? this.#overrideSender : this.#sender;
    return sender.send(
      new URL(url),
      { 'user-agent': USER_AGENT, accept: 'application/json', ...headers },
      body,
      method,
    );
  }

  async #accessToken(
    destination: DestinationRow,
    platform: Platform,
    context: RequestContext,
  ): Promise<{ token: string } | Outcome> {
    const request = platform.oauth?.request({ ...context, now: this.#clock() });
    if (request === undefined) return { token: '' };
    const key = tokenKey(destination);
    const known = this.#tokens.get(key);
    if (known !== undefined && performance.now() < known.expiresAt) return known;
    const outcome = await this.#request(destination, request);
    const body = jsonOf(outcome);
    if (outcome.error === null && typeof body?.access_token === 'string') {
      const obtainedAt = performance.now();
      const seconds = Number(body.expires_in);
      const lifetime = seconds > 0 ? seconds * 1000 : DEFAULT_TOKEN_MS;
      const token = { token: body.access_token, obtainedAt, expiresAt: obtainedAt + lifetime - TOKEN_MARGIN_MS };
      this.#tokens.set(key, token);
      return token;
    }
    // OAuth answers 400 `invalid_grant` for a token that was revoked. Whatever fails here was not sent to the API.
    if (outcome.status === 400 || outcome.status === 401 || outcome.status === 403) return { ...outcome, status: 401 };
    const error = `token_unavailable: ${outcome.error ?? 'no access token in the response'}`;
    return outcome.status === 429 ? outcome : { ...outcome, status: null, error };
  }
}

const tokenKey = ({ id, credentials }: DestinationRow) => `${id} ${sha256(credentials.toString('latin1'))}`;

/** Reads a response: as the platform documents it, or else by its status. */
export function verdictOf(
  platform: Platform,
  outcome: Outcome,
  events: readonly OutgoingEvent[],
  context: RequestContext,
): Verdict {
  // Without an access token, nothing was sent to the API.
  const isAnswered = outcome.status !== null && !outcome.error?.startsWith('token_');
  return (isAnswered ? platform.read(outcome, events, context) : undefined) ?? readStatus(outcome);
}

/** What of a response is stored: its start, without secrets and without what identifies people. */
export function storable(
  platform: PlatformId,
  credentials: Credentials,
  events: readonly OutgoingEvent[],
  text: string,
): string {
  let stored = redactSecrets(
    maskSecrets(platformOf(platform).credentials, credentials, text.slice(0, 20 * MAX_RESPONSE)),
  );
  for (const { email, address, userAgent, clickId } of events) {
    for (const value of [email && sha256(email), email, address, userAgent, clickId?.value]) {
      if (value && value.length > 5 && stored.includes(value)) stored = stored.replaceAll(value, '***');
    }
  }
  return stored.slice(0, MAX_RESPONSE).toWellFormed();
}
