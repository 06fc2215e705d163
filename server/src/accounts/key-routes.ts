import { authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { onceWithSecret } from '../shared/http/idempotency.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { ApiKey, CreatedApiKey, KeyChange, KeyPage, KeyPath, KeyQuery, NewKey } from './contract.ts';
import { createKeyFor, renameKeyFor, revokeKeyFor, serializeKey } from './manage-keys.ts';
import { listKeyPage } from './queries.ts';

const read = { access: 'member', role: 'owner', rate: 'read' } as const;
const write = { access: 'member', role: 'owner', rate: 'write' } as const;
const shared = { tags: ['API keys'], security: [{ session: [], account: [] }] };

/** API keys, for owners of the account. A key cannot create keys: a leaked one could not be shut out. */
export function keyRoutes(app: App, { control, clock, pageTokens }: Deps): void {
  app.get(
    '/v1/keys',
    {
      config: read,
      schema: {
        ...shared,
        operationId: 'listKeys',
        summary: 'List API keys',
        description: 'Newest first, including revoked keys.',
        querystring: KeyQuery,
        response: withErrors(KeyPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
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
  );

  app.post(
    '/v1/keys',
    {
      config: write,
      schema: {
        ...shared,
        operationId: 'createKey',
        'x-idempotency-key': true,
        summary: 'Create an API key',
        description: 'Returns the key itself, once. Repeating the request with the same `Idempotency-Key` is refused.',
        body: NewKey,
        response: withErrors(CreatedApiKey),
      },
    },
    (request) => {
      const author = authorOf(request);
      const { type, name } = request.body;
      return onceWithSecret(control, request, author.accountId, (tx) => createKeyFor(tx, author, type, name, clock()));
    },
  );

  app.patch(
    '/v1/keys/:keyId',
    {
      config: write,
      schema: {
        ...shared,
        operationId: 'renameKey',
        summary: 'Rename an API key',
        params: KeyPath,
        body: KeyChange,
        response: withErrors(ApiKey),
      },
    },
    (request) => renameKeyFor(control, authorOf(request), request.params.keyId, request.body.name, clock()),
  );

  app.delete(
    '/v1/keys/:keyId',
    {
      config: write,
      schema: {
        ...shared,
        operationId: 'revokeKey',
        summary: 'Revoke an API key',
        description: 'Every process refuses the key from the moment this returns. Revoking it again changes nothing.',
        params: KeyPath,
        response: withErrors(ApiKey),
      },
    },
    (request) => revokeKeyFor(control, authorOf(request), request.params.keyId, clock()),
  );
}
