import type { Deps } from '../../shared/deps.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { withErrors } from '../../shared/http/problem.ts';
import type { App } from '../../shared/http/server.ts';
import { FIRST_ID, firstUuidAt, LAST_ID, parseId, publicId, uuidTime } from '../../shared/ids.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import { type AuditChange, AuditPage, AuditQuery } from '../contract.ts';
import { serializeAuthor } from './name-authors.ts';
import { type ChangeRow, listChanges } from './queries.ts';

/** `GET /v1/audit` */
export function auditRoutes(app: App, { db, pageTokens }: Deps): void {
  app.get(
    '/v1/audit',
    {
      config: { access: 'member', role: 'owner', rate: 'read' },
      schema: {
        tags: ['Members'],
        security: [{ session: [], account: [] }],
        operationId: 'listChanges',
        summary: 'List the audit log',
        description: 'Newest first. `before` and `after` contain what differs, shortened.',
        querystring: AuditQuery,
        response: withErrors(AuditPage),
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { actorId, action = null, subjectId = null, from, to } = query;
      // No change has this actor.
      const actor = actorId === undefined ? null : (parseId('usr', actorId) ?? parseId('key', actorId) ?? LAST_ID);
      const filter = {
        account_id: accountId,
        from: idAt(from) ?? FIRST_ID,
        to: idAt(to) ?? LAST_ID,
        actor_id: actor,
        action,
        subject_id: subjectId,
      };
      const scope = [accountId, '/v1/audit', actorId, action, subjectId, from, to];
      const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'newest first', (before, limit) =>
        listChanges(db, { ...filter, before, limit }),
      );
      return { changes: rows.map(serializeChange), nextPageToken };
    },
  );
}

/** The schema accepts what `parseTimestamp` reads, which is more than `Date.parse` does. */
function idAt(time: string | undefined): string | undefined {
  const ms = time === undefined ? undefined : parseTimestamp(time);
  return ms === undefined ? undefined : firstUuidAt(ms);
}

function serializeChange(row: ChangeRow): AuditChange {
  return {
    id: publicId('aud', row.id),
    at: isoTime(uuidTime(row.id)),
    actor: serializeAuthor(row.actor_type, row.actor_id, row.actor_name),
    action: row.action,
    subject: { type: row.subject_type, id: row.subject_id },
    address: row.address,
    before: row.before,
    after: row.after,
  };
}
