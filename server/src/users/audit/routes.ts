import { readsEverything } from '../../accounts/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { pageById } from '../../shared/http/keyset-page.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { FIRST_ID, firstUuidAt, LAST_ID, parseId, publicId, uuidTime } from '../../shared/ids.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import { type AuditChange, AuditPage, AuditQuery } from '../contract.ts';
import { type NamedAuthor, nameAuthors } from './name-authors.ts';
import { type ChangeFilter, type ChangeRow, listChanges } from './queries.ts';

/** `GET /v1/audit` */
export function auditRoutes(app: App, deps: Deps): void {
  const { get } = routesOf(app);
  get('/v1/audit', {
    config: { access: 'member', role: 'owner', rate: 'read' },
    tags: ['Members'],
    security: [{ session: [], account: [] }],
    operationId: 'listChanges',
    summary: 'List the audit log',
    description: 'Newest first. `before` and `after` contain what differs, shortened.',
    querystring: AuditQuery,
    returns: AuditPage,
    handle: async ({ caller, query }) => {
      const { accountId } = caller;
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
        // A role that does not read everything sees no changes of content: they contain values.
        excluded: readsEverything(caller.access) ? null : CONTENT,
      };
      const scope = [accountId, '/v1/audit', filter.excluded, actorId, action, subjectId, from, to];
      const { rows, nextPageToken } = await pageById(deps.pageTokens, scope, query, 'newest first', (before, limit) =>
        readChanges(deps, { ...filter, before, limit }),
      );
      const authors = rows.map((row) => ({ author_type: row.actor_type, author_id: row.actor_id }));
      const actors = await nameAuthors(deps.control, accountId, authors);
      return { changes: rows.map((row, i) => serializeChange(row, actors[i] as NamedAuthor)), nextPageToken };
    },
  });
}

const CONTENT = [
  'entry',
  'collection',
  'component',
  'import',
  'job',
  'release',
  'file',
  'export',
  'schema',
  'view',
  'webhook',
  'publish_hook',
  'experiment',
];

/** The schema accepts what `parseTimestamp` reads, which is more than `Date.parse` does. */
function idAt(time: string | undefined): string | undefined {
  const ms = time === undefined ? undefined : parseTimestamp(time);
  return ms === undefined ? undefined : firstUuidAt(ms);
}

/** Changes of data are logged where the data is, those of keys, members and the account in the control database. */
async function readChanges({ db, control }: Deps, filter: ChangeFilter): Promise<ChangeRow[]> {
  if (db === control) return listChanges(db, filter);
  const rows = (await Promise.all([listChanges(db, filter), listChanges(control, filter)])).flat();
  // An account that was moved away from the control database has left its changes there, too.
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, filter.limit);
}

function serializeChange(row: ChangeRow, actor: NamedAuthor): AuditChange {
  return {
    id: publicId('aud', row.id),
    at: isoTime(uuidTime(row.id)),
    actor,
    action: row.action,
    subject: { type: row.subject_type, id: row.subject_id },
    address: row.address,
    before: row.before,
    after: row.after,
  };
}
