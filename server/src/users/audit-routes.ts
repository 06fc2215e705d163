import type { Deps } from '../shared/deps.ts';
import { withErrors } from '../shared/http/problem.ts';
import type { App } from '../shared/http/server.ts';
import { firstUuidAt, parseId, publicId, uuidTime } from '../shared/ids.ts';
import { pageById } from '../shared/page-by-id.ts';
import { isoTime } from '../shared/time.ts';
import { type ChangeRow, listChanges } from './audit-queries.ts';
import { type AuditChange, AuditPage, AuditQuery } from './contract.ts';

const BEGINNING = '00000000-0000-0000-0000-000000000000';
/** Of an actor or a change that nothing has. */
const NOBODY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `GET /v1/audit`: who changed what. */
export function auditRoutes(app: App, { db, pageTokens }: Deps): void {
  app.get(
    '/v1/audit',
    {
      config: { access: 'member', role: 'owner', rate: 'read' },
      schema: {
        tags: ['Members'],
        security: [{ session: [], account: [] }],
        operationId: 'listChanges',
        summary: 'List who changed what',
        description: 'The newest first. `before` and `after` hold what differs, shortened.',
        querystring: AuditQuery,
        response: withErrors(AuditPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { actorId, action, subjectId, from, to } = query;
      const actor = actorId === undefined ? null : (parseId('usr', actorId) ?? parseId('key', actorId) ?? NOBODY);
      const end = to === undefined ? NOBODY : firstUuidAt(Date.parse(to));
      const start = from === undefined ? BEGINNING : firstUuidAt(Date.parse(from));
      const { rows, nextPageToken } = await pageById(
        pageTokens,
        [accountId, '/v1/audit', actorId, action, subjectId, from, to],
        query,
        'newest first',
        (before, limit) =>
          listChanges(db, accountId, before, end, start, limit, actor, action ?? null, subjectId ?? null),
      );
      return { changes: rows.map(changeAnswer), nextPageToken };
    },
  );
}

function changeAnswer(row: ChangeRow): AuditChange {
  const { actor_kind: kind, actor_id: id } = row;
  return {
    id: publicId('aud', row.id),
    at: isoTime(uuidTime(row.id)),
    actor: { kind, id: id && publicId(kind === 'key' ? 'key' : 'usr', id), name: row.actor_name },
    action: row.action,
    subject: { type: row.subject_type, id: row.subject_id },
    address: row.address,
    before: row.before,
    after: row.after,
  };
}
