import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { assignedKeyRole, createKeyFor, giveToken } from '../../accounts/index.ts';
import { authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest } from '../../shared/errors.ts';
import { FORM, parseForm } from '../../shared/http/form.ts';
import { routesOf } from '../../shared/http/routes.ts';
import { type App, inScope } from '../../shared/http/server.ts';
import { parseId } from '../../shared/ids.ts';
import { connectPolicy } from '../../shared/outbound/connect-policy.ts';
import { Sender } from '../../shared/outbound/sender.ts';
import { Clients, isRegistered } from './client.ts';
import { codeOf, newClaim, readCode } from './code.ts';
import { AgentClient, AgentConnection, AgentRequest, NewAgentConnection } from './contract.ts';

export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp';

const hidden = { config: { access: 'open', isLimited: true }, schema: { hide: true } } as const;
/** Members of RFC 6749 and 7591, of which each request is checked where it is read. */
const Sent = Type.Unsafe<Record<string, unknown>>({ type: 'object' });
const TIMEOUT_MS = 4_000;

/**
 * How an agent gets the token of an API key without somebody copying it (OAuth 2.1, as the Model Context Protocol profiles it): the
 * agent opens the dashboard, an owner chooses what it may do, and the agent exchanges the code that it receives for the token.
 */
export function authorizationRoutes(app: App, { control, clock, secret, publicUrl, config }: Deps): void {
  const mayConnect = connectPolicy(config.webhookAllowCidrs);
  const sender = new Sender({ mayConnect, timeoutMs: TIMEOUT_MS, keeps: 'all' });
  const clients = new Clients(secret, sender, mayConnect);

  const resource = () => ({
    resource: `${publicUrl()}/mcp`,
    authorization_servers: [publicUrl()],
    bearer_methods_supported: ['header'],
    resource_name: 'Headwater',
  });
  app.get('/.well-known/oauth-protected-resource', hidden, resource);
  app.get(RESOURCE_METADATA, hidden, resource);
  app.get('/.well-known/oauth-authorization-server', hidden, () => ({
    issuer: publicUrl(),
    authorization_endpoint: `${publicUrl()}/oauth/authorize`,
    token_endpoint: `${publicUrl()}/oauth/token`,
    registration_endpoint: `${publicUrl()}/oauth/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }));

  // Behind the #, the request stays as the client sent it, and reaches no log.
  app.get('/oauth/authorize', hidden, ({ url }, reply) =>
    reply.redirect(`${publicUrl()}/connect-agent#${new URL(url, publicUrl()).search.slice(1)}`),
  );

  app.post('/oauth/register', { ...hidden, schema: { hide: true, body: Sent } }, async ({ body }, reply) => {
    const registered = clients.register(body);
    if (registered === undefined) {
      return refuse(
        reply,
        'invalid_redirect_uri',
        'Send 1 to 10 redirect_uris with https, of this machine or of a program.',
      );
    }
    const { clientId, client } = registered;
    return reply.code(201).send({
      client_id: clientId,
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  inScope(app, (scope) => {
    scope.addContentTypeParser(FORM, { parseAs: 'string' }, parseForm);
    scope.post('/oauth/token', { ...hidden, schema: { hide: true, body: Sent } }, async ({ body }, reply) => {
      reply.header('cache-control', 'no-store');
      if (body.grant_type !== 'authorization_code') {
        return refuse(reply, 'unsupported_grant_type', 'The grant_type must be authorization_code.');
      }
      const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '');
      if (body.resource !== undefined && !isResource(text('resource'), publicUrl())) {
        return refuse(reply, 'invalid_target', `The resource must be ${publicUrl()}/mcp.`);
      }
      const asked = {
        clientId: text('client_id'),
        redirectUri: text('redirect_uri'),
        verifier: text('code_verifier'),
      };
      const read = readCode(secret, text('code'), asked, clock());
      const key = read && (await giveToken(control, read));
      if (!key)
        return refuse(reply, 'invalid_grant', 'The code is not of this client, was used, or is older than a minute.');
      const left = key.expiresAt && Math.floor((Date.parse(key.expiresAt) - clock()) / 1_000);
      return { access_token: key.token, token_type: 'Bearer', ...(left && { expires_in: left }) };
    });
  });

  /** @throws ApiError 400 `client_unknown`, `client_unreachable`, `redirect_uri_unknown`, `resource_unknown` */
  const check = async ({ clientId, redirectUri, resource }: AgentRequest) => {
    const client = await clients.find(clientId);
    if (!isRegistered(client, redirectUri)) {
      throw badRequest('redirect_uri_unknown', 'The client did not register this redirection URI.', '/redirectUri');
    }
    if (resource !== undefined && !isResource(resource, publicUrl())) {
      throw badRequest(
        'resource_unknown',
        `The token would be for ${resource}, which is not this service.`,
        '/resource',
      );
    }
    return client;
  };
  const answer = ({ redirectUri, state }: AgentRequest, members: Record<string, string>) => {
    const url = new URL(redirectUri);
    const all = { ...members, ...(state !== undefined && { state }), iss: publicUrl() };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href;
  };
  const { post } = routesOf(app, { tags: ['API keys'], security: [{ session: [], account: [] }] });
  post('/v1/keys/agents/check', {
    config: { access: 'member', role: 'owner', rate: 'read', takesLong: true },
    operationId: 'checkAgent',
    summary: 'Describe an agent that asks for a token',
    description: 'For the page that asks an owner for consent. Nothing is created.',
    body: AgentRequest,
    returns: AgentClient,
    handle: async ({ body }) => {
      const { name, host } = await check(body);
      const { protocol, host: target } = new URL(body.redirectUri);
      const redirectTarget = target === '' || !protocol.startsWith('http') ? protocol.slice(0, -1) : target;
      return { name, host, redirectTarget, deniedUrl: answer(body, { error: 'access_denied' }) };
    },
  });
  post('/v1/keys/agents', {
    config: { access: 'member', role: 'owner', rate: 'write', confirm: true, takesLong: true },
    operationId: 'connectAgent',
    summary: 'Connect an agent',
    description:
      'Creates an API key whose token the agent receives for the code in `redirectTo`. Nobody else sees the token.',
    body: NewAgentConnection,
    returns: AgentConnection,
    handle: async (request) => {
      const { body, caller } = request;
      const { name } = await check(body);
      const author = authorOf(request);
      const claim = newClaim();
      const key = await control.transaction(async (tx) => {
        const assigned = await assignedKeyRole(tx, author.accountId, caller, {
          type: 'secret',
          roleId: body.roleId ?? null,
        });
        const settings = { type: 'secret', name, expiresAt: body.expiresAt ?? null, ...assigned } as const;
        return createKeyFor(tx, author, settings, clock(), claim);
      });
      const { clientId, redirectUri, codeChallenge: challenge } = body;
      const keyId = parseId('key', key.id) ?? '';
      const code = codeOf(secret, { keyId, claim }, { clientId, redirectUri, challenge }, clock());
      return { keyId: key.id, redirectTo: answer(body, { code }) };
    },
  });
}

const refuse = (reply: FastifyReply, error: string, description: string) =>
  reply.code(400).send({ error, error_description: description });

/** The endpoint, or the service that it is of. */
const isResource = (text: string, publicUrl: string) =>
  [`${publicUrl}/mcp`, publicUrl].includes(text.replace(/\/$/, ''));
