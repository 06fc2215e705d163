import { audit, authorOf } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { pageById } from '../shared/http/keyset-page.ts';
import { routesOf } from '../shared/http/routes.ts';
import type { App } from '../shared/http/server.ts';
import { LAST_ID, publicId, uuidTime } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import { Cleared, type RejectedRequest, RejectionPage, RejectionsQuery } from './contract.ts';
import { fixOf } from './fixes.ts';
import { deleteRejections, listRejections, type RejectionRow } from './queries.ts';

/** `/v1/rejected-requests` */
export function rejectionRoutes(app: App, { db, clock, pageTokens }: Deps): void {
  const common = { tags: ['Service'], security: [{ token: [] }] };

  const { get, remove } = routesOf(app, common);
  get('/v1/rejected-requests', {
    config: { access: 'secret', rate: 'read' },
    operationId: 'listRejectedRequests',
    summary: 'List rejected requests',
    description:
      'Newest first: requests with a key that were answered with an error, and invalid items of conversion batches, of the last seven days. Of many, a sample is stored.',
    querystring: RejectionsQuery,
    returns: RejectionPage,
    handle: async ({ caller, query }) => {
      const { accountId, access } = caller;
      const { code = null } = query;
      const key_id = access ? (caller.type === 'user' ? LAST_ID : caller.keyId) : null;
      const scope = [accountId, '/v1/rejected-requests', code, key_id];
      const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'newest first', (before, limit) =>
        listRejections(db, { account_id: accountId, code, key_id, before, limit }),
      );
      return { requests: rows.map(serialize), nextPageToken };
    },
  });

  remove('/v1/rejected-requests', {
    config: { access: 'secret', rate: 'write' },
    operationId: 'deleteRejectedRequests',
    summary: 'Delete all rejected requests',
    description: 'Also their bodies, which may contain personal data. Otherwise they are deleted after seven days.',
    returns: Cleared,
    handle: (request) =>
      db.transaction(async (tx) => {
        const { accountId } = request.caller;
        await deleteRejections(tx, { account_id: accountId });
        const subject = ['account', publicId('acc', accountId)] as const;
        await audit(tx, authorOf(request), { action: 'rejected_requests.deleted', subject }, clock());
        return { success: true };
      }),
  });
}

const serialize = ({ id, key_id, ...row }: RejectionRow): RejectedRequest => ({
  id: publicId('rej', id),
  at: isoTime(uuidTime(id)),
  keyId: publicId('key', key_id),
  ...row,
  fix: fixOf(row.code),
});
