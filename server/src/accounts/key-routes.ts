import { authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { onceWithSecret } from '../shared/http/idempotency.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { pageById } from '../shared/page-by-id.ts';
import { ApiKey, KeyChange, KeyPage, KeyPath, KeyQuery, MadeApiKey, NewKey } from './contract.ts';
import { createKeyFor, keyView, renameKeyFor, revokeKeyFor } from './manage-keys.ts';
import { listKeyPage } from './queries.ts';

const read = { access: 'member', role: 'owner', rate: 'read' } as const;
const write = { access: 'member', role: 'owner', rate: 'write' } as const;
const about = { tags: ['API keys'], security: [{ session: [], account: [] }] };

/** API keys, for the owners of an account. No key makes a key: one that leaked could not be got rid of. */
export function keyRoutes(app: App, { db, clock, pageTokens }: Deps): void {
  app.get(
    '/v1/keys',
    {
      config: read,
      schema: {
        ...about,
        operationId: 'listKeys',
        summary: 'List API keys',
        description: 'The newest first, those that were revoked as well.',
        querystring: KeyQuery,
        response: withErrors(KeyPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { kind = null, revoked = null } = query;
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/keys', kind, revoked],
        query,
        'newest first',
        (before, limit) => listKeyPage(db, accountId, before, limit, kind, revoked),
      );
      return { keys: rows.map(keyView), nextPageToken };
    },
  );

  app.post(
    '/v1/keys',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'createKey',
        'x-idempotency-key': true,
        summary: 'Make an API key',
        description: 'Answers the key itself, once: a repetition with the same `Idempotency-Key` is refused.',
        body: NewKey,
        response: withErrors(MadeApiKey),
      },
    },
    (request) => {
      const author = authorOf(request);
      const { kind, name } = request.body;
      return onceWithSecret(db, request, author.accountId, (tx) => createKeyFor(tx, author, kind, name, clock()));
    },
  );

  app.patch(
    '/v1/keys/:keyId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'renameKey',
        summary: 'Rename an API key',
        params: KeyPath,
        body: KeyChange,
        response: withErrors(ApiKey),
      },
    },
    (request) => renameKeyFor(db, authorOf(request), request.params.keyId, request.body.name, clock()),
  );

  app.delete(
    '/v1/keys/:keyId',
    {
      config: write,
      schema: {
        ...about,
        operationId: 'revokeKey',
        summary: 'Revoke an API key',
        description: 'When this is answered, every process refuses it. Again is harmless.',
        params: KeyPath,
        response: withErrors(ApiKey),
      },
    },
    (request) => revokeKeyFor(db, authorOf(request), request.params.keyId, clock()),
  );
}
