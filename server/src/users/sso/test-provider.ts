/// <reference path="../../../test/oidc-provider.d.ts" />
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import type { Context } from 'oidc-provider';
import type { Account, Answer, TestService } from '../../../test/harness.ts';
import { dashboardHeaders } from '../../../test/users.ts';

/** It warns of Node versions without long-term support, and of keeping everything in memory. */
async function withoutWarnings<T>(work: () => T): Promise<Awaited<T>> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}

const { Provider } = await withoutWarnings(() => import('oidc-provider'));

export const SECRET = 'a-client-secret-of-the-provider-0123456789';

/** What the provider says of a person. */
interface Person {
  email: string;
  email_verified?: boolean | string;
  name?: string;
  groups?: string[];
  /** Of the ID token, which otherwise has nothing but the subject. */
  idToken?: Partial<Person>;
}

/** A real OpenID Connect provider, at which the tests choose who signs in. */
export async function startProvider(redirectUris: string[], scopes: string[] = ['groups']) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, Person>();
  const current = { subject: '' };
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'headwater', client_secret: SECRET, redirect_uris: redirectUris }],
    scopes: ['openid', ...scopes],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: Context, subject: string) => ({
      accountId: subject,
      claims(use: string) {
        const { idToken, ...person } = people.get(subject) ?? {};
        return { sub: subject, ...(use === 'id_token' ? idToken : person) };
      },
    }),
    async loadExistingGrant({ oidc }: Context) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(['openid', 'email', 'profile', ...scopes].join(' '));
      await grant.save();
      return grant;
    },
  });
  const handle = await withoutWarnings(() => provider.callback());
  const requests: string[] = [];
  server.on('request', (request, response) => {
    requests.push(request.url ?? '');
    if (!request.url?.startsWith('/interaction')) return handle(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: current.subject } });
  });
  return { issuer, people, current, requests };
}

/** A browser: the cookies that it has at the service and at the provider. */
export class Browser {
  readonly #service: TestService;
  readonly jar = new Map<string, string>();

  constructor(service: TestService) {
    this.#service = service;
  }

  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async open(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.#service.call(`GET ${path}`, { headers: { cookie: this.cookie, ...headers } });
    this.#keep([answer.headers['set-cookie']].flat());
    return answer;
  }

  /** Signs out at the provider alone. */
  forgetProvider(): void {
    for (const name of this.jar.keys()) if (!name.includes('headwater')) this.jar.delete(name);
  }

  /** A request of a page of the dashboard. */
  page(request: string, account?: Account, body?: unknown): Promise<Answer> {
    const headers = dashboardHeaders({ cookie: this.cookie, account });
    return this.#service.call(request, { headers, ...(body !== undefined && { body }) });
  }

  /** Opens the start, follows the provider and returns how the provider sends the browser back. */
  async visit(start: string): Promise<string> {
    const { status, headers, body } = await this.open(start);
    assert.equal(status, 302, JSON.stringify(body));
    let location = String(headers.location);
    for (let hops = 0; hops < 10; hops++) {
      if (!location.startsWith('http://127.0.0.1:')) return location.replace('http://headwater.test', '');
      const response = await fetch(location, { redirect: 'manual', headers: { cookie: this.cookie } });
      this.#keep(response.headers.getSetCookie());
      const next = response.headers.get('location');
      assert.ok(next, `${response.status} ${location} ${await response.text()}`);
      location = new URL(next, location).href;
    }
    throw new Error('the provider redirects for ever');
  }

  /** The whole sign-in. @returns where it ends */
  async signIn(start: string): Promise<string> {
    const back = await this.visit(start);
    const site = { 'sec-fetch-site': 'cross-site' };
    return back.includes('/callback') ? String((await this.open(back, site)).headers.location) : back;
  }

  #keep(cookies: readonly (string | number | undefined)[]): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(cookie ?? '')) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
  }
}
