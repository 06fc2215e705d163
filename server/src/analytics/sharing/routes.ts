import type { FastifyRequest } from 'fastify';
import { readReportingSettings } from '../../accounts/index.ts';
import { audit, authorOf } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, notFound } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import { routesOf } from '../../shared/http/routes.ts';
import type { App } from '../../shared/http/server.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { type HashedFor, hashPassword } from '../../users/index.ts';
import { LIMITS } from '../limits.ts';
import { parsePeriod } from '../reports/periods.ts';
import { Deleted, NewSharedLink, SharedLink, SharedLinkChange, SharedLinkPath, SharedLinks } from './contract.ts';
import { hashToken, tokenOf } from './link-token.ts';
import { periodOf } from './open-link.ts';
import { deleteLink, insertLink, type LinkRow, listLinks, lockLink, updateLink } from './queries.ts';

/** `/v1/analytics/shared-links`: links that show a report to anyone who has them. */
export function sharingRoutes(app: App, deps: Deps): void {
  const { db, control, clock, secret, publicUrl } = deps;
  const common = { tags: ['Analytics'], security: [{ token: [] }] };
  const write = { access: 'secret', role: 'editor', rate: 'write' } as const;

  const urlsOf = (link: { account_id: string; id: string }) => {
    const token = tokenOf(secret, link);
    return { url: `${publicUrl()}/share#${token}`, embedUrl: `${publicUrl()}/embed#${token}` };
  };
  const serialize = ({
    account_id,
    id,
    name,
    report,
    is_interactive,
    has_annotations,
    password,
    created_at,
    last_read_at,
  }: LinkRow): SharedLink => {
    return {
      id: publicId('shr', id),
      ...{ name, isInteractive: is_interactive, hasAnnotations: has_annotations, funnel: null, ...report },
      ...urlsOf({ account_id, id }),
      hasPassword: password !== null,
      createdAt: isoTime(created_at),
      lastReadAt: last_read_at && isoTime(last_read_at),
    };
  };
  const subjectOf = ({ id }: { id: string }) => ['shared_link', publicId('shr', id)] as const;
  const stateOf = ({ name, is_interactive, has_annotations, password }: LinkRow) => ({
    ...{ name, isInteractive: is_interactive, hasAnnotations: has_annotations, hasPassword: password !== null },
  });

  const { get, post, patch, remove } = routesOf(app, common);
  get('/v1/analytics/shared-links', {
    config: { access: 'secret', role: 'editor', rate: 'read' },
    operationId: 'listSharedLinks',
    summary: 'List shared links',
    description: 'Newest first; at most 100. Viewers do not see them.',
    returns: SharedLinks,
    handle: async ({ caller }) => ({ links: (await listLinks(db, { account_id: caller.accountId })).map(serialize) }),
  });

  post('/v1/analytics/shared-links', {
    config: write,
    'x-idempotency-key': true,
    operationId: 'createSharedLink',
    summary: 'Share a report by a link',
    description:
      'Anyone with the link can read the overview, or a funnel, of a period with these filters, and nothing else of the account: no leads, sessions, conversions or files. Delete the link to revoke it.',
    body: NewSharedLink,
    returns: SharedLink,
    handle: async (request) => {
      const { accountId } = request.caller;
      const { name, isInteractive = false, hasAnnotations = false, password = null, ...report } = request.body;
      const { timeZone } = await readReportingSettings(control, accountId);
      const now = clock();
      // Refuses a period that no report has.
      parsePeriod({ ...periodOf(report, now, timeZone), timeZone }, '/');
      const hash = password === null ? null : await hashPassword(password, hashedFor(request));
      // The response stored for the Idempotency-Key does not contain the secret.
      const created = await idempotently(db, request, accountId, async (tx) => {
        const id = newUuid(now);
        const [row] = await insertLink(tx, {
          ...{
            account_id: accountId,
            id,
            hash: hashToken(tokenOf(secret, { account_id: accountId, id })),
            name: name.trim(),
          },
          ...{ report: JSON.stringify(report), is_interactive: isInteractive },
          ...{ has_annotations: hasAnnotations, password: hash },
          ...{ now: new Date(now), max: LIMITS.sharedLinks },
        });
        if (!row) {
          const detail = `An account has at most ${LIMITS.sharedLinks} shared links. Delete one first.`;
          throw badRequest('too_many_links', detail);
        }
        const change = { action: 'shared_link.created', subject: subjectOf(row), after: { ...stateOf(row), report } };
        await audit(tx, authorOf(request), change, now);
        const { url: _, embedUrl: __, ...link } = serialize(row);
        return { link, id };
      });
      return { ...created.link, ...urlsOf({ account_id: accountId, id: created.id }) };
    },
  });

  patch('/v1/analytics/shared-links/:linkId', {
    config: write,
    operationId: 'updateSharedLink',
    summary: 'Change a shared link',
    description:
      'Changes only the members that are sent. The URL of the link and the report that it shows stay the same.',
    params: SharedLinkPath,
    body: SharedLinkChange,
    returns: SharedLink,
    handle: async (request) => {
      const { name, isInteractive, hasAnnotations, password } = request.body;
      const id = parseId('shr', request.params.linkId);
      const hash = typeof password === 'string' ? await hashPassword(password, hashedFor(request)) : password;
      return db.transaction(async (tx) => {
        const key = { account_id: request.caller.accountId, id: id ?? '' };
        const [before] = id === undefined ? [] : await lockLink(tx, key);
        if (!before) throw notFound('shared link');
        const [row] = await updateLink(tx, {
          ...key,
          name: name?.trim() ?? before.name,
          is_interactive: isInteractive ?? before.is_interactive,
          has_annotations: hasAnnotations ?? before.has_annotations,
          password: hash === undefined ? before.password : hash,
        });
        if (!row) throw notFound('shared link');
        const states = { before: stateOf(before), after: { ...stateOf(row), passwordChanged: hash !== undefined } };
        await audit(
          tx,
          authorOf(request),
          { action: 'shared_link.changed', subject: subjectOf(row), ...states },
          clock(),
        );
        return serialize(row);
      });
    },
  });

  remove('/v1/analytics/shared-links/:linkId', {
    config: write,
    operationId: 'deleteSharedLink',
    summary: 'Revoke a shared link',
    description: 'The link stops working at once.',
    params: SharedLinkPath,
    returns: Deleted,
    handle: (request) =>
      db.transaction(async (tx) => {
        const id = parseId('shr', request.params.linkId);
        const [row] = id === undefined ? [] : await deleteLink(tx, { account_id: request.caller.accountId, id });
        if (!row || id === undefined) throw notFound('shared link');
        const change = { action: 'shared_link.deleted', subject: subjectOf({ id }), before: { name: row.name } };
        await audit(tx, authorOf(request), change, clock());
        return { success: true };
      }),
  });
}

const hashedFor = ({ caller, ip }: FastifyRequest): HashedFor =>
  caller.type === 'user' ? { userId: caller.userId } : { address: ip };
