import { type Credentials, jsonOf, maskSecrets, platformOf, readStatus } from '../../destinations/index.ts';
import { JobError } from '../../jobs/index.ts';
import type { Config } from '../../shared/config.ts';
import { newCache } from '../../shared/lru-cache.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { parseRetryAfter } from '../../shared/outbound/retry-schedule.ts';
import { type Outcome, Sender } from '../../shared/outbound/sender.ts';
import { redactSecrets } from '../../shared/redact.ts';
import type { Clock } from '../../shared/time.ts';
import { MINUTE } from '../../shared/units.ts';
import { type Api, PlatformFault, type RequestContext, textAt } from '../connectors/connector.ts';
import { connectorOf } from '../connectors/registry.ts';
import type { CostSourceRow } from '../manage/queries.ts';

const TIMEOUT_MS = 120_000;
const MAX_TOKENS = 10_000;
/** Tokens are renewed a little before they expire. */
const TOKEN_MARGIN_MS = MINUTE;
const DEFAULT_TOKEN_MS = 30 * MINUTE;
const MAX_WORDS = 500;
const USER_AGENT = 'Headwater-Costs/1';

/** What the API of one source may remember. */
interface Memory {
  pending: Readonly<Record<string, string>> | null;
  keep(pending: Readonly<Record<string, string>>): Promise<void>;
  /** A refresh token that replaces the present one. */
  keepRefreshToken(token: string): Promise<void>;
}

/** Requests to ad platforms that read what ads cost. */
export class CostClient {
  readonly #sender: Sender;
  /** For base URLs that the operator has set, which may be private. */
  readonly #overrideSender: Sender;
  readonly #config: Config;
  readonly #clock: Clock;
  #isClosed = false;
  /** By source and its credentials. */
  readonly #tokens = newCache<{ token: string; expiresAt: number }>(MAX_TOKENS);

  constructor(config: Config, clock: Clock, mayConnect: MayConnect) {
    this.#config = config;
    this.#clock = clock;
    this.#sender = new Sender({ timeoutMs: TIMEOUT_MS, keeps: 'bytes', mayConnect });
    this.#overrideSender = new Sender({ timeoutMs: TIMEOUT_MS, keeps: 'bytes', mayConnect: () => true });
  }

  /** Aborts all requests: their jobs start again. */
  close(): void {
    this.#isClosed = true;
    this.#sender.close();
    this.#overrideSender.close();
  }

  /** The API of a source, with its own credentials and those that a destination lends. */
  api({ id, platform }: CostSourceRow, credentials: Credentials, memory: Memory): Api {
    const connector = connectorOf(platform);
    const { url, version } = this.#config.costs[platform] ?? {};
    const hosts =
      url === undefined ? connector.hosts : Object.fromEntries(Object.keys(connector.hosts).map((name) => [name, url]));
    const sender = url === undefined ? this.#sender : this.#overrideSender;
    const tokenKey = `${id} ${JSON.stringify(credentials)}`;
    let { pending } = memory;

    const contextOf = (accessToken: string): RequestContext => ({
      ...{ credentials, hosts, accessToken },
      version: version ?? connector.version,
      now: this.#clock(),
    });
    const send = ({ method, url, headers, body }: ReturnType<Parameters<Api['json']>[0]>) =>
      sender.send(new URL(url), { 'user-agent': USER_AGENT, accept: 'application/json', ...headers }, body, method);
    const words = (text: string) =>
      redactSecrets(maskSecrets(connector.credentials, credentials, sentenceOf(text)))
        .slice(0, MAX_WORDS)
        .toWellFormed();

    /** What a response means: nothing for a success. */
    const faultOf = (outcome: Outcome): PlatformFault | undefined => {
      if (this.#isClosed) throw new JobError('service_stopping', 'The service is stopping.', { mayPass: true });
      const text = { ...outcome, response: textOf(outcome) };
      const context = { ...contextOf(''), validates: true };
      const verdict = platformOf(platform).read(text, [], context) ?? readStatus(text);
      const message = words(('message' in verdict && verdict.message) || outcome.error || '');
      switch (verdict.type) {
        case 'accepted':
        case 'pending':
          return undefined;
        case 'throttled':
          return new PlatformFault('throttled', message, parseRetryAfter(outcome.retryAfter, this.#clock()));
        case 'credentials':
          return new PlatformFault('credentials', message);
        case 'lost':
        case 'unavailable':
        case 'partial':
          return new PlatformFault('unavailable', message, parseRetryAfter(outcome.retryAfter, this.#clock()));
        default:
          // A request for costs has no data at fault: the account, a permission or the version is.
          return new PlatformFault('access', message);
      }
    };

    const obtain = async (): Promise<string> => {
      const request = connector.oauth?.(contextOf(''));
      if (request === undefined) return '';
      const known = this.#tokens.get(tokenKey);
      if (known && performance.now() < known.expiresAt) return known.token;
      const outcome = await send(request);
      const body = jsonOf({ ...outcome, response: textOf(outcome) });
      if (outcome.error === null && typeof body?.access_token === 'string') {
        const lifetime = Number(body.expires_in) > 0 ? Number(body.expires_in) * 1000 : DEFAULT_TOKEN_MS;
        this.#tokens.set(tokenKey, {
          token: body.access_token,
          expiresAt: performance.now() + lifetime - TOKEN_MARGIN_MS,
        });
        const { refresh_token: renewed } = body;
        if (typeof renewed === 'string' && renewed !== credentials.refreshToken) await memory.keepRefreshToken(renewed);
        return body.access_token;
      }
      const message = words(textOf(outcome) ?? outcome.error ?? 'no access token in the response');
      // OAuth answers 400 `invalid_grant` for a token that was revoked.
      const isRefused = outcome.status === 400 || outcome.status === 401 || outcome.status === 403;
      if (isRefused) throw new PlatformFault('credentials', message);
      const retryAfter = parseRetryAfter(outcome.retryAfter, this.#clock());
      throw new PlatformFault(outcome.status === 429 ? 'throttled' : 'unavailable', message, retryAfter);
    };

    return {
      credentials,
      get pending() {
        return pending;
      },
      async keep(state) {
        pending = state;
        await memory.keep(state);
      },
      json: async (build) => {
        for (let isRenewed = false; ; isRenewed = true) {
          const accessToken = await obtain();
          const outcome = await send(build(contextOf(accessToken)));
          const fault = faultOf(outcome);
          if (fault === undefined) return parse(outcome);
          // A token may have expired or been revoked before its time: it is renewed once.
          if (fault.type !== 'credentials' || isRenewed || !this.#tokens.delete(tokenKey)) throw fault;
        }
      },
      download: async (url) => {
        const target = URL.parse(url);
        if (target?.protocol !== 'https:' && sender === this.#sender) {
          throw new PlatformFault('unavailable', 'The report has no URL that can be used.');
        }
        const outcome = await sender.send(new URL(url), { 'user-agent': USER_AGENT }, '', 'GET');
        if (outcome.error !== null || !outcome.bytes) {
          throw new PlatformFault('unavailable', `The report cannot be downloaded: ${outcome.error ?? 'empty'}.`);
        }
        return outcome.bytes;
      },
    };
  }
}

const textOf = ({ bytes, response }: Outcome): string | null => (bytes?.length ? bytes.toString() : response);

/** Names of codes that someone may look up. */
const CODES = ['status', 'ErrorCode', 'code', 'Code', 'error'];

/** What a platform says of a failure, with its code and without the JSON around it. */
function sentenceOf(text: string): string {
  const sentences = new Set<string>();
  const codes = new Set<string>();
  const read = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, each] of Object.entries(value)) {
      if (typeof each === 'string' && /^message$|^error_description$/i.test(name)) sentences.add(each.trim());
    }
    const code = CODES.map((name) => textAt(value, name)).find((each) => each !== '');
    if (code !== undefined) codes.add(code);
    for (const each of Object.values(value)) read(each);
  };
  read(jsonOf({ response: text }));
  // Proxies answer with pages.
  if (sentences.size === 0)
    return text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return `${[...sentences].join(' ')} (${[...codes].join(', ')})`;
}

function parse(outcome: Outcome): unknown {
  try {
    return JSON.parse(textOf(outcome) ?? '');
  } catch {
    throw new PlatformFault('unavailable', 'The response is no JSON, or larger than 64 MiB.');
  }
}
