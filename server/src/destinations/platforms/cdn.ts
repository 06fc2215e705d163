import type { Fault } from '../../shared/errors.ts';
import type { Credentials, HttpRequest, Platform, RequestContext } from './platform.ts';

/** A cache that is purged by the tags of responses (`Cache-Tag`). */
interface Provider {
  needs: readonly string[];
  /** The base URL of its API; `credentials.url` replaces it. */
  url?: string;
  /** Tags per request. */
  batch: number;
  build(base: string, tags: readonly string[], urls: readonly string[], credentials: Credentials): HttpRequest;
}

const json = (url: string, headers: Record<string, string>, body: unknown): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const PROVIDERS = {
  cloudflare: {
    needs: ['token', 'zone'],
    url: 'https://api.cloudflare.com/client/v4',
    batch: 30,
    build: (base, tags, _urls, { token, zone }) =>
      json(`${base}/zones/${zone}/purge_cache`, { authorization: `Bearer ${token}` }, { tags }),
  },
  fastly: {
    needs: ['token', 'zone'],
    url: 'https://api.fastly.com',
    batch: 256,
    build: (base, tags, _urls, { token = '', zone }) =>
      json(`${base}/service/${zone}/purge`, { 'fastly-key': token }, { surrogate_keys: tags }),
  },
  bunny: {
    needs: ['token', 'zone'],
    url: 'https://api.bunny.net',
    batch: 1,
    build: (base, [CacheTag], _urls, { token = '', zone }) =>
      json(`${base}/pullzone/${zone}/purgeCache`, { accesskey: token }, { CacheTag }),
  },
  // Varnish, nginx and whatever else can be told by a request.
  purge: {
    needs: ['url'],
    batch: 100,
    build: (base, tags, urls, { token }) => ({
      method: 'PURGE',
      url: base,
      headers: {
        'content-type': 'application/json',
        'cache-tag': tags.join(','),
        'surrogate-key': tags.join(' '),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ tags, urls }),
    }),
  },
} satisfies Record<string, Provider>;

const providerOf = ({ provider = '' }: Credentials): Provider =>
  PROVIDERS[provider as keyof typeof PROVIDERS] ?? PROVIDERS.purge;

/** How many tags a request of this destination can have. */
export const purgeBatch = (credentials: Credentials): number => providerOf(credentials).batch;

/** The request that purges responses with one of these tags. */
export function purgeRequest(
  tags: readonly string[],
  urls: readonly string[],
  { credentials }: Pick<RequestContext, 'credentials'>,
): HttpRequest {
  const provider = providerOf(credentials);
  const base = (credentials.url ?? provider.url ?? '').replace(provider.url === undefined ? '' : /\/+$/, '');
  return provider.build(base, tags, urls, credentials);
}

export const cdn = {
  name: 'CDN or cache',
  purges: true,
  credentials: {
    provider: {
      label: 'Provider',
      description: '`cloudflare`, `fastly`, `bunny`, or `purge` for requests with the method PURGE (Varnish, nginx).',
      isSecret: false,
      decidesHost: true,
      isRequired: true,
      pattern: Object.keys(PROVIDERS).join('|'),
      example: 'purge',
    },
    url: {
      label: 'URL',
      description: 'With `purge`: where the requests are sent. Otherwise only to replace the URL of the API.',
      isSecret: false,
      decidesHost: true,
      isRequired: false,
      pattern: 'https?://\\S{1,2000}',
      example: 'https://cache.example/',
    },
    token: {
      label: 'API token',
      description:
        'Cloudflare: an API token with the permission Cache Purge. Fastly: a token with the scope purge_select. Bunny: the access key. `purge`: sent as `Authorization: Bearer`.',
      isSecret: true,
      isRequired: false,
      pattern: '[\\x21-\\x7e]{1,2000}',
      example: 'fake-api-token',
    },
    zone: {
      label: 'Zone',
      description: 'Cloudflare: the zone ID. Fastly: the service ID. Bunny: the ID of the pull zone.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '[\\w-]{1,100}',
      example: '023e105f4ecef8ad9ca31a8372d0c353',
    },
  },
  checkCredentials(credentials: Credentials): Fault[] {
    const { provider } = credentials;
    return providerOf(credentials)
      .needs.filter((name) => credentials[name] === undefined)
      .map((name) => {
        const pointer = `/credentials/${name}`;
        return { pointer, code: 'required', detail: `\`${pointer}\` is required for the provider ${provider}.` };
      });
  },
  target: { label: 'Tag', description: 'Purged when content is published.', pattern: '\\S+', example: 'col_1' },
  clickIds: [],
  uses: { email: false, client: false },
  maxAgeDays: 3650,
  adjustment: 'none',
  validation: 'local',
  needs: 'none',
  needsCurrency: false,
  hosts: {},
  version: '',
  batch: 100,
  requestsPerMinute: 60_000,
  dedupeHours: Number.POSITIVE_INFINITY,
  build: (events, context) =>
    purgeRequest(
      events.map(({ target }) => target),
      [],
      context,
    ),
  read: () => undefined,
} satisfies Platform;
