import { authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { onceWithSecret } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import {
  ApiKey,
  CreatedApiKey,
  KeyChange,
  KeyPage,
  KeyPath,
  KeyQuery,
  LeakedKey,
  LeakedResult,
  NewKey,
} from './contract.ts';
import {
  assignedKeyRole,
  createKeyFor,
  renameKeyFor,
  revokeKeyFor,
  revokeLeaked,
  rotateKeyFor,
  serializeKey,
} from './manage-keys.ts';
import { listKeyPage } from './queries.ts';

const read = { access: 'member', role: 'owner', rate: 'read' } as const;
const write = { access: 'member', role: 'owner', rate: 'write' } as const;
const shared = { tags: ['API keys'], security: [{ session: [], account: [] }] };

/** API keys, for owners of the account. A key cannot create keys: a leaked one could not be shut out. */
export function keyRoutes(app: App, { control, clock, pageTokens }: Deps): void {
  const { get, post, patch, remove } = routesOf(app);
  get('/v1/keys', {
    config: read,
    ...shared,
    operationId: 'listKeys',
    summary: 'List API keys',
    description: 'Newest first, including revoked keys.',
    querystring: KeyQuery,
    returns: KeyPage,
    handle: async ({ caller: { accountId }, query }) => {
      const { type = null, revoked = null } = query;
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/keys', type, revoked],
        query,
        'newest first',
        (before, limit) => listKeyPage(control, { account_id: accountId, before, limit, type, is_revoked: revoked }),
      );
      return { keys: rows.map(serializeKey), nextPageToken };
    },
  });

  post('/v1/keys', {
    config: { ...write, confirm: (body) => (body as { type?: unknown } | null)?.type !== 'publishable' },
    ...shared,
    operationId: 'createKey',
    'x-idempotency-key': true,
    summary: 'Create an API key',
    description: 'Returns the key itself, once. Repeating the request with the same `Idempotency-Key` is refused.',
    body: NewKey,
    returns: CreatedApiKey,
    handle: (request) => {
      const author = authorOf(request);
      const { caller, body } = request;
      return onceWithSecret(control, request, author.accountId, async (tx) => {
        const assigned = await assignedKeyRole(tx, author.accountId, caller, body);
        return createKeyFor(tx, author, { ...body, ...assigned }, clock());
      });
    },
  });

  patch('/v1/keys/:keyId', {
    config: write,
    ...shared,
    operationId: 'renameKey',
    summary: 'Rename an API key',
    description: 'The name is shown in lists and in the audit log. The token stays the same.',
    params: KeyPath,
    body: KeyChange,
    returns: ApiKey,
    handle: (request) => {
      const { caller, params, body } = request;
      return renameKeyFor(control, authorOf(request), params.keyId, body.name, clock(), caller);
    },
  });

  post('/v1/keys/:keyId/rotate', {
    config: { ...write, confirm: true },
    ...shared,
    operationId: 'rotateKey',
    'x-idempotency-key': true,
    summary: 'Rotate an API key',
    description: 'Creates a key with the same settings and returns it, once. The old key works for 24 more hours.',
    params: KeyPath,
    returns: CreatedApiKey,
    handle: (request) => {
      const author = authorOf(request);
      const { keyId } = request.params;
      return onceWithSecret(control, request, author.accountId, (tx) =>
        rotateKeyFor(tx, author, keyId, clock(), request.caller),
      );
    },
  });

  post('/v1/keys/revoke-leaked', {
    config: { access: 'open', isLimited: true },
    tags: ['API keys'],
    security: [],
    operationId: 'revokeLeakedKey',
    summary: 'Revoke a leaked token',
    description:
      'For whoever finds a secret token or a postback key, such as a secret scanner. Tokens are `hw_sk_` or `hw_pb_` and 38 ' +
      'letters and digits, of which the last six are a checksum: the CRC-32 of the rest in base 62.',
    body: LeakedKey,
    returns: LeakedResult,
    handle: async ({ body, ip }) => ({ revoked: await revokeLeaked(control, body.token, ip, clock()) }),
  });

  remove('/v1/keys/:keyId', {
    config: write,
    ...shared,
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'Every process refuses the key from the moment this returns. Revoking it again changes nothing.',
    params: KeyPath,
    returns: ApiKey,
    handle: (request) => revokeKeyFor(control, authorOf(request), request.params.keyId, clock(), request.caller),
  });
}
