/** An agent gets its token by the official client, and nobody else gets one. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { atEnd } from '../../../test/at-end.ts';
import { testService } from '../../../test/harness.ts';
import { createTestUser, type TestUser } from '../../../test/users.ts';
import { Clients, isRegistered } from './client.ts';

const publicUrl = 'http://headwater.localhost';
const service = await testService({}, { publicUrl });
const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
/** The public URL leads to the service of the test. */
const throughProxy = (url: string | URL, init?: RequestInit) => fetch(String(url).replace(publicUrl, address), init);
const VERIFIER = 'v'.repeat(43);
const codeChallenge = createHash('sha256').update(VERIFIER).digest('base64url');
const redirectUri = 'http://127.0.0.1:1/callback';

/** By a page of the dashboard. */
const byPage = (request: string, by: TestUser, body?: object) =>
  service.call(request, { by, body, headers: { origin: publicUrl } });
const register = (body: object) => service.call('POST /oauth/register', { body });
async function clientOf(redirectUris = [redirectUri], name = 'Agent') {
  const { status, body } = await register({ client_name: name, redirect_uris: redirectUris });
  assert.equal(status, 201, JSON.stringify(body));
  return body.client_id as string;
}
async function ownerOf(name: string) {
  const account = await service.newAccount(name);
  return { account, owner: await createTestUser(service, account) };
}
const form = (members: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams(members).toString(),
});
async function exchange(members: Record<string, string>) {
  const { headers, payload } = form({ grant_type: 'authorization_code', ...members });
  const answer = await service.app.inject({ method: 'POST', url: '/oauth/token', headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

/** A program with the official client, which keeps in memory what it is given. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = { client_name: 'Official client', redirect_uris: [redirectUri] };
  opened: URL | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  clientInformation = () => this.#client;
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}

test('the official client finds where to ask, an owner allows it a role, and its token has that role', async () => {
  const { owner } = await ownerOf('official');
  const program = new Program();
  const transport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', publicUrl), { authProvider: program, fetch: throughProxy });
  const first = transport();
  await assert.rejects(new Client({ name: 'test', version: '1' }).connect(first), UnauthorizedError);
  const { opened } = program;
  assert.equal(opened?.pathname, '/oauth/authorize');
  const page = await throughProxy(opened, { redirect: 'manual' });
  const shown = new URL(page.headers.get('location') ?? '');
  assert.equal(`${shown.origin}${shown.pathname}`, `${publicUrl}/connect-agent`);
  const sent = new URLSearchParams(shown.hash.slice(1));
  const request = {
    clientId: sent.get('client_id'),
    redirectUri: sent.get('redirect_uri'),
    codeChallenge: sent.get('code_challenge'),
    resource: sent.get('resource'),
    ...(sent.has('state') && { state: sent.get('state') }),
  };
  const described = await byPage('POST /v1/keys/agents/check', owner, request);
  assert.deepEqual(
    [described.body.name, described.body.host, described.body.redirectTarget],
    ['Official client', null, '127.0.0.1:1'],
    JSON.stringify(described.body),
  );
  assert.equal(new URL(described.body.deniedUrl).searchParams.get('error'), 'access_denied');
  const expiresAt = new Date(service.clock.now + 86_400_000).toISOString();
  const body = { ...request, roleId: 'viewer', expiresAt };
  const connected = await byPage('POST /v1/keys/agents', owner, body);
  assert.equal(connected.status, 200, JSON.stringify(connected.body));
  await first.finishAuth(new URL(connected.body.redirectTo).searchParams);
  assert.equal(program.tokens()?.expires_in, 86_400);

  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport());
  atEnd(() => client.close());
  assert.ok((await client.listTools()).tools.length > 10);
  const headers = { authorization: `Bearer ${program.tokens()?.access_token}` };
  const refused = await service.call('POST /v1/cms/collections', { headers, body: { name: 'x' } });
  assert.equal(refused.body.code, 'role_insufficient');
  const { keys } = (await byPage('GET /v1/keys', owner)).body;
  const key = keys.find(({ id }: { id: string }) => id === connected.body.keyId);
  assert.deepEqual([key.name, key.roleId, key.type], ['Official client', 'viewer', 'secret']);
  assert.equal((await byPage(`DELETE /v1/keys/${key.id}`, owner)).status, 200);
  assert.equal((await service.call('GET /v1/cms/collections', { headers })).status, 401);
});

test('a code works once, for a minute, and only for the client that can prove that it asked', async () => {
  const { owner } = await ownerOf('codes');
  const clientId = await clientOf();
  const other = await clientOf(undefined, 'Other');
  const code = async () => {
    const body = { clientId, redirectUri, codeChallenge, state: 'a b' };
    const answer = await byPage('POST /v1/keys/agents', owner, body);
    const url = new URL(answer.body.redirectTo);
    assert.deepEqual([url.searchParams.get('state'), url.searchParams.get('iss')], ['a b', publicUrl]);
    return url.searchParams.get('code') ?? '';
  };
  const right = { client_id: clientId, redirect_uri: redirectUri, code_verifier: VERIFIER };
  const first = await code();
  for (const wrong of [
    { code_verifier: 'w'.repeat(43) },
    { client_id: other },
    { redirect_uri: 'http://127.0.0.1:1/other' },
    { code: 'ü' },
    { code: first.replace(/^./, 'g') },
  ]) {
    const { status, body } = await exchange({ ...right, code: first, ...wrong });
    assert.deepEqual([status, body.error], [400, 'invalid_grant'], JSON.stringify(wrong));
  }
  const elsewhere = await exchange({ ...right, code: first, resource: 'https://evil.example/mcp' });
  assert.equal(elsewhere.body.error, 'invalid_target');
  assert.equal(
    (await exchange({ ...right, code: first, grant_type: 'password' })).body.error,
    'unsupported_grant_type',
  );
  for (const member of ['code', 'client_id', 'resource']) {
    // JSON without a text form.
    const odd = { grant_type: 'authorization_code', ...right, code: first, [member]: { toString: 1 } };
    assert.equal((await service.call('POST /oauth/token', { body: odd })).status, 400, member);
  }
  const { status, body } = await exchange({ ...right, code: first, resource: `${publicUrl}/mcp` });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.access_token, /^hw_sk_/);
  assert.equal((await exchange({ ...right, code: first })).body.error, 'invalid_grant', 'a second time');

  const racing = await code();
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange({ ...right, code: racing })));
  assert.equal(answers.filter((each) => each.status === 200).length, 1);
  const late = await code();
  service.clock.now += 60_000;
  assert.equal((await exchange({ ...right, code: late })).body.error, 'invalid_grant', 'after a minute');
  const [, claim = ''] = late.split('.');
  const asToken = await service.call('GET /v1/cms/collections', { headers: { authorization: `Bearer ${claim}` } });
  assert.equal(asToken.status, 401, 'what stands for the token is none');
});

test('only owners connect agents, with their password of the last minutes, and with no more than they may', async () => {
  const { account, owner } = await ownerOf('rights');
  const clientId = await clientOf();
  const body = { clientId, redirectUri, codeChallenge };
  for (const role of ['viewer', 'editor'] as const) {
    const by = await createTestUser(service, account, role);
    assert.equal((await byPage('POST /v1/keys/agents', by, body)).body.code, 'role_insufficient');
  }
  assert.equal(
    (await service.call('POST /v1/keys/agents', { as: account, body })).status,
    401,
    'a token makes no token',
  );
  const asOwner = await byPage('POST /v1/keys/agents', owner, { ...body, roleId: 'owner' });
  assert.equal(asOwner.body.code, 'role_not_assignable');
  for (const [wrong, code] of [
    [{ clientId: `${clientId}x` }, 'client_unknown'],
    [{ clientId: 'hw_agent_ü.ü' }, 'client_unknown'],
    [{ clientId: 'https://127.0.0.1/agent.json' }, 'client_unknown'],
    [{ redirectUri: 'http://127.0.0.1:2/elsewhere' }, 'redirect_uri_unknown'],
    [{ redirectUri: 'https://evil.example/callback' }, 'redirect_uri_unknown'],
    [{ resource: 'https://evil.example/mcp' }, 'resource_unknown'],
    [{ codeChallenge: 'short' }, 'format'],
  ] as const) {
    for (const path of ['/v1/keys/agents', '/v1/keys/agents/check']) {
      const answer = await byPage(`POST ${path}`, owner, { ...body, ...wrong });
      assert.deepEqual([answer.status, answer.body.code], [400, code], `${path} ${JSON.stringify(wrong)}`);
    }
  }
  const otherPort = { ...body, redirectUri: 'http://127.0.0.1:4711/callback' };
  assert.equal((await byPage('POST /v1/keys/agents/check', owner, otherPort)).status, 200);
});

test('a browser is sent only where no script runs and no stranger listens', async () => {
  for (const uri of [
    'javascript:alert(1)',
    'javascript://x/%0aalert(1)',
    'data:text/html,x',
    'http://example.com/callback',
    'https://user:pw@example.com/',
    'https://example.com/#fragment',
    'file:///etc/passwd',
    'evil:callback',
    'x'.repeat(600),
    7,
  ]) {
    const answer = await register({ redirect_uris: [uri] });
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_redirect_uri'], String(uri));
  }
  for (const uri of [
    'https://claude.ai/api/mcp/auth_callback',
    'cursor://anysphere/callback',
    'com.example.app:/callback',
  ]) {
    assert.equal((await register({ redirect_uris: [uri] })).status, 201, uri);
  }
  assert.equal((await register({})).status, 400);
});

test('a client may be described by the document that its ID names', async () => {
  let document: object = {};
  const server = http.createServer((_request, response) => response.end(JSON.stringify(document)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  const at = `https://agent.example:${(server.address() as AddressInfo).port}/client.json`;
  // The document is served without TLS here.
  const sender = {
    send: async (url: URL) => {
      const response = await (await fetch(url.href.replace('https://agent.example', 'http://127.0.0.1'))).text();
      return { status: 200, error: null, response };
    },
  };
  const clients = new Clients(Buffer.alloc(32), sender as never, () => true);
  document = { client_id: at, client_name: 'Described', redirect_uris: [redirectUri] };
  const client = await clients.find(at);
  assert.deepEqual([client.name, client.host], ['Described', new URL(at).host]);
  assert.ok(isRegistered(client, redirectUri) && !isRegistered(client, 'https://evil.example/'));
  document = { ...document, client_id: 'https://other.example/client.json' };
  await assert.rejects(clients.find(at), /client_id/);
  document = [];
  await assert.rejects(clients.find(at), /client_id/);
  for (const id of ['https://agent.example', 'https://agent.example/a#b', 'https://agent.example/../a']) {
    await assert.rejects(clients.find(id), /public and have a path/, id);
  }
});
